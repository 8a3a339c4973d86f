import type { Language } from './about.ts'
import { table } from './page.ts'
import type { BenchResult } from './result.ts'

interface Figure {
  readonly bench: string
  readonly row: string
  /** Sentence in front of the number. */
  readonly en: string
  readonly zh: string
}

/** The few numbers a reader of the README wants. */
export const figures: readonly Figure[] = [
  {
    bench: 'search',
    row: 'direct ÷ broker',
    en: 'tool schemas in a request of 527 tools: direct ÷ on demand',
    zh: '527 个工具时一次请求中的工具定义体积：直接 ÷ 按需',
  },
  {
    bench: 'search',
    row: 'steps, hit@5',
    en: 'the right tool is among the first five found (real tasks)',
    zh: '正确的工具排在搜索结果前五（真实任务）',
  },
  {
    bench: 'manager',
    row: 'host start with 50 servers: against without',
    en: 'start of the harness with 50 servers ÷ its start without',
    zh: '带 50 个服务器时 Harness 的启动时间 ÷ 不带时',
  },
  {
    bench: 'manager',
    row: 'one call through the registered tool, p50, to the built-in client',
    en: 'time of one tool call ÷ the same call through the client built into the harness',
    zh: '一次工具调用的时间 ÷ 经 Harness 内置客户端的同一调用',
  },
  {
    bench: 'page',
    row: 'section visible after the click, first time in a tab',
    en: 'Settings → MCP with 50 servers visible after the click',
    zh: '点击后看到含 50 个服务器的“设置 → MCP”',
  },
  {
    bench: 'server',
    row: 'tools/call 2026-07-28, 16 at once: ours / official handler',
    en: 'calls a second through the MCP endpoint, 16 at once ÷ the official handler',
    zh: 'MCP 端点每秒处理的调用数（16 个并发）÷ 官方处理器',
  },
  {
    bench: 'server',
    row: 'bridge adds to p50, one at a time',
    en: 'what the stdio bridge adds to a call',
    zh: 'stdio 桥为一次调用增加的时间',
  },
  {
    bench: 'tools',
    row: '200 waits on 50 sessions: from the end of the turn to the answer, p95',
    en: 'from the end of a turn to the answer of those who wait, 200 waits at once',
    zh: '从回合结束到等待者得到应答（同时 200 个等待）',
  },
  {
    bench: 'protocol',
    row: '16 MiB line in 64 KiB chunks: to the published transport',
    en: 'reading one line of 16 MiB, speed to the published SDK transport',
    zh: '读取一行 16 MiB 的速度，与已发布的 SDK 传输之比',
  },
]

const heads = { en: ['Measured', 'Value', 'How'], zh: ['测量项', '数值', '出处'] } as const
const pages = { en: 'docs/performance.md', zh: 'docs/performance.zh-CN.md' } as const
const marks = /(<!-- figures -->)[^]*?(<!-- \/figures -->)/

/**
 * A README with the table of figures between its two marks written anew.
 *
 * @throws Error when the marks or a measured row are missing.
 */
export function withFigures(readme: string, results: readonly BenchResult[], language: Language): string {
  if (!marks.test(readme))
    throw new Error('The README has no place for the figures: <!-- figures --> … <!-- /figures -->')
  const rows = figures.map((figure) => {
    const source = `[${figure.bench}](${pages[language]}#${figure.bench})`
    return [figure[language], valueOf(figure, results), source]
  })
  return readme.replace(marks, (_whole, open: string, close: string) => {
    return `${open}\n\n${table(heads[language], ['---', '--:', '---'], rows)}\n\n${close}`
  })
}

function valueOf({ bench, row: name }: Figure, results: readonly BenchResult[]): string {
  const row = results.find((result) => result.bench === bench)?.rows.find((one) => one.name === name)
  if (row === undefined) throw new Error(`No kept run of "${bench}" has the row "${name}"`)
  return row.unit === '' ? String(row.value) : `${row.value} ${row.unit}`
}
