import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { alternate, contextRow, goalRow, timed, type Row } from '../../harness/index.ts'
import { subjects, type Endpoint, type SubjectName } from './subjects.ts'

const program = fileURLToPath(new URL('echo.program.ts', import.meta.url))

interface RemoteEcho extends AsyncDisposable {
  readonly client: Endpoint
}

/** The same library at both ends, over the pipes of a child process. */
function startEcho(name: SubjectName): RemoteEcho {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    client: subjects[name](child.stdout, child.stdin),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await exited
    },
  }
}

const works = [
  { name: '1 MiB echo between processes', bytes: 1 << 20, rounds: 15, goal: 2.5 },
  { name: '8 MiB echo between processes', bytes: 8 << 20, rounds: 5, goal: 12 },
]

export async function betweenProcesses(progress: (text: string) => void): Promise<readonly Row[]> {
  await using ours = startEcho('ours')
  await using published = startEcho('published')
  const rows: Row[] = []
  for (const { name, bytes, rounds, goal } of works) {
    const params = { text: 'x'.repeat(bytes) }
    const comparison = await alternate(
      {
        ours: () => timed(() => ours.client.request(params)),
        published: () => timed(() => published.client.request(params)),
      },
      rounds,
    )
    progress(
      `${name}: ours ${comparison.median('ours').toFixed(0)} ms, published ${comparison.median('published').toFixed(0)} ms`,
    )
    rows.push(
      goalRow(`${name}: to the published transport`, comparison.ratio('published', 'ours'), '×', { atLeast: goal }),
    )
    rows.push(contextRow(`${name}: ours`, comparison.median('ours'), 'ms'))
  }
  return rows
}
