import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { declareWorkspace, openSession } from './scene.ts'

const [first, second] = ['mcp__local__tool_1', 'mcp__local__tool_2']

/** Arguments of `run_code` for a program that calls one tool. */
const program = (tool: string): string =>
  JSON.stringify({ code: `return await tools.${tool}({})`, description: 'call a tool' })

test.each(['native', 'code'])(
  'one tool of a workspace server, switched off, is gone and refused: %s mode',
  async (mode) => {
    await using home = await temporaryHome()
    const root = join(await realpath(home.path), 'project')
    await mkdir(root)
    await declareWorkspace(root, { mcpServers: { local: { ...smallServer('local', 2), note: 'kept' } } })
    await using host = await startWebHost({ home: home.path, plugins: ['manager'], env: { DSH_TOOLS_MODE: mode } })
    const session = await openSession(host, root)
    const line = (tool: string): string => (mode === 'native' ? `call ${tool} {}` : `call run_code ${program(tool)}`)
    const turn = (): ReturnType<typeof session.turn> => session.turn([first, second].map(line).join('\n'))
    /** How often a tool answered in the whole session. */
    const answers = (history: string, tool: string): number => history.split(`${tool} of local, pid`).length - 1

    const before = await turn()
    const [one, two] = ['tool_1', 'tool_2'].map((tool) => answers(before.answer, tool))
    expect(one).toBeGreaterThan(0)
    expect(two).toBeGreaterThan(0)

    const api = `${host.url}/mcp-manager/api`
    const workspaces = await (await fetch(`${api}/workspaces`)).text()
    const id = /"(ws-[^"]+)"/.exec(workspaces)![1]!
    const setTool = async (enabled: boolean): Promise<void> => {
      const response = await fetch(`${api}/servers/${id}/tools`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ tool: 'tool_2', enabled }),
      })
      expect(response.status, await response.text()).toBe(200)
    }

    await setTool(false)
    const file = JSON.parse(await readFile(join(root, '.dsh', 'dshmm', 'mcp.json'), 'utf8')) as object
    expect(file).toMatchObject({ mcpServers: { local: { note: 'kept', disabledTools: ['tool_2'] } } })
    const off = await turn()
    if (mode === 'native') expect(off.offered).toEqual([first])
    expect(answers(off.answer, 'tool_1')).toBeGreaterThan(one!)
    expect(answers(off.answer, 'tool_2')).toBe(two)

    await setTool(true)
    await eventually('the tool answers again', async () => answers((await turn()).answer, 'tool_2') > two!)
  },
)
