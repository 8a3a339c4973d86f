import { Input } from '../host/primitives.tsx'
import { Field } from './controls.tsx'

/** A labelled field for one line of text that no browser should complete or correct. */
export function TextField(props: {
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly optional?: string | undefined
  readonly type?: 'url'
  readonly inputMode?: 'numeric'
  readonly placeholder?: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const { label, hint, problem, optional, onChange, ...input } = props
  return (
    <Field label={label} hint={hint} problem={problem} optional={optional}>
      {(ties) => (
        <Input
          {...ties}
          {...input}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
