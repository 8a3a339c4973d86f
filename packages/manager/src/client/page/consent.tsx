import type { ConsentView } from '../../web/api-types.ts'
import { shownWord, visible } from '../model/visible.ts'
import { Button } from '../host/primitives.tsx'
import { Failure } from './controls.tsx'
import { usePage } from './page-context.ts'
import { useAction } from './use-action.ts'

/** Asks before the program of a workspace file starts, showing exactly what would start. */
export function Consent(props: { readonly consent: ConsentView; readonly workspace: string; readonly name: string }) {
  const { consent, workspace, name } = props
  const { t, store } = usePage()
  const action = useAction()
  const answer = (allow: boolean): void =>
    action.run(async () => {
      store.putWorkspaces((await store.api.workspaceConsent(workspace, name, consent.hash, allow)).workspaces)
    })
  if (consent.state === 'allowed') return null
  const title = t(consent.state === 'refused' ? 'consentRefusedTitle' : 'consentTitle')
  return (
    <section className="mcp-consent" aria-label={title}>
      <h4 className="mcp-part-title">{title}</h4>
      <p className="mcp-hint" role="status">
        {t(consent.state === 'refused' ? 'consentRefused' : 'consentText')}
      </p>
      <pre className="mcp-code" tabIndex={0}>
        {[consent.command, ...consent.args].map(shownWord).join(' ')}
      </pre>
      {consent.environment.length > 0 && (
        <p className="mcp-hint">{t('consentVariables', { names: consent.environment.map(visible).join(', ') })}</p>
      )}
      <div className="mcp-actions">
        <Button variant="primary" disabled={action.busy} onClick={() => answer(true)}>
          {t('consentAllow')}
        </Button>
        {consent.state === 'asked' && (
          <Button disabled={action.busy} onClick={() => answer(false)}>
            {t('consentRefuse')}
          </Button>
        )}
      </div>
      <Failure text={action.failure} />
    </section>
  )
}
