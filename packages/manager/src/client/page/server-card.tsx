import { memo, useId, useState } from 'react'
import type { ServerView } from '../../web/api-types.ts'
import { Dot, Icon } from '../host/primitives.tsx'
import { barWidth, formatBytes } from '../model/bytes.ts'
import { loginOf, statusOf, summaryOf, type Tone } from '../model/server-row.ts'
import { Failure, Switch } from './controls.tsx'
import { LoginButton } from './login-button.tsx'
import { usePage, useWords } from './page-context.ts'
import { ServerDetails } from './server-details.tsx'
import { useAction } from './use-action.ts'

const dots = {
  good: 'done',
  busy: 'ongoing',
  attention: 'warning',
  bad: 'error',
  idle: 'idle',
} as const satisfies Record<Tone, string>

/** Where a card stands: among the global servers, or in the view of one workspace. */
export interface CardPlace {
  /** Path of the workspace in view. */
  readonly workspace?: string
  /** The server belongs to that workspace's own file. */
  readonly local?: boolean
  /** The server is switched off in that workspace. */
  readonly offHere?: boolean
}

interface ServerCardProps extends CardPlace {
  readonly server: ServerView
  /** Largest schema size on the page, for the bar. */
  readonly largestBytes: number
  readonly onEdit: (server: ServerView, workspace: string | undefined) => void
}

/** One server: a row that opens. */
export const ServerCard = memo(function ServerCard(props: ServerCardProps) {
  const { server, workspace, local = false, offHere = false } = props
  const { t } = usePage()
  const words = useWords()
  const [open, setOpen] = useState(false)
  const bodyId = useId()
  const status = statusOf(server)
  const summary = summaryOf(server)
  const login = loginOf(server)
  const attention = (server.status === 'needs-auth' || server.missingScope !== undefined) && !offHere
  return (
    <li
      className="mcp-card"
      data-open={open}
      data-off={offHere || server.status === 'disabled'}
      data-server={server.name}
    >
      <div className="mcp-row">
        <button
          type="button"
          className="mcp-row-head"
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={() => setOpen(!open)}
        >
          <span className="mcp-row-top">
            <Dot state={offHere ? 'idle' : dots[status.tone]} />
            <span className="mcp-name">{server.name}</span>
            <span className="mcp-badge" data-tone={offHere ? 'idle' : status.tone}>
              {offHere ? t('statusDisabledHere') : words(status.text)}
            </span>
          </span>
          <span className="mcp-summary" data-failure={summary.failure} title={words(summary.text)}>
            {words(summary.text)}
          </span>
        </button>
        <span className="mcp-row-side">
          <SchemaBar server={server} largest={props.largestBytes} />
          {attention && login !== undefined && (
            <LoginButton server={server} workspace={local ? workspace : undefined} />
          )}
          <ServerSwitch server={server} workspace={workspace} local={local} offHere={offHere} />
          <span className="mcp-chevron" aria-hidden>
            <Icon name="ChevronDownOutline14" size={14} />
          </span>
        </span>
      </div>
      <div id={bodyId} className="mcp-body" hidden={!open}>
        {open && (
          <ServerDetails
            server={server}
            workspace={local ? workspace : undefined}
            onEdit={() => props.onEdit(server, local ? workspace : undefined)}
          />
        )}
      </div>
    </li>
  )
})

/** How much of each request the server's schemas take, beside the others. */
function SchemaBar({ server, largest }: { readonly server: ServerView; readonly largest: number }) {
  const { t } = usePage()
  const bytes = server.schemaBytes ?? undefined
  const label = bytes === undefined ? t('schemaBytesUnknown') : t('schemaBytes', { size: formatBytes(bytes) })
  return (
    <span className="mcp-bar" role="img" aria-label={label} title={label}>
      <span>{bytes === undefined ? '–' : formatBytes(bytes)}</span>
      {bytes !== undefined && (
        <span className="mcp-bar-track">
          <span className="mcp-bar-fill" style={{ width: `${barWidth(bytes, largest)}%` }} />
        </span>
      )}
    </span>
  )
}

function ServerSwitch(props: {
  readonly server: ServerView
  readonly workspace: string | undefined
  readonly local: boolean
  readonly offHere: boolean
}) {
  const { server, workspace, offHere } = props
  const { t, store } = usePage()
  const action = useAction()
  const [wanted, setWanted] = useState<boolean>()
  if (server.source === 'builtin') return null
  const change = (enabled: boolean): void => {
    setWanted(enabled)
    action.run(async () => {
      if (workspace === undefined) store.put((await store.api.setEnabled(server.id, enabled)).server)
      else store.putWorkspaces((await store.api.workspaceSetEnabled(workspace, server.name, enabled)).workspaces)
    })
  }
  const stored = workspace === undefined ? server.enabled : !offHere
  const checked = action.busy && wanted !== undefined ? wanted : stored
  const label = t(workspace === undefined ? 'enableServer' : 'enableHere', { name: server.name })
  return (
    <span className="mcp-switch-place">
      <Switch checked={checked} label={label} disabled={action.busy} onChange={change} />
      <Failure text={action.failure} />
    </span>
  )
}
