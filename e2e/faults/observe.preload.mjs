// On SIGUSR2 collects garbage and writes to the file FAULTS_OBSERVED what is left: bytes of live objects, and how many
// timers, sockets and the like of each kind keep the process running.
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const file = process.env.FAULTS_OBSERVED
if (file !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  let count = 0
  process.on('SIGUSR2', () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    const resources = {}
    for (const kind of process.getActiveResourcesInfo()) resources[kind] = (resources[kind] ?? 0) + 1
    writeFileSync(`${file}.new`, JSON.stringify({ count: ++count, bytes: heapUsed + external, resources }))
    renameSync(`${file}.new`, file)
  })
}
