import { about, type Language } from './about.ts'
import { limits } from './limits.ts'
import { nameIn } from './names.ts'
import type { BenchResult } from './result.ts'

type ResultRow = BenchResult['rows'][number]

const words = {
  en: {
    title: 'Performance',
    intro: `Written by \`npm run bench -- --report\` from the kept runs in \`bench/results\`; do not edit. Each bench measures its
subjects in turn in one run, at least five times, and gives medians. What depends on the machine is stated as a ratio to
something measured beside it, or stands next to a calibration. \`npm run bench -- <name>\` measures anew.`,
    other: '[中文](performance.zh-CN.md)',
    run: ['Bench', 'Date', 'Load before', 'Goals met'],
    row: ['Measured', 'Value', 'Goal', 'Met'],
    machine: 'Machine',
    versions: 'Versions',
    of: (met: number, all: number) => `${met} of ${all}`,
    met: 'yes',
    missed: 'no',
    limit: 'What limits the goals that were missed:',
  },
  zh: {
    title: '性能',
    intro: `本页由 \`npm run bench -- --report\` 根据 \`bench/results\` 中保存的结果生成，请勿手工修改。每项基准都在同一次运行中轮流测量各个对象，
至少五轮，取中位数。凡与机器有关的数值，都以同场测得的对象为基准给出比值，或附上校准值。\`npm run bench -- <name>\` 可重新测量。`,
    other: '[English](performance.md)',
    run: ['基准', '日期', '运行前负载', '达标'],
    row: ['测量项', '数值', '目标', '达标'],
    machine: '机器',
    versions: '版本',
    of: (met: number, all: number) => `${met} / ${all}`,
    met: '是',
    missed: '否',
    limit: '未达标项受限于：',
  },
} as const

/** The page on performance: which runs, on which machine and versions, and every row of each. */
export function pageOf(results: readonly BenchResult[], language: Language): string {
  const say = words[language]
  const runs = results.map((result) => {
    const judged = result.rows.filter(({ goal }) => goal !== null)
    const met = judged.filter((row) => row.met === true).length
    return [`[${result.bench}](#${result.bench})`, result.date, String(result.load), say.of(met, judged.length)]
  })
  return [
    `# ${say.title}`,
    say.other,
    say.intro,
    table(say.run, ['---', '---', '--:', '--:'], runs),
    origins(results, language),
    ...results.map((result) => section(result, language)),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Machines and versions, each said once when all runs share it. */
function origins(results: readonly BenchResult[], language: Language): string {
  const say = words[language]
  const lines = new Map<string, string[]>()
  for (const { bench, machine, versions } of results) {
    const listed = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
    for (const line of [`${say.machine}: ${machine}`, `${say.versions}: ${listed.join(', ')}`]) {
      lines.set(line, [...(lines.get(line) ?? []), bench])
    }
  }
  return [...lines]
    .map(([line, benches]) => (benches.length === results.length ? `- ${line}` : `- ${benches.join(', ')}: ${line}`))
    .join('\n')
}

function section(result: BenchResult, language: Language): string {
  const say = words[language]
  const rows = result.rows.map((row) => [
    nameIn(language, row.name),
    `${row.value}${unitOf(row)}`,
    row.goal === null ? '' : `${row.better === 'higher' ? '≥' : '≤'} ${row.goal}${unitOf(row)}`,
    row.met === null ? '' : row.met ? say.met : say.missed,
  ])
  const missed = result.rows.filter((row) => row.met === false)
  const reasons = missed.map(({ name }) => `- ${nameIn(language, name)}: ${limits[name]?.[language] ?? '?'}`)
  return [
    `## ${result.bench}`,
    about[result.bench]?.[language] ?? '',
    table(say.row, ['---', '--:', '--:', '---'], rows),
    ...(reasons.length > 0 ? [say.limit, reasons.join('\n')] : []),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function unitOf({ unit }: ResultRow): string {
  return unit === '' ? '' : ` ${unit}`
}

/** A table in Markdown. */
export function table(
  head: readonly string[],
  alignment: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), `|${alignment.join('|')}|`, ...rows.map(line)].join('\n')
}
