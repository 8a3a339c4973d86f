import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { snippetsFor } from './proofs.ts'

/** Puts the plugin rows of documents into a profile, as they stand there. */
export async function writeRows(home: string, ...documents: readonly string[]): Promise<void> {
  const rows = documents.flatMap((document) => snippetsFor('plugin rows', document)).map(({ text }) => text)
  await writeFile(join(home, 'profiles', 'web', 'cordis.patch.yml'), rows.join('\n'))
}

/** Status of the manager's `ping` when it is asked under a name of the harness, as a reverse proxy asks. */
export function pingAs(port: number, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const path = '/mcp-manager/api/ping'
    const sent = request({ host: '127.0.0.1', port, path, headers: { host } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject).end()
  })
}
