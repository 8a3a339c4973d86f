import type { Key } from '../locales/index.ts'
import { usePage } from './page-context.ts'

/** One of a few, all in sight. */
export function Choice<Value extends string>(props: {
  readonly legend: string
  readonly value: Value
  readonly options: readonly (readonly [Value, Key])[]
  readonly onChange: (value: Value) => void
}) {
  const { t } = usePage()
  return (
    <fieldset className="mcp-choice">
      <legend className="mcp-label">{props.legend}</legend>
      {props.options.map(([value, key]) => (
        <label key={value} className="mcp-check">
          <input type="radio" checked={props.value === value} onChange={() => props.onChange(value)} /> {t(key)}
        </label>
      ))}
    </fieldset>
  )
}
