import { createHash } from 'node:crypto'
import type { OAuthErrorCode } from './errors.ts'
import { oauthMessages } from './messages.ts'

/** How a login ended, as the page in the browser tells it. */
export type LoginResult =
  | { readonly ok: true; readonly serverName: string }
  | {
      readonly ok: false
      readonly code: OAuthErrorCode
      /** Details in the provider's own words; escaped and cut before they are shown. */
      readonly detail?: string
      readonly serverName?: string
    }

/** Makes a text safe inside HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;background:#f6f7f9;color:#1c1e21}
main{max-width:34rem;margin:1rem;padding:2rem;border-radius:12px;background:#fff;box-shadow:0 1px 4px #0002}
h1{font-size:1.25rem;margin:0 0 .5rem}section+section{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid #0001}
p{margin:.25rem 0}.detail{color:#5b616b;font-size:.875rem;overflow-wrap:anywhere}a{color:#2456c4}
@media (prefers-color-scheme:dark){body{background:#15171a;color:#e7e9ec}main{background:#1f2226}.detail{color:#a3a9b3}a{color:#8fb0ff}section+section{border-color:#fff2}}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Header fields to send with {@link resultPage}. */
export const resultPageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

function section(language: 'en' | 'zh-CN', title: string, next: string): string {
  return `<section lang="${language}"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(next)}</p></section>`
}

/** The page a browser sees when it comes back: English and Chinese, no script, everything escaped. */
export function resultPage(result: LoginResult): string {
  const name = result.serverName === undefined ? '' : ` — ${result.serverName}`
  const sections = result.ok
    ? [
        section('zh-CN', `登录成功${name}`, '工具正在注册，可以关闭此页面。'),
        section('en', `Logged in${name}`, 'The tools are being registered. You can close this page.'),
      ]
    : [
        section('zh-CN', `${oauthMessages[result.code].zh.title}${name}`, oauthMessages[result.code].zh.next),
        section('en', `${oauthMessages[result.code].en.title}${name}`, oauthMessages[result.code].en.next),
      ]
  const detail =
    result.ok || result.detail === undefined || result.detail === ''
      ? ''
      : `<p class="detail" dir="auto">${escapeHtml(result.detail.slice(0, 500))}</p>`
  const title = result.ok ? 'Logged in · 登录成功' : 'Login failed · 登录失败'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body><main>${sections.join('\n')}${detail}<p><a href="/">DeepSeek Harness</a></p></main></body></html>
`
}
