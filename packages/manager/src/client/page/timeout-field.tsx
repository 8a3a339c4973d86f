import type { ServerForm } from '../model/server-form.ts'
import type { ProblemOf } from './controls.tsx'
import { usePage } from './page-context.ts'
import { TextField } from './text-field.tsx'

/** The budget of a tool call, for both kinds of server. */
export function TimeoutField(props: {
  readonly form: ServerForm
  readonly problemOf: ProblemOf
  readonly onChange: (form: ServerForm) => void
}) {
  const { form, problemOf, onChange } = props
  const { t } = usePage()
  return (
    <TextField
      label={t('fieldTimeout')}
      hint={t('hintTimeout')}
      optional={t('toolOptional')}
      problem={problemOf('timeout')}
      inputMode="numeric"
      placeholder="60000"
      value={form.timeout}
      onChange={(timeout) => onChange({ ...form, timeout })}
    />
  )
}
