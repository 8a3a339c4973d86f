import { useId, type ReactNode } from 'react'

/** An on/off switch; `label` is read out, and shown when `visible`. */
export function Switch(props: {
  readonly checked: boolean
  readonly label: string
  readonly visible?: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}) {
  const button = (
    <button
      type="button"
      role="switch"
      className="mcp-switch"
      aria-checked={props.checked}
      aria-label={props.label}
      disabled={props.disabled}
      onClick={() => props.onChange(!props.checked)}
    />
  )
  if (props.visible !== true) return button
  return (
    <span>
      {button}
      <span aria-hidden>{props.label}</span>
    </span>
  )
}

/** A native select with the page's look. */
export function Select<Value extends string>(props: {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly text: string }[]
  readonly id?: string
  readonly describedBy?: string | undefined
  readonly invalid?: boolean
  readonly onChange: (value: Value) => void
}) {
  return (
    <select
      id={props.id}
      className="mcp-select"
      aria-label={props.label}
      aria-describedby={props.describedBy}
      aria-invalid={props.invalid}
      value={props.value}
      onChange={(event) => {
        const chosen = props.options.find((option) => option.value === event.target.value)
        if (chosen !== undefined) props.onChange(chosen.value)
      }}
    >
      {props.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  )
}

/** What a field's control needs to be tied to its label, hint and problem. */
export interface FieldTies {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

/** Words for what is wrong with a field; nothing before the person had a chance to fill it. */
export type ProblemOf = (field: string) => string | undefined

/** A labelled field with a hint, or a problem in its place. */
export function Field(props: {
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly optional?: string | undefined
  readonly children: (ties: FieldTies) => ReactNode
}) {
  const id = useId()
  const below = props.problem ?? props.hint
  return (
    <div className="mcp-field">
      <label htmlFor={id} className="mcp-label">
        {props.label}
        {props.optional !== undefined && <span className="mcp-optional"> {props.optional}</span>}
      </label>
      {props.children({
        id,
        'aria-describedby': below === undefined ? undefined : `${id}-below`,
        'aria-invalid': props.problem !== undefined,
      })}
      {below !== undefined && (
        <p id={`${id}-below`} className={props.problem === undefined ? 'mcp-hint' : 'mcp-problem'}>
          {below}
        </p>
      )}
    </div>
  )
}

/** A line that tells of a failure. */
export function Failure({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="mcp-problem" role="alert">
      {text}
    </p>
  )
}
