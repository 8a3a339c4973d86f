import { useMemo, useState } from 'react'
import type { ServerView, WorkspaceView } from '../../web/api-types.ts'
import { Button, Icon, Input } from '../host/primitives.tsx'
import { searched } from '../model/server-row.ts'
import { Select } from './controls.tsx'
import { ExportButton } from './export-button.tsx'
import { OnDemand } from './on-demand.tsx'
import { usePage, usePageState } from './page-context.ts'
import { ServerCard } from './server-card.tsx'
import { TroubleBanner, UpdateBanner } from './trouble.tsx'
import { workspaceOptions } from './workspace-options.ts'

interface ServerListProps {
  /** Path of the workspace in view; empty for the global view. */
  readonly workspace: string
  readonly onWorkspace: (path: string) => void
  readonly onAdd: () => void
  readonly onImport: () => void
  readonly onEdit: (server: ServerView, workspace: string | undefined) => void
}

/** The list: global servers, or those of one workspace above the global ones. */
export function ServerList({ workspace, onWorkspace, onAdd, onImport, onEdit }: ServerListProps) {
  const { t, hostWorkspaces } = usePage()
  const state = usePageState((all) => all)
  const [search, setSearch] = useState('')
  const options = workspaceOptions(state.workspaces, hostWorkspaces)
  const view = state.workspaces.find((one) => one.path === workspace)
  const known = state.servers.length > 0 || state.workspaces.some((one) => one.servers.length > 0)
  return (
    <>
      <div className="mcp-head">
        <div>
          <h2 className="mcp-title">{t('title')}</h2>
          <p className="mcp-intro">{t('intro')}</p>
        </div>
        <div className="mcp-actions">
          <Button onClick={onImport}>{t('importServers')}</Button>
          <ExportButton />
          <Button variant="primary" onClick={onAdd} icon={<Icon name="PlusOutline16" size={14} />}>
            {t('addServer')}
          </Button>
        </div>
      </div>
      {state.trouble !== undefined && <TroubleBanner trouble={state.trouble} />}
      <UpdateBanner />
      {state.notes.map((note) => (
        <p key={note} className="mcp-note">
          {note}
        </p>
      ))}
      <OnDemand />
      <div className="mcp-tools-bar">
        <Select
          label={t('view')}
          value={workspace}
          options={[{ value: '', text: t('viewGlobal') }, ...options]}
          onChange={onWorkspace}
        />
        <Input
          type="search"
          icon={<Icon name="SearchOutline16" size={14} />}
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      {state.loading && <p className="mcp-hint">{t('loading')}</p>}
      {workspace !== '' && <WorkspaceServers path={workspace} view={view} search={search} onEdit={onEdit} />}
      {workspace !== '' && state.servers.length > 0 && <h3 className="mcp-group">{t('groupGlobal')}</h3>}
      <Servers servers={state.servers} search={search} workspace={workspace} view={view} onEdit={onEdit} />
      {!state.loading && !known && workspace === '' && state.trouble === undefined && (
        <div className="mcp-empty">
          <h3>{t('emptyTitle')}</h3>
          <p>{t('emptyText')}</p>
        </div>
      )}
      {search !== '' && known && searched(all(state.servers, view), search).length === 0 && (
        <p className="mcp-hint" role="status">
          {t('searchNothing')}
        </p>
      )}
    </>
  )
}

function all(servers: readonly ServerView[], view: WorkspaceView | undefined): readonly ServerView[] {
  return [...servers, ...(view?.servers ?? [])]
}

function WorkspaceServers(props: {
  readonly path: string
  readonly view: WorkspaceView | undefined
  readonly search: string
  readonly onEdit: ServerListProps['onEdit']
}) {
  const { t } = usePage()
  const { view } = props
  const error = view?.error ?? null
  const asks = usePageState((state) => state.settings?.askBeforeWorkspaceCommands)
  const startsPrograms = view?.servers.some((server) => server.type === 'stdio') === true
  return (
    <>
      <h3 className="mcp-group">{t('groupWorkspace')}</h3>
      {error !== null && error !== '' && (
        <p className="mcp-note" role="alert">
          {error}. {t('workspaceInvalid')}
        </p>
      )}
      {view?.problems?.map((problem) => (
        <p key={problem} className="mcp-note">
          {problem}
        </p>
      ))}
      {startsPrograms && asks === false && <p className="mcp-hint">{t('consentOff')}</p>}
      {(view === undefined || view.servers.length === 0) && <p className="mcp-hint">{t('emptyWorkspace')}</p>}
      <Servers
        servers={view?.servers ?? []}
        search={props.search}
        workspace={props.path}
        view={view}
        local
        onEdit={props.onEdit}
      />
    </>
  )
}

function Servers(props: {
  readonly servers: readonly ServerView[]
  readonly search: string
  readonly workspace: string
  readonly view: WorkspaceView | undefined
  readonly local?: boolean
  readonly onEdit: ServerListProps['onEdit']
}) {
  const { servers, view, workspace, local = false } = props
  const largest = useMemo(() => Math.max(0, ...servers.map((server) => server.schemaBytes ?? 0)), [servers])
  const off = useMemo(() => new Set([...(view?.disabled ?? []), ...(view?.exclude ?? [])]), [view])
  if (servers.length === 0) return null
  const place = workspace === '' ? {} : { workspace }
  return (
    <ul className="mcp-list">
      {searched(servers, props.search).map((server) => (
        <ServerCard
          key={server.id}
          server={server}
          largestBytes={largest}
          local={local}
          offHere={off.has(server.name)}
          onEdit={props.onEdit}
          {...place}
        />
      ))}
    </ul>
  )
}
