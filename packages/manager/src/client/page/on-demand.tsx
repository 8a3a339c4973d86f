import { formatBytes } from '../model/bytes.ts'
import { Failure, Switch } from './controls.tsx'
import { usePage, usePageState } from './page-context.ts'
import { useAction } from './use-action.ts'

/** The switch between direct tools and the three broker tools, with what it saves right now. */
export function OnDemand() {
  const { t, store } = usePage()
  const settings = usePageState((state) => state.settings)
  const action = useAction()
  const { directBytes, brokerBytes } = settings ?? {}
  const saving =
    directBytes === undefined || brokerBytes === undefined || directBytes === 0
      ? t('onDemandUnknown')
      : t('onDemandSaves', { direct: formatBytes(directBytes), broker: formatBytes(brokerBytes) })
  return (
    <section className="mcp-on-demand" aria-label={t('onDemand')}>
      <div>
        <h3 className="mcp-part-title">{t('onDemand')}</h3>
        <p className="mcp-hint">
          {t('onDemandText')} <span className="mcp-saving">{saving}</span>
        </p>
        <Failure text={action.failure} />
      </div>
      <Switch
        checked={settings?.onDemandToolInjection === true}
        label={t('onDemand')}
        disabled={action.busy || settings === undefined}
        onChange={(enabled) => action.run(async () => store.putSettings(await store.api.setOnDemand(enabled)))}
      />
    </section>
  )
}
