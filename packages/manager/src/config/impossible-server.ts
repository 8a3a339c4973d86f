import type { ServerDefinition } from './server-definition.ts'

/** `token` of RFC 9110 §5.6.2. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** No control character but a tab, and nothing a header cannot carry (RFC 9110 §5.5); white space around it is cut off. */
const headerValue = /^\s*[\t\x20-\x7e\x80-\xff]*\s*$/

const hasNul = (text: string): boolean => text.includes('\0')

/** What keeps a record from ever working, which the system or the HTTP library would say in words of their own. */
export function impossible(server: ServerDefinition): string | undefined {
  if (server.type === 'stdio') {
    const { command, args, env, cwd = '' } = server
    if (hasNul(command)) return 'command: holds a NUL character'
    const argument = args.findIndex(hasNul)
    if (argument !== -1) return `args.${argument}: holds a NUL character`
    for (const [name, value] of Object.entries(env)) {
      if (!/^[^=\0]+$/.test(name)) return `env: ${JSON.stringify(name)} is no name of an environment variable`
      if (hasNul(value)) return `env.${name}: holds a NUL character`
    }
    return hasNul(cwd) ? 'cwd: holds a NUL character' : undefined
  }
  for (const field of ['headers', 'headerEnv'] as const) {
    for (const [name, value] of Object.entries(server[field])) {
      if (!headerName.test(name)) return `${field}: ${JSON.stringify(name)} is no name of an HTTP header`
      if (field === 'headers' && !headerValue.test(value)) {
        return `headers.${name}: holds a line break or a character that an HTTP header cannot carry`
      }
    }
  }
  return undefined
}
