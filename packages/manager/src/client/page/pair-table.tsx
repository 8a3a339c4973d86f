import { useId } from 'react'
import { Button, Icon, Input } from '../host/primitives.tsx'
import type { Pair } from '../model/server-form.ts'
import type { ProblemOf } from './controls.tsx'
import { usePage } from './page-context.ts'

interface PairTableProps {
  readonly legend: string
  /** Name of the table in the form's problems. */
  readonly table: string
  readonly pairs: readonly Pair[]
  readonly valueLabel: string
  readonly hint?: string
  /** Values are not shown while typing. */
  readonly secret?: boolean
  readonly problemOf: ProblemOf
  readonly onChange: (pairs: readonly Pair[]) => void
}

/** Names and values, one pair a line. A stored value that the page was not given is kept until another is typed. */
export function PairTable(props: PairTableProps) {
  const { legend, table, pairs, problemOf, onChange } = props
  const { t } = usePage()
  const id = useId()
  const set = (at: number, pair: Pair): void => onChange(pairs.map((one, index) => (index === at ? pair : one)))
  const name = (index: number, part: string): string => t('pairOf', { table: legend, number: index + 1, part })
  return (
    <fieldset className="mcp-pairs">
      <legend className="mcp-label">{legend}</legend>
      {pairs.map((pair, index) => {
        const problem = problemOf(`${table}.${index}`)
        const ties = {
          'aria-invalid': problem !== undefined,
          'aria-describedby': problem === undefined ? undefined : `${id}-${index}`,
        }
        return (
          // Lines have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="mcp-pair">
            <Input
              {...ties}
              aria-label={name(index, t('pairName'))}
              placeholder={t('pairName')}
              value={pair.key}
              spellCheck={false}
              autoComplete="off"
              onChange={(event) => set(index, { ...pair, key: event.target.value })}
            />
            <Input
              {...ties}
              aria-label={name(index, props.valueLabel)}
              placeholder={pair.keptKey === undefined ? props.valueLabel : t('pairKept')}
              type={props.secret === true && !pair.value.includes('${') ? 'password' : 'text'}
              value={pair.value}
              spellCheck={false}
              autoComplete="new-password"
              onChange={(event) => set(index, { key: pair.key, value: event.target.value })}
            />
            <Button
              variant="ghost"
              aria-label={t('pairRemove', { number: index + 1 })}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
              icon={<Icon name="TrashOutline16" size={14} />}
            />
            {problem !== undefined && (
              <p id={`${id}-${index}`} className="mcp-problem">
                {problem}
              </p>
            )}
          </div>
        )
      })}
      <Button
        variant="ghost"
        onClick={() => onChange([...pairs, { key: '', value: '' }])}
        icon={<Icon name="PlusOutline16" size={14} />}
      >
        {t('pairAdd')}
      </Button>
      {props.hint !== undefined && <p className="mcp-hint">{props.hint}</p>}
    </fieldset>
  )
}
