import { Input } from '../host/primitives.tsx'
import type { ServerForm } from '../model/server-form.ts'
import { Field, type ProblemOf } from './controls.tsx'
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
      <Field label={t('fieldCommand')} problem={problemOf('command')}>
        {(ties) => (
          <Input
            {...ties}
            value={stdio.command}
            placeholder="npx"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set({ command: event.target.value })}
          />
        )}
      </Field>
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
      <Field label={t('fieldCwd')} hint={t('hintCwd')} optional={t('toolOptional')}>
        {(ties) => (
          <Input
            {...ties}
            value={stdio.cwd}
            spellCheck={false}
            onChange={(event) => set({ cwd: event.target.value })}
          />
        )}
      </Field>
      <TimeoutField form={form} problemOf={problemOf} onChange={onChange} />
    </>
  )
}
