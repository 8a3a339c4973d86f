// Shifts the wall clock of a process by the milliseconds that stand in the file FAULTS_CLOCK, read anew all the time.
import { readFileSync } from 'node:fs'

const file = process.env.FAULTS_CLOCK
const real = Date
let offset = 0
if (file !== undefined) {
  setInterval(() => {
    const text = readFileSync(file, 'utf8')
    if (text !== '') offset = Number(text)
  }, 5).unref()
  globalThis.Date = class extends real {
    constructor(...args) {
      if (args.length === 0) super(real.now() + offset)
      else super(...args)
    }
    static now() {
      return real.now() + offset
    }
  }
}
