import type { ServerView } from '../../web/api-types.ts'
import { usePage } from './page-context.ts'

/** What is known of a login: times and codes. */
export function LoginHealth({ server }: { readonly server: ServerView }) {
  const { t } = usePage()
  const health = server.oauth
  if (health === undefined || server.authMode !== 'oauth') return null
  const time = (at: number | null): string => (at === null ? t('never') : new Date(at).toLocaleString())
  const rows = [
    [t('loginExpires'), time(health.expiresAt)],
    [t('loginRefreshed'), time(health.lastRefreshAt)],
    ...(health.lastRefreshError === null ? [] : [[t('loginRefreshError'), health.lastRefreshError]]),
    [t('loginToolOk'), time(health.lastToolOkAt)],
  ]
  return (
    <section className="mcp-part" aria-label={t('login')}>
      <h4 className="mcp-part-title">{t('login')}</h4>
      {health.needsReauth && <p className="mcp-problem">{t('loginNeeded')}</p>}
      <dl className="mcp-table">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
