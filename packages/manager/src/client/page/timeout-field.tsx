import { Input } from '../host/primitives.tsx'
import type { ServerForm } from '../model/server-form.ts'
import { Field, type ProblemOf } from './controls.tsx'
import { usePage } from './page-context.ts'

/** The budget of a tool call, for both kinds of server. */
export function TimeoutField(props: {
  readonly form: ServerForm
  readonly problemOf: ProblemOf
  readonly onChange: (form: ServerForm) => void
}) {
  const { form, problemOf, onChange } = props
  const { t } = usePage()
  return (
    <Field
      label={t('fieldTimeout')}
      hint={t('hintTimeout')}
      optional={t('toolOptional')}
      problem={problemOf('timeout')}
    >
      {(ties) => (
        <Input
          {...ties}
          inputMode="numeric"
          placeholder="60000"
          value={form.timeout}
          onChange={(event) => onChange({ ...form, timeout: event.target.value })}
        />
      )}
    </Field>
  )
}
