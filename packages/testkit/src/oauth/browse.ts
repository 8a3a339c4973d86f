/** What a person at the provider's pages does. */
export interface BrowseOptions {
  /** Account to sign in as; default `somebody`. */
  readonly account?: string
  /** Press the abort link instead of signing in. */
  readonly abort?: boolean
}

/**
 * Walks through a provider's login and consent pages as a browser would (redirects, cookies, forms) and returns the
 * callback URL without visiting it.
 * @param isCallback tells the callback from the provider's own pages.
 */
export async function browse(
  authorizeUrl: string | URL,
  isCallback: (url: URL) => boolean,
  { account = 'somebody', abort = false }: BrowseOptions = {},
): Promise<URL> {
  const cookies = new Map<string, string>()
  let url = new URL(authorizeUrl)
  let form: URLSearchParams | undefined
  for (let step = 0; step < 20; step++) {
    if (isCallback(url)) return url
    const response = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: form,
    })
    form = undefined
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (location !== null) {
      url = new URL(location, url)
      continue
    }
    const aborting = /href="([^"]+\/abort)"/.exec(page)?.[1]
    if (abort && aborting !== undefined) {
      url = new URL(aborting, url)
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) {
      throw new Error(`the provider shows no form at ${url.pathname} (HTTP ${response.status}): ${page.slice(0, 400)}`)
    }
    url = new URL(action, url)
    form = new URLSearchParams(prompt === 'login' ? { prompt, login: account, password: 'x' } : { prompt })
  }
  throw new Error(`the provider does not come to an end: ${url.href}`)
}
