import { useState } from 'react'
import type { ImportEntry, ImportPreviewReply } from '../../web/api-types.ts'
import { Button } from '../host/primitives.tsx'
import { countText } from '../model/server-row.ts'
import { Failure, Field } from './controls.tsx'
import { usePage, useWords } from './page-context.ts'
import { useAction } from './use-action.ts'

/** Paste or choose the configuration of another client, look at what it holds, choose what to import. */
export function ImportView({ onDone }: { readonly onDone: () => void }) {
  const { t, store, say } = usePage()
  const words = useWords()
  const action = useAction()
  const [text, setText] = useState('')
  const [preview, setPreview] = useState<ImportPreviewReply>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [failed, setFailed] = useState<Readonly<Record<string, string>>>({})

  const show = (pasted: string): void => {
    setText(pasted)
    action.run(async (signal) => {
      const found = await store.api.importPreview(pasted, signal)
      setPreview(found)
      setFailed({})
      setChosen(new Set(found.entries.filter(importable).map((entry) => entry.name)))
    })
  }
  const send = (): void =>
    action.run(async () => {
      const entries = (preview?.entries ?? []).filter((entry) => chosen.has(entry.name))
      const { results } = await store.api.importEntries(entries.map(({ name, definition }) => ({ name, definition })))
      await store.refresh()
      const wrong = results.filter((result) => !result.ok)
      const good = results.length - wrong.length
      if (good > 0) say(words(countText('importCount', good)))
      if (wrong.length === 0) onDone()
      else {
        setFailed(Object.fromEntries(wrong.map((result) => [result.name, result.error ?? t('actionFailed')])))
        setChosen(new Set(wrong.map((result) => result.name)))
      }
    })
  return (
    <form
      className="mcp-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (preview === undefined) show(text)
        else send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <h3 className="mcp-form-title">{t('importTitle')}</h3>
      <p className="mcp-hint">{t('importText')}</p>
      <Field label={t('importPaste')}>
        {(ties) => (
          <textarea
            {...ties}
            className="mcp-text mcp-code-input"
            rows={8}
            spellCheck={false}
            autoFocus
            value={text}
            placeholder={'{ "mcpServers": { "name": { "command": "npx", "args": ["-y", "…"] } } }'}
            onChange={(event) => {
              setText(event.target.value)
              setPreview(undefined)
            }}
          />
        )}
      </Field>
      <FileChoice onText={show} />
      <Failure text={action.failure} />
      {preview?.entries.length === 0 && <p className="mcp-problem">{t('importNone')}</p>}
      {preview !== undefined && preview.entries.length > 0 && (
        <ul className="mcp-import">
          {preview.entries.map((entry) => (
            <Entry
              key={entry.name}
              entry={entry}
              failure={failed[entry.name]}
              chosen={chosen.has(entry.name)}
              onChange={(on) => {
                const next = new Set(chosen)
                if (on) next.add(entry.name)
                else next.delete(entry.name)
                setChosen(next)
              }}
            />
          ))}
        </ul>
      )}
      <div className="mcp-actions mcp-form-foot">
        {preview === undefined ? (
          <Button type="submit" variant="primary" disabled={action.busy || text.trim() === ''}>
            {action.busy ? t('working') : t('importPreview')}
          </Button>
        ) : (
          <Button type="submit" variant="primary" disabled={action.busy || chosen.size === 0}>
            {action.busy
              ? t('working')
              : chosen.size === 1
                ? t('importChosenOne')
                : t('importChosen', { count: chosen.size })}
          </Button>
        )}
        <Button variant="ghost" onClick={onDone}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}

function importable(entry: ImportEntry): boolean {
  return !entry.taken && entry.problem === undefined
}

function FileChoice({ onText }: { readonly onText: (text: string) => void }) {
  const { t } = usePage()
  return (
    <label className="mcp-file">
      <span>{t('importFile')}</span>
      <input
        type="file"
        accept=".json,.toml,.jsonc,application/json"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void file.text().then(onText)
        }}
      />
    </label>
  )
}

function Entry(props: {
  readonly entry: ImportEntry
  readonly chosen: boolean
  readonly failure: string | undefined
  readonly onChange: (chosen: boolean) => void
}) {
  const { entry, chosen, failure, onChange } = props
  const { t } = usePage()
  const problem = failure ?? entry.problem ?? (entry.taken ? t('importTaken') : undefined)
  return (
    <li className="mcp-import-entry">
      <label className="mcp-check">
        <input
          type="checkbox"
          aria-label={t('importEntry', { name: entry.name })}
          checked={chosen}
          disabled={!importable(entry)}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className="mcp-name">{entry.name}</span>
      </label>
      <code className="mcp-target">{entry.summary}</code>
      {problem !== undefined && <p className="mcp-problem">{problem}</p>}
    </li>
  )
}
