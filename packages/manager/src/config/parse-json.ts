/** Deeper nesting than any configuration has; past it, recursive readers and writers would end the process. */
export const maxJsonDepth = 200

function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Where `JSON.parse` stumbled, read off its message without keeping any of it: a position, or the piece it quotes. */
function faultLine(text: string, error: unknown): number | undefined {
  const message = error instanceof Error ? error.message : ''
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position !== undefined) return lineOf(text, Number(position))
  if (message.includes('end of JSON')) return lineOf(text, text.length)
  // The engine quotes ten characters before the fault and ten after it, as far as there are.
  const quoted = /, (\.\.\.)?"([\s\S]*?)"(\.\.\.)? is not valid JSON$/.exec(message)
  const index = quoted === null ? -1 : text.indexOf(quoted[2]!)
  if (quoted === null || index === -1) return undefined
  const before = quoted[1] !== undefined ? 10 : quoted[3] !== undefined ? quoted[2]!.length - 10 : 0
  return lineOf(text, index + Math.max(0, before))
}

/** The first place that is nested too deeply, or -1. Looks at brackets outside of strings, without recursion. */
function tooDeepAt(text: string): number {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxJsonDepth) return index
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return -1
}

/**
 * `JSON.parse` for text that a person or another program wrote. Its errors name the line and never quote the text, which may
 * hold a secret; nesting deeper than {@link maxJsonDepth} is refused.
 * @throws {SyntaxError} ready to be shown. It carries no cause, because the engine's error quotes the text.
 */
export function parseJson(text: string): unknown {
  const deep = tooDeepAt(text)
  if (deep !== -1) {
    throw new SyntaxError(`line ${lineOf(text, deep)} is nested more than ${maxJsonDepth} levels deep`)
  }
  let line: number | undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    line = faultLine(text, error)
  }
  throw new SyntaxError(line === undefined ? 'the text is not valid JSON' : `line ${line} is not valid JSON`)
}
