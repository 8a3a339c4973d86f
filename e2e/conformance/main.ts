/**
 * `npm run conformance -- server | client`: the official conformance suite against our own parts, by subject. The exit code is 0
 * when every required scenario passes or is a listed, reasoned absence.
 */
const subjects: Readonly<Record<string, () => Promise<{ main(): Promise<number> }>>> = {
  server: () => import('./server/main.ts'),
  client: () => import('./client/main.ts'),
}

const [subject = ''] = process.argv.slice(2)
const load = Object.hasOwn(subjects, subject) ? subjects[subject] : undefined
if (load === undefined) {
  console.error(`usage: npm run conformance -- ${Object.keys(subjects).join(' | ')}`)
  process.exitCode = 2
} else {
  process.exitCode = await (await load()).main()
}
