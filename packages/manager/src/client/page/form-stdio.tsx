import type { ServerForm } from '../model/server-form.ts'
import { Field, type ProblemOf } from './controls.tsx'
import { TextField } from './text-field.tsx'
import { usePage } from './page-context.ts'
import { PairTable } from './pair-table.tsx'
import { TimeoutField } from './timeout-field.tsx'

interface FormPartProps {
  readonly form: ServerForm
  readonly problemOf: ProblemOf
  readonly onChange: (form: ServerForm) => void
}

/** The fields of a local process. */
export function FormStdio({ form, problemOf, onChange }: FormPartProps) {
  const { t } = usePage()
  const { stdio } = form
  const set = (change: Partial<ServerForm['stdio']>): void => onChange({ ...form, stdio: { ...stdio, ...change } })
  return (
    <>
      <TextField
        label={t('fieldCommand')}
        problem={problemOf('command')}
        value={stdio.command}
        placeholder="npx"
        onChange={(command) => set({ command })}
      />
      <Field label={t('fieldArgs')} hint={t('hintArgs')}>
        {(ties) => (
          <textarea
            {...ties}
            className="mcp-text"
            rows={3}
            spellCheck={false}
            value={stdio.args}
            placeholder={'-y\n@modelcontextprotocol/server-filesystem\n.'}
            onChange={(event) => set({ args: event.target.value })}
          />
        )}
      </Field>
      <PairTable
        legend={t('fieldEnv')}
        table="env"
        pairs={stdio.env}
        valueLabel={t('pairValue')}
        hint={t('hintReferences')}
        secret
        problemOf={problemOf}
        onChange={(env) => set({ env })}
      />
      <TextField
        label={t('fieldCwd')}
        hint={t('hintCwd')}
        optional={t('toolOptional')}
        value={stdio.cwd}
        onChange={(cwd) => set({ cwd })}
      />
      <TimeoutField form={form} problemOf={problemOf} onChange={onChange} />
    </>
  )
}
