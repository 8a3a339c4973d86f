import { useState } from 'react'
import type { ServerView } from '../../web/api-types.ts'
import { Button } from '../host/primitives.tsx'
import { loginOf } from '../model/server-row.ts'
import { Failure } from './controls.tsx'
import { usePage } from './page-context.ts'
import { useAction } from './use-action.ts'

/**
 * Starts a login. The tab is opened at the click, before the address is known, since a browser blocks tabs that open later;
 * when it is blocked all the same, the address becomes a link.
 */
export function LoginButton(props: { readonly server: ServerView; readonly workspace: string | undefined }) {
  const { server, workspace } = props
  const { t, store } = usePage()
  const action = useAction()
  const [blocked, setBlocked] = useState<string>()
  const label = loginOf(server)
  if (label === undefined) return null
  const start = (): void => {
    setBlocked(undefined)
    const tab = window.open('about:blank', '_blank')
    action.run(async () => {
      try {
        const { authorizeUrl } =
          workspace === undefined
            ? await store.api.authorize(server.id)
            : await store.api.workspaceAuthorize(workspace, server.name)
        if (!/^https?:\/\//i.test(authorizeUrl)) throw new Error('not a web address')
        if (tab === null) setBlocked(authorizeUrl)
        else {
          tab.opener = null
          tab.location.replace(authorizeUrl)
        }
        void store.refresh()
      } catch (error) {
        tab?.close()
        throw error
      }
    })
  }
  return (
    <span className="mcp-login">
      <Button
        variant={server.status === 'needs-auth' || server.missingScope !== undefined ? 'primary' : 'outline'}
        disabled={action.busy}
        onClick={start}
      >
        {action.busy ? t('working') : t(label)}
      </Button>
      {blocked !== undefined && (
        <span className="mcp-hint" role="alert">
          {t('popupBlocked')}{' '}
          <a href={blocked} target="_blank" rel="noopener noreferrer">
            {t('openLogin')}
          </a>
        </span>
      )}
      <Failure text={action.failure} />
    </span>
  )
}
