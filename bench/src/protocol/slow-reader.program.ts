/**
 * Reads lines `{…"params":{"n":<number>}}` from stdin, with a pause after each 4 MiB, and prints how many came in order
 * (0, 1, 2, …) before the first that did not.
 */
const PAUSE_BYTES = 4 << 20
let expected = 0
let inOrder = true
let rest = ''
let sincePause = 0
process.stdin.setEncoding('latin1')
process.stdin.on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    const { params } = JSON.parse(line) as { params: { n: number } }
    inOrder &&= params.n === expected
    if (inOrder) expected++
  }
  sincePause += chunk.length
  if (sincePause < PAUSE_BYTES) return
  sincePause = 0
  process.stdin.pause()
  setTimeout(() => process.stdin.resume(), 50)
})
process.stdin.once('end', () => process.stdout.write(String(expected)))
