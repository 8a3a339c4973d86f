import { useState } from 'react'
import type { ServerView } from '../../web/api-types.ts'
import { Button, Icon } from '../host/primitives.tsx'
import { canReconnect, errorOf, hasLogin, nextStepOf, targetOf } from '../model/server-row.ts'
import { AttemptLog } from './attempt-log.tsx'
import { Consent } from './consent.tsx'
import { Failure } from './controls.tsx'
import { LoginButton } from './login-button.tsx'
import { LoginHealth } from './login-health.tsx'
import { usePage, useWords } from './page-context.ts'
import { ToolList } from './tool-list.tsx'
import { useAction } from './use-action.ts'

interface ServerDetailsProps {
  readonly server: ServerView
  /** Path of the workspace whose file declares the server; absent for a global one. */
  readonly workspace: string | undefined
  readonly onEdit: () => void
}

/** What an open row shows. */
export function ServerDetails({ server, workspace, onEdit }: ServerDetailsProps) {
  const { t } = usePage()
  const words = useWords()
  const error = errorOf(server)
  const next = nextStepOf(server)
  return (
    <>
      {server.consent !== undefined && workspace !== undefined && (
        <Consent consent={server.consent} workspace={workspace} name={server.name} />
      )}
      {error !== undefined && <p className="mcp-reason">{words(error)}</p>}
      {next !== undefined && (
        <p className="mcp-next">
          {words(next)}
          {server.retryAt !== undefined && ` ${t('retryAt', { time: new Date(server.retryAt).toLocaleTimeString() })}`}
        </p>
      )}
      <Facts server={server} />
      {server.source === 'builtin' ? (
        <p className="mcp-hint">{t('builtin')}</p>
      ) : (
        <ServerActions server={server} workspace={workspace} onEdit={onEdit} />
      )}
      <LoginHealth server={server} />
      <ToolList server={server} />
      <AttemptLog server={server} />
    </>
  )
}

const transports = {
  stdio: 'transportStdio',
  'streamable-http': 'transportStreamable',
  'http-sse': 'transportSse',
} as const

/** Wire, era, target and address in a line of small marks. */
function Facts({ server }: { readonly server: ServerView }) {
  const { t } = usePage()
  const marks = [
    ...(server.transport === undefined ? [] : [t(transports[server.transport])]),
    ...(server.era === undefined ? [] : [t(server.era === 'modern' ? 'eraModern' : 'eraLegacy')]),
    ...(server.protocolVersion === undefined ? [] : [t('protocol', { version: server.protocolVersion })]),
    ...(server.quarantinedCount === undefined || server.quarantinedCount === 0
      ? []
      : [t('quarantined', { count: server.quarantinedCount })]),
  ]
  return (
    <p className="mcp-facts">
      <code className="mcp-target">{targetOf(server)}</code>
      {marks.map((mark) => (
        <span key={mark} className="mcp-mark" title={server.connectionReason}>
          {mark}
        </span>
      ))}
    </p>
  )
}

function ServerActions({ server, workspace, onEdit }: ServerDetailsProps) {
  const { t, store } = usePage()
  const action = useAction()
  const [asking, setAsking] = useState(false)
  const reconnect = (): void =>
    action.run(async () => {
      const { server: now } = await store.api.connect(server.id)
      store.put(now)
    })
  const logout = (): void =>
    action.run(async () => {
      await store.api.logout(server.id)
      await store.refresh()
    })
  const remove = (): void =>
    action.run(async () => {
      if (workspace === undefined) await store.api.remove(server.id)
      else await store.api.workspaceRemove(workspace, server.name)
      await store.refresh()
    })
  if (asking) {
    return (
      // Escape takes the question back instead of closing the settings.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <div
        className="mcp-question"
        role="alertdialog"
        aria-label={t('remove')}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          setAsking(false)
        }}
      >
        <p>{t('removeQuestion', { name: server.name })}</p>
        <div className="mcp-actions">
          <Button variant="primary" className="mcp-danger" disabled={action.busy} onClick={remove} autoFocus>
            {action.busy ? t('working') : t('removeConfirm')}
          </Button>
          <Button disabled={action.busy} onClick={() => setAsking(false)}>
            {t('cancel')}
          </Button>
        </div>
        <Failure text={action.failure} />
      </div>
    )
  }
  return (
    <div>
      <div className="mcp-actions">
        <LoginButton server={server} workspace={workspace} />
        {canReconnect(server) && (
          <Button disabled={action.busy} onClick={reconnect} icon={<Icon name="RefreshOutline14" size={14} />}>
            {action.busy ? t('working') : t('reconnect')}
          </Button>
        )}
        <Button onClick={onEdit} icon={<Icon name="EditOutline16" size={14} />}>
          {t('edit')}
        </Button>
        {hasLogin(server) && (
          <Button disabled={action.busy} onClick={logout}>
            {t('logout')}
          </Button>
        )}
        <Button className="mcp-danger" onClick={() => setAsking(true)} icon={<Icon name="TrashOutline16" size={14} />}>
          {t('remove')}
        </Button>
      </div>
      <Failure text={action.failure} />
    </div>
  )
}
