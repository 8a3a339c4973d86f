import type { HostLogger } from './context.ts'
import { printable } from './printable.ts'

/** Where a plugin says what a person has to know. */
export interface PluginLog {
  /** One line; with an error, its stack follows. Never give it a secret. */
  warn(message: string, error?: unknown): void
}

/**
 * The host's logger and standard error. The web profile of DSH 0.1.0-rc.8 has no exporter that prints: a line given to the
 * logger alone is never seen. A host that prints its log shows the line twice, which is the lesser evil.
 */
export function pluginLog(
  logger: HostLogger,
  name: string,
  print: (text: string) => void = (text) => void process.stderr.write(text),
): PluginLog {
  return {
    warn(message, error) {
      const line = printable(`${name}: ${message}`)
      logger.warn(error === undefined ? line : new Error(line, { cause: error }))
      const detail = error instanceof Error ? `\n${error.stack ?? error.message}` : ''
      print(`${line}${printable(detail)}\n`)
    },
  }
}
