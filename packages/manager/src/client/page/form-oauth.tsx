import { useId, useState } from 'react'
import type { ServerForm } from '../model/server-form.ts'
import { Choice } from './choice.tsx'
import { Field, Select, type ProblemOf } from './controls.tsx'
import { TextField } from './text-field.tsx'
import { usePage, usePageState } from './page-context.ts'

type Http = ServerForm['http']

interface OAuthPartProps {
  readonly http: Http
  readonly problemOf: ProblemOf
  readonly set: (change: Partial<Http>) => void
}

/** How an OAuth server is logged in to; all of it is optional for a person's login. */
export function OAuthFields(props: OAuthPartProps & { readonly serverId: string | undefined }) {
  const { serverId = '…', http, problemOf, set } = props
  const { t } = usePage()
  const callback = usePageState((state) => state.settings?.callbackUrl)
  const address = `${callback ?? `${location.origin}/mcp-manager/callback/`}${serverId}`
  const isMachine = http.oauthGrant === 'client_credentials'
  return (
    <>
      <TextField
        label={t('fieldClientId')}
        hint={isMachine ? t('hintClientIdMachine') : t('hintClientId', { url: address })}
        optional={isMachine ? undefined : t('toolOptional')}
        problem={problemOf('clientId')}
        value={http.clientId}
        onChange={(clientId) => set({ clientId })}
      />
      <TextField
        label={t('fieldClientSecretEnv')}
        hint={t('hintSecretEnv')}
        optional={t('toolOptional')}
        problem={problemOf('clientSecretEnv')}
        value={http.clientSecretEnv}
        onChange={(clientSecretEnv) => set({ clientSecretEnv })}
      />
      <TextField
        label={t('fieldOauthScope')}
        hint={t('hintOauthScope')}
        optional={t('toolOptional')}
        problem={problemOf('scope')}
        value={http.scope}
        onChange={(scope) => set({ scope })}
      />
      <Advanced http={http} problemOf={problemOf} set={set} />
    </>
  )
}

/** What few servers need; unfolded for a server that already has any of it. */
function Advanced({ http, problemOf, set }: OAuthPartProps) {
  const { t } = usePage()
  const isMachine = http.oauthGrant === 'client_credentials'
  const [open] = useState(isMachine || !http.oauthResource)
  return (
    <details className="mcp-more" open={open}>
      <summary>{t('oauthAdvanced')}</summary>
      <Choice
        legend={t('fieldOauthGrant')}
        value={http.oauthGrant}
        options={[
          ['authorization_code', 'grantPerson'],
          ['client_credentials', 'grantMachine'],
        ]}
        onChange={(oauthGrant) => set({ oauthGrant })}
      />
      {isMachine && <PrivateKeyFields http={http} problemOf={problemOf} set={set} />}
      <ResourceField http={http} set={set} />
    </details>
  )
}

/** Apart from the default, which needs no choice. */
const algorithms = ['ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'Ed25519']

function PrivateKeyFields({ http, problemOf, set }: OAuthPartProps) {
  const { t } = usePage()
  const { privateKeyAlgorithm: chosen } = http
  // A stored name that is not in the list stays one of the choices.
  const names = chosen === '' || algorithms.includes(chosen) ? algorithms : [chosen, ...algorithms]
  return (
    <>
      <p className="mcp-hint">{t('hintGrantMachine')}</p>
      <TextField
        label={t('fieldPrivateKeyEnv')}
        hint={t('hintPrivateKeyEnv')}
        optional={t('toolOptional')}
        problem={problemOf('privateKeyEnv')}
        value={http.privateKeyEnv}
        onChange={(privateKeyEnv) => set({ privateKeyEnv })}
      />
      <Field label={t('fieldPrivateKeyAlgorithm')} problem={problemOf('privateKeyAlgorithm')}>
        {(ties) => (
          <Select
            id={ties.id}
            label={t('fieldPrivateKeyAlgorithm')}
            describedBy={ties['aria-describedby']}
            invalid={ties['aria-invalid']}
            value={chosen}
            options={[
              { value: '', text: t('algorithmDefault') },
              ...names.map((name) => ({ value: name, text: name })),
            ]}
            onChange={(privateKeyAlgorithm) => set({ privateKeyAlgorithm })}
          />
        )}
      </Field>
    </>
  )
}

function ResourceField({ http, set }: Pick<OAuthPartProps, 'http' | 'set'>) {
  const { t } = usePage()
  const hint = useId()
  return (
    <div className="mcp-field">
      <label className="mcp-check">
        <input
          type="checkbox"
          aria-describedby={hint}
          checked={http.oauthResource}
          onChange={(event) => set({ oauthResource: event.target.checked })}
        />{' '}
        {t('fieldOauthResource')}
      </label>
      <p id={hint} className="mcp-hint">
        {t('hintOauthResource')}
      </p>
    </div>
  )
}
