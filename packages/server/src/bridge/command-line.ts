/** Where the bridge learns its endpoint. */
export type EndpointSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string; readonly token: string | undefined; readonly tokenFile: string }

export type CommandLine =
  | { readonly kind: 'run'; readonly source: EndpointSource }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'wrong'; readonly problem: string }

export const help = `dsh-mcp-stdio: speaks MCP on stdin and stdout for a running DeepSeek Harness.

Usage: dsh-mcp-stdio [--endpoint FILE | --url URL]

  --endpoint FILE  the endpoint file of the harness
                   (default: $DSH_HOME/mcp/dsh-mcp-endpoint.json, DSH_HOME being ~/.dsh when unset)
  --url URL        the address of the endpoint; the token is read from DSH_MCP_TOKEN,
                   else from the default endpoint file
  --help           this text
  --version        the version

The file is read again before each message: when the harness restarts, the bridge goes on by itself.
`

/** Reads the arguments after the program's own. `defaultFile` is the endpoint file of this user's harness. */
export function readCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  defaultFile: string,
): CommandLine {
  let endpoint: string | undefined
  let url: string | undefined
  for (let index = 0; index < args.length; index++) {
    const [option, inline] = splitOption(args[index]!)
    switch (option) {
      case '--help':
      case '-h':
        return { kind: 'help' }
      case '--version':
        return { kind: 'version' }
      case '--endpoint':
      case '--url': {
        const value = inline ?? args[++index]
        if (value === undefined || value === '') return wrong(`${option} needs a value`)
        if (option === '--url') url = value
        else endpoint = value
        break
      }
      default:
        return wrong(`unknown argument ${args[index]}`)
    }
  }
  if (url === undefined) return { kind: 'run', source: { kind: 'file', path: endpoint ?? defaultFile } }
  if (endpoint !== undefined) return wrong('--endpoint and --url exclude each other')
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return wrong(`--url needs an http or https URL`)
  return { kind: 'run', source: { kind: 'url', url, token: env.DSH_MCP_TOKEN, tokenFile: defaultFile } }
}

function splitOption(argument: string): readonly [string, string | undefined] {
  const at = argument.indexOf('=')
  return argument.startsWith('--') && at > 0 ? [argument.slice(0, at), argument.slice(at + 1)] : [argument, undefined]
}

function wrong(problem: string): CommandLine {
  return { kind: 'wrong', problem }
}
