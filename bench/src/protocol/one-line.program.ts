import { subjects, type SubjectName } from './subjects.ts'

/**
 * `one-line.program.ts <subject>` (with --expose-gc): says `ready` on stderr, waits for one notification on stdin and then
 * prints how far the resident memory rose above its idle level, in bytes, at its highest.
 */
const peak = (): number => process.resourceUsage().maxRSS * 1024
const end = subjects[process.argv[2] as SubjectName](process.stdin, process.stderr)
end.onNotification(() => {
  process.stdout.write(String(peak() - idle))
  process.stdin.destroy()
})
globalThis.gc?.()
const idle = peak()
process.stderr.write('ready\n')
