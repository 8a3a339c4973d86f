// Lets every step of a write to the state file take FAULTS_SLOW_DISK milliseconds, as on a disk that hardly answers; the
// last two characters of a text come a step later than the rest.
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

function slowedText(holder, concerns, write, append) {
  const original = holder.writeFile
  holder.writeFile = async function (...args) {
    if (!concerns(this, args)) return original.apply(this, args)
    await sleep(ms)
    const text = String(args[write])
    await original.apply(this, args.with(write, text.slice(0, -2)))
    await sleep(ms)
    await append(original, this, args, text.slice(-2))
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
  for (const name of ['rename', 'link', 'rm']) slowed(fs, name, ofState)
  slowedText(fs, ofState, 1, (_, __, [path], last) => fs.appendFile(path, last))
  const any = await open(process.execPath)
  const ofHandle = (handle) => handles.has(handle)
  slowed(Object.getPrototypeOf(any), 'sync', ofHandle)
  slowedText(Object.getPrototypeOf(any), ofHandle, 0, (original, handle, _, last) => original.call(handle, last))
  await any.close()
  syncBuiltinESMExports()
}
