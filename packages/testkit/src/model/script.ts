/** One thing the scripted model does while it answers. */
export type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'think'; readonly text: string }
  | { readonly kind: 'stream'; readonly chunks: number; readonly delayMs: number; readonly text: string }
  | { readonly kind: 'sleep'; readonly ms: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'fail'; readonly code: string; readonly message: string }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'call'; readonly tool: string; readonly arguments: string }

const verbs: Readonly<Record<string, (rest: string) => Step>> = {
  say: (rest) => ({ kind: 'say', text: rest }),
  think: (rest) => ({ kind: 'think', text: rest }),
  stream: (rest) => {
    const [chunks = '1', delayMs = '0', ...words] = rest.split(' ')
    return { kind: 'stream', chunks: Number(chunks), delayMs: Number(delayMs), text: words.join(' ') || 'tick' }
  },
  sleep: (rest) => ({ kind: 'sleep', ms: Number(rest) }),
  hang: () => ({ kind: 'hang' }),
  fail: (rest) => {
    const [code = 'SCRIPTED', ...words] = rest.split(' ')
    return { kind: 'fail', code, message: words.join(' ') || 'the script says so' }
  },
  'max-tokens': () => ({ kind: 'max-tokens' }),
  call: (rest) => callStep(rest),
  also: (rest) => callStep(rest),
}

function callStep(rest: string): Step {
  const space = rest.indexOf(' ')
  if (space < 0) return { kind: 'call', tool: rest, arguments: '{}' }
  return { kind: 'call', tool: rest.slice(0, space), arguments: rest.slice(space + 1) }
}

/**
 * Reads a prompt as the script of one turn. Lines that start with a verb are steps; all other lines are ignored.
 *
 *     call <tool> <json>     one tool call; ends this model request, the next line belongs to the next request
 *     also <tool> <json>     one more call in the same request as the `call` before it
 *     say <text>             answer text
 *     think <text>           reasoning text
 *     stream <n> <ms> <text> the text n times, ms apart
 *     sleep <ms>             wait
 *     hang                   wait until the request is aborted
 *     fail <code> <message>  end the request as a provider error
 *     max-tokens             end the request as cut by the token limit
 *
 * Returns one list of steps for each model request of the turn; the last list never has a call.
 */
export function parseScript(prompt: string): readonly (readonly Step[])[] {
  const requests: Step[][] = [[]]
  let closed = false
  for (const line of prompt.split('\n')) {
    const match = /^\s*([a-z-]+)(?:\s(.*))?$/.exec(line)
    const verb = match?.[1] ?? ''
    const read = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (read === undefined) continue
    if (closed && verb !== 'also') {
      requests.push([])
      closed = false
    }
    requests.at(-1)!.push(read((match?.[2] ?? '').trim()))
    if (verb === 'call') closed = true
  }
  if (closed) requests.push([])
  return requests
}
