// Lets every step of a write to the state file take FAULTS_SLOW_DISK milliseconds, as on a disk that hardly answers.
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

const ms = Number(process.env.FAULTS_SLOW_DISK ?? 0)

function slowed(holder, name, concerns) {
  const original = holder[name]
  holder[name] = async function (...args) {
    if (concerns(this, args)) await sleep(ms)
    return original.apply(this, args)
  }
}

if (ms > 0) {
  const ofState = (_, [path]) => String(path).includes('mcp-manager.json')
  const handles = new WeakSet()
  const open = fs.open
  fs.open = async (path, ...rest) => {
    const handle = await open(path, ...rest)
    if (ofState(undefined, [path])) handles.add(handle)
    return handle
  }
  for (const name of ['writeFile', 'rename', 'link', 'rm']) slowed(fs, name, ofState)
  const any = await open(process.execPath)
  for (const name of ['writeFile', 'sync']) slowed(Object.getPrototypeOf(any), name, (handle) => handles.has(handle))
  await any.close()
  syncBuiltinESMExports()
}
