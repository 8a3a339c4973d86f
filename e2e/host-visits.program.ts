import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { visitAgents } from '@dsh-mcp/host'
import type { VisitedContext } from '@dsh-mcp/host'

/** A plugin row that writes every visit to `$DSH_HOME/visits.log`, and fails in the middle of it. */
export const name = 'visits'
export const inject = ['agents']

export function apply(ctx: VisitedContext & { effect(start: () => () => void): void }): void {
  const write = (line: string) => appendFileSync(join(process.env.DSH_HOME!, 'visits.log'), `${line}\n`)
  ctx.effect(() =>
    visitAgents(ctx, {
      arrive(agent) {
        write(`arrive ${agent.session.header.cwd}`)
        throw new Error('a visit that fails')
      },
      leave: () => write('leave'),
      report: (error) => write(String(error)),
    }),
  )
}
