import type { OAuthErrorCode } from './errors.ts'

/** A title and what to do next, for the page a browser lands on after a login. */
export interface OAuthMessage {
  readonly title: string
  readonly next: string
}

interface Bilingual {
  readonly en: OAuthMessage
  readonly zh: OAuthMessage
}

const again = { en: 'Go back to Settings → MCP and authenticate again.', zh: '请回到“设置 → MCP”重新认证。' }

function message(en: string, zh: string, next: { en: string; zh: string } = again): Bilingual {
  return { en: { title: en, next: next.en }, zh: { title: zh, next: next.zh } }
}

const registerByHand = {
  en: 'Create an OAuth app at the provider with the redirect URI shown, then enter its Client ID in Settings → MCP.',
  zh: '请在提供方创建 OAuth 应用并填入所示的回调地址，再到“设置 → MCP”填写其 Client ID。',
}

const askOperator = {
  en: 'This has to be corrected by the provider or the server’s operator. The log of the server shows every address that was asked.',
  zh: '需要由授权提供方或服务器的运营者更正。服务器的日志里列出了每一个请求过的地址。',
}

const later = {
  en: 'Try again in a moment. Your earlier login, if there was one, is kept.',
  zh: '请稍后再试。之前的登录（如果有）会保留。',
}

/** Texts for every error code. */
export const oauthMessages: Readonly<Record<OAuthErrorCode, Bilingual>> = {
  'origin-refused': message('This address is not allowed to receive logins', '这个地址不允许接收登录结果', {
    en: 'Open the page by a loopback address, or add the origin to publicOrigins of the plugin row.',
    zh: '请用回环地址打开页面，或把该 origin 加入插件行的 publicOrigins。',
  }),
  'origin-malformed': message(
    'The reverse proxy sends an unreadable forwarded host',
    '反向代理发来的转发 Host 无法解析',
    {
      en: 'Correct X-Forwarded-Host and X-Forwarded-Proto in the proxy’s configuration.',
      zh: '请更正代理配置中的 X-Forwarded-Host 与 X-Forwarded-Proto。',
    },
  ),
  'unsafe-url': message(
    'An address in the login was refused for safety',
    '出于安全原因拒绝了登录流程中的一个地址',
    askOperator,
  ),
  network: message('The provider could not be reached', '无法连接授权提供方', later),
  timeout: message('The provider did not answer in time', '授权提供方没有及时应答', later),
  'too-large': message('The provider’s answer was too large', '授权提供方的应答过大', askOperator),
  'not-json': message('The provider’s answer could not be read', '无法读取授权提供方的应答', later),
  'server-error': message('The provider has an outage', '授权提供方暂时故障', later),
  'discovery-failed': message('The authorization server could not be found', '找不到授权服务器', askOperator),
  'invalid-metadata': message('The published login metadata is not usable', '公布的登录元数据不可用', askOperator),
  'issuer-mismatch': message(
    'The authorization server names another issuer',
    '授权服务器声明的 issuer 不一致',
    askOperator,
  ),
  'resource-mismatch': message('The login metadata belongs to another server', '登录元数据属于另一个服务器', {
    en: 'Check the URL of the server in Settings → MCP: scheme, host and path must be the published ones.',
    zh: '请在“设置 → MCP”检查服务器 URL：协议、主机与路径必须与其公布的一致。',
  }),
  'pkce-unsupported': message(
    'The authorization server does not announce PKCE (S256)',
    '授权服务器没有声明支持 PKCE（S256）',
    askOperator,
  ),
  'issuer-changed': message('The server changed its authorization server', '服务器更换了授权服务器', {
    en: 'If you trust the change, log out of the server in Settings → MCP and log in again.',
    zh: '如果信任这一变更，请在“设置 → MCP”退出该服务器的登录，然后重新登录。',
  }),
  'no-login-needed': message('This server needs no login', '这个服务器不需要登录', {
    en: 'Set its authentication to none.',
    zh: '请把它的认证方式改为“无鉴权”。',
  }),
  'registration-unavailable': message(
    'This provider does not register clients by itself',
    '该授权提供方不支持自动注册客户端',
    registerByHand,
  ),
  'registration-refused': message(
    'The provider refused to register a client',
    '授权提供方拒绝注册客户端',
    registerByHand,
  ),
  'secret-missing': message('The client secret is not set', '客户端密钥未设置', {
    en: 'Set the environment variable named in the message before DSH starts.',
    zh: '请在启动 DSH 之前设置提示中给出的环境变量。',
  }),
  'client-auth-unsupported': message(
    'The provider wants another kind of client authentication',
    '授权提供方要求其他客户端认证方式',
    askOperator,
  ),
  'state-unknown': message('This login is not known', '无法识别这次登录', {
    en: 'It was already used, or DSH was restarted meanwhile. Go back to Settings → MCP and authenticate again.',
    zh: '它已被使用过，或者期间 DSH 重启过。请回到“设置 → MCP”重新认证。',
  }),
  'state-expired': message('This login has expired', '这次登录已过期', {
    en: 'A login has to be finished within 10 minutes and works once. Go back to Settings → MCP and authenticate again.',
    zh: '登录须在 10 分钟内完成，且只能使用一次。请回到“设置 → MCP”重新认证。',
  }),
  'callback-invalid': message('The provider’s answer could not be read', '无法读取授权提供方返回的结果'),
  'issuer-response-mismatch': message('The answer came from another provider', '返回结果来自另一个授权提供方', {
    en: 'It was not used. Do not repeat the login on a network you do not trust.',
    zh: '结果未被采用。请不要在不受信任的网络中重复登录。',
  }),
  'access-denied': message('Access was denied', '授权被拒绝', {
    en: 'Nothing was changed. Authenticate again if this was not intended.',
    zh: '没有任何改动。如非本意，请重新认证。',
  }),
  'authorization-refused': message('The provider refused the login', '授权提供方拒绝了这次登录'),
  'exchange-refused': message('The provider refused to issue a token', '授权提供方拒绝签发令牌'),
  'client-forgotten': message('The provider no longer knows this client', '授权提供方已不认识这个客户端', {
    en: 'Go back to Settings → MCP and authenticate again: a new client will be registered.',
    zh: '请回到“设置 → MCP”重新认证：会注册一个新的客户端。',
  }),
  'provider-unavailable': message('The provider is not available', '授权提供方不可用', later),
  'not-saved': message('The login works, but could not be saved', '登录成功，但未能保存', {
    en: 'It is lost when DSH stops. Repair the path of the state file (space, permissions), then authenticate again.',
    zh: 'DSH 停止后登录会丢失。请先修复状态文件的路径（空间、权限），再重新认证。',
  }),
  'server-gone': message('The server was deleted meanwhile', '该服务器已被删除', {
    en: 'Nothing was saved.',
    zh: '没有保存任何内容。',
  }),
}
