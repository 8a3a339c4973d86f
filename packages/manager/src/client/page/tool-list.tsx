import { useEffect, useId, useState } from 'react'
import type { ServerView, ToolView } from '../../web/api-types.ts'
import { Button, Code, Input } from '../host/primitives.tsx'
import { formatBytes } from '../model/bytes.ts'
import { countText } from '../model/server-row.ts'
import { Failure, Switch } from './controls.tsx'
import { usePage, usePageState, useWords } from './page-context.ts'
import { ToolTry } from './tool-try.tsx'
import { useAction } from './use-action.ts'

/** Tools drawn at first; the rest on demand, so that a server with a thousand opens at once. */
const firstTools = 30

/** The tools of a server, read when its row is open. */
export function ToolList({ server }: { readonly server: ServerView }) {
  const { t, store } = usePage()
  const words = useWords()
  const { run, failure } = useAction()
  const [tools, setTools] = useState<readonly ToolView[]>()
  const [search, setSearch] = useState('')
  const [all, setAll] = useState(false)
  const revision = usePageState((state) => state.toolsRevision[server.id] ?? 0)
  const { id, toolCount, status } = server

  useEffect(() => {
    run(async (signal) => {
      const { tools: listed } = await store.api.tools(id, signal)
      // What was there stays in sight while the server is away, so that nothing jumps under the pointer.
      const gone = listed.length === 0 && status !== 'connected'
      setTools((shown) => (gone && shown !== undefined && shown.length > 0 ? shown : listed))
    })
  }, [run, store, id, toolCount, status, revision])

  const change = (tool: ToolView, enabled: boolean): void => {
    setTools(tools?.map((one) => (one.name === tool.name ? { ...one, enabled } : one)))
    run(async (signal) => {
      try {
        await store.api.setToolEnabled(id, tool.name, enabled)
      } finally {
        setTools((await store.api.tools(id, signal)).tools)
      }
    })
  }
  const wanted = search.trim().toLocaleLowerCase()
  const found = (tools ?? []).filter((tool) => `${tool.name} ${tool.title ?? ''}`.toLocaleLowerCase().includes(wanted))
  const shown = all ? found : found.slice(0, firstTools)
  return (
    <section className="mcp-part" aria-label={t('tools')}>
      <div className="mcp-part-head">
        <h4 className="mcp-part-title">
          {t('tools')}{' '}
          <span className="mcp-count">
            {tools === undefined || tools.length === 0 ? '' : words(countText('toolCount', tools.length))}
          </span>
        </h4>
        {(tools?.length ?? 0) > 8 && (
          <Input
            type="search"
            aria-label={t('toolSearch')}
            placeholder={t('toolSearch')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        )}
      </div>
      <Failure text={failure} />
      {tools === undefined && failure === undefined && <p className="mcp-hint">{t('loading')}</p>}
      {tools?.length === 0 && <p className="mcp-hint">{t('toolsNone')}</p>}
      <ul>
        {shown.map((tool) => (
          <Tool key={tool.name} server={server} tool={tool} onChange={(enabled) => change(tool, enabled)} />
        ))}
      </ul>
      {shown.length < found.length && (
        <Button variant="ghost" onClick={() => setAll(true)}>
          {t('toolsMore', { count: found.length })}
        </Button>
      )}
    </section>
  )
}

function Tool(props: {
  readonly server: ServerView
  readonly tool: ToolView
  readonly onChange: (on: boolean) => void
}) {
  const { server, tool } = props
  const { t } = usePage()
  const [open, setOpen] = useState(false)
  const id = useId()
  const text = tool.quarantined === undefined ? tool.description : t('toolQuarantined', { reason: tool.quarantined })
  return (
    <li className="mcp-tool" data-tool={tool.name} data-off={!tool.enabled || tool.quarantined !== undefined}>
      <div className="mcp-tool-row">
        <button
          type="button"
          className="mcp-tool-head"
          aria-expanded={open}
          aria-controls={id}
          title={tool.publicName}
          onClick={() => setOpen(!open)}
        >
          <span className="mcp-tool-name">{tool.name}</span>
          {!open && (
            <span className="mcp-tool-text" data-failure={tool.quarantined !== undefined}>
              {text}
            </span>
          )}
        </button>
        <span className="mcp-tool-bytes">{formatBytes(tool.bytes)}</span>
        {tool.quarantined === undefined && server.source !== 'builtin' && (
          <Switch
            checked={tool.enabled}
            label={t('toolEnable', { name: tool.name })}
            disabled={server.status !== 'connected'}
            onChange={props.onChange}
          />
        )}
      </div>
      <div id={id} className="mcp-tool-body" hidden={!open}>
        {open && (
          <>
            <p className="mcp-tool-full">{text}</p>
            <details>
              <summary>{t('toolSchema')}</summary>
              <Code
                code={JSON.stringify(tool.inputSchema, null, 2)}
                lang="json"
                copyLabel={t('copy')}
                copiedLabel={t('copied')}
              />
            </details>
            {tool.quarantined === undefined && server.source !== 'builtin' && <ToolTry server={server} tool={tool} />}
          </>
        )}
      </div>
    </li>
  )
}
