import { spawn } from 'node:child_process'
import { median, timed } from './measure.ts'
import { contextRow, type Row } from './rows.ts'

/**
 * What this machine does right now, to stand beside goals that are stated in time or bytes: starting and ending a Node
 * process that does nothing (with its resident memory), and a fixed loop of integer arithmetic. Medians of five.
 */
export async function calibrationRows(): Promise<readonly Row[]> {
  const spawns: number[] = []
  const loops: number[] = []
  for (let round = 0; round < 5; round++) {
    spawns.push(await timed(emptyProcess))
    loops.push(await timed(fixedLoop))
  }
  return [
    contextRow('calibration: `node -e 0`', median(spawns), 'ms'),
    contextRow('calibration: loop of 50 M integer steps', median(loops), 'ms'),
  ]
}

function emptyProcess(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}

function fixedLoop(): number {
  let state = 1
  for (let step = 0; step < 50_000_000; step++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
  return state
}
