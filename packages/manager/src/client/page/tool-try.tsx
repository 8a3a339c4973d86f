import { useId, useMemo, useState } from 'react'
import type { ServerView, ToolView, TryReply } from '../../web/api-types.ts'
import { Button, Input } from '../host/primitives.tsx'
import { argumentsOf, fieldsOf, readJson, type FieldTexts, type SchemaField } from '../model/schema-form.ts'
import { Failure, Field, Select } from './controls.tsx'
import { usePage } from './page-context.ts'
import { useAction } from './use-action.ts'

/** Calls a tool with arguments typed into a form made from its schema, and shows what the model would see. */
export function ToolTry({ server, tool }: { readonly server: ServerView; readonly tool: ToolView }) {
  const { t, store } = usePage()
  const action = useAction()
  const fields = useMemo(() => fieldsOf(tool.inputSchema), [tool.inputSchema])
  const [texts, setTexts] = useState<FieldTexts>({})
  const [raw, setRaw] = useState<string>()
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [reply, setReply] = useState<TryReply>()

  const submit = (): void => {
    const read = raw === undefined ? argumentsOf(fields, texts) : rawArguments(raw)
    if (!read.ok) {
      setProblems(Object.fromEntries(Object.entries(read.problems).map(([name, key]) => [name, t(key)])))
      return
    }
    setProblems({})
    setReply(undefined)
    action.run(async (signal) => setReply(await store.api.tryTool(server.id, tool.name, read.value, signal)))
  }
  const toggleRaw = (): void => {
    const read = argumentsOf(fields, texts)
    setRaw(raw === undefined ? JSON.stringify(read.ok ? read.value : {}, null, 2) : undefined)
    setProblems({})
  }
  return (
    <form
      className="mcp-try"
      aria-label={`${t('toolTry')}: ${tool.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="mcp-part-head">
        <h5 className="mcp-part-title">{t('toolTry')}</h5>
        <label className="mcp-check">
          <input type="checkbox" checked={raw !== undefined} onChange={toggleRaw} /> {t('toolRaw')}
        </label>
      </div>
      {raw === undefined ? (
        <>
          {fields.length === 0 && <p className="mcp-hint">{t('toolNoArguments')}</p>}
          {fields.map((field) => (
            <ArgumentField
              key={field.name}
              field={field}
              text={texts[field.name] ?? field.initial}
              problem={problems[field.name]}
              onChange={(text) => setTexts({ ...texts, [field.name]: text })}
            />
          ))}
        </>
      ) : (
        <Field label={t('toolRaw')} problem={problems['']}>
          {(ties) => (
            <textarea
              {...ties}
              className="mcp-text"
              rows={5}
              value={raw}
              onChange={(event) => setRaw(event.target.value)}
            />
          )}
        </Field>
      )}
      <div className="mcp-actions">
        <Button type="submit" variant="primary" disabled={action.busy || server.status !== 'connected'}>
          {action.busy ? t('working') : t('toolRun')}
        </Button>
        {action.busy && <Button onClick={action.stop}>{t('toolStop')}</Button>}
      </div>
      <Failure text={action.failure} />
      {reply !== undefined && <TryResult reply={reply} />}
    </form>
  )
}

function rawArguments(text: string): ReturnType<typeof argumentsOf> {
  const read = readJson(text)
  const isObject = read.ok && typeof read.value === 'object' && read.value !== null && !Array.isArray(read.value)
  if (!isObject) return { ok: false, problems: { '': 'problemJson' } }
  return { ok: true, value: read.value as Record<string, unknown> }
}

function ArgumentField(props: {
  readonly field: SchemaField
  readonly text: string
  readonly problem: string | undefined
  readonly onChange: (text: string) => void
}) {
  const { field, text, problem, onChange } = props
  const { t } = usePage()
  const change = (event: { target: { value: string } }): void => onChange(event.target.value)
  const options = [
    ...(field.required ? [] : [{ value: '', text: t('toolUnset') }]),
    ...(field.control === 'boolean'
      ? ['true', 'false'].map((value) => ({ value, text: value }))
      : field.choices.map((choice) => ({ value: choice.text, text: choice.text }))),
  ]
  return (
    <Field
      label={field.name}
      hint={field.description === '' ? undefined : field.description}
      problem={problem}
      optional={field.required ? undefined : t('toolOptional')}
    >
      {(ties) => {
        if (field.control === 'boolean' || field.control === 'choice') {
          return (
            <Select
              id={ties.id}
              label={field.name}
              describedBy={ties['aria-describedby']}
              invalid={ties['aria-invalid']}
              value={text}
              options={text === '' && field.required ? [{ value: '', text: '' }, ...options] : options}
              onChange={onChange}
            />
          )
        }
        if (field.control === 'number' || field.control === 'integer') {
          return <Input {...ties} inputMode="decimal" value={text} onChange={change} />
        }
        const rows = field.control === 'json' ? 2 : 1
        const common = { className: 'mcp-text', rows, placeholder: field.example, value: text, onChange: change }
        return <textarea {...ties} {...common} />
      }}
    </Field>
  )
}

function TryResult({ reply }: { readonly reply: TryReply }) {
  const { t } = usePage()
  const id = useId()
  const time = Math.round(reply.durationMs)
  return (
    <div className="mcp-result" data-error={reply.isError} role="status" aria-labelledby={id}>
      <p id={id} className={reply.isError ? 'mcp-problem' : 'mcp-hint'}>
        {t(reply.isError ? 'toolResultError' : 'toolResult', { time })}
      </p>
      {reply.content.length === 0 && <p className="mcp-hint">{t('toolResultEmpty')}</p>}
      {reply.content.map((block, index) =>
        block.type === 'text' ? (
          // oxlint-disable-next-line react/no-array-index-key
          <pre key={index} className="mcp-code" tabIndex={0}>
            {block.text}
          </pre>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <img key={index} alt={t('toolImage')} src={`data:${block.mimeType};base64,${block.data}`} />
        ),
      )}
    </div>
  )
}
