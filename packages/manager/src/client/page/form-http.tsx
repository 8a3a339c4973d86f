import type { ServerForm } from '../model/server-form.ts'
import type { ProblemOf } from './controls.tsx'
import { TextField } from './text-field.tsx'
import { usePage } from './page-context.ts'
import { PairTable } from './pair-table.tsx'
import { Choice } from './choice.tsx'
import { OAuthFields } from './form-oauth.tsx'
import { TimeoutField } from './timeout-field.tsx'

interface FormPartProps {
  /** The server being changed; its id is part of the redirect address. */
  readonly serverId: string | undefined
  readonly form: ServerForm
  readonly problemOf: ProblemOf
  readonly onChange: (form: ServerForm) => void
}

/** The fields of a server reached by URL. */
export function FormHttp({ serverId, form, problemOf, onChange }: FormPartProps) {
  const { t } = usePage()
  const { http } = form
  const set = (change: Partial<ServerForm['http']>): void => onChange({ ...form, http: { ...http, ...change } })
  return (
    <>
      <TextField
        label={t('fieldUrl')}
        problem={problemOf('url')}
        type="url"
        value={http.url}
        placeholder="https://example.com/mcp"
        onChange={(url) => set({ url })}
      />
      <Choice
        legend={t('fieldAuth')}
        value={http.authMode}
        options={[
          ['oauth', 'authOauth'],
          ['static', 'authStatic'],
          ['none', 'authNone'],
        ]}
        onChange={(authMode) => set({ authMode })}
      />
      {http.authMode === 'static' && (
        <TextField
          label={t('fieldTokenEnv')}
          hint={t('hintTokenEnv')}
          problem={problemOf('tokenEnv')}
          value={http.tokenEnv}
          placeholder="MCP_BEARER_TOKEN"
          onChange={(tokenEnv) => set({ tokenEnv })}
        />
      )}
      <details className="mcp-more">
        <summary>{t('optionalFields')}</summary>
        {http.authMode === 'oauth' && <OAuthFields serverId={serverId} http={http} problemOf={problemOf} set={set} />}
        <PairTable
          legend={t('fieldHeaders')}
          table="headers"
          pairs={http.headers}
          valueLabel={t('pairValue')}
          hint={t('hintReferences')}
          secret
          problemOf={problemOf}
          onChange={(headers) => set({ headers })}
        />
        <PairTable
          legend={t('fieldHeaderEnv')}
          table="headerEnv"
          pairs={http.headerEnv}
          valueLabel={t('pairVariable')}
          problemOf={problemOf}
          onChange={(headerEnv) => set({ headerEnv })}
        />
        <TimeoutField form={form} problemOf={problemOf} onChange={onChange} />
      </details>
    </>
  )
}
