import { calibrationRows, contextRow, goalRow, type Row } from '../../harness/index.ts'
import { DATA, readCatalogue, readTasks, type LabelledTask } from './data.ts'
import { exactShares } from './exact.ts'
import { leaveOneOut } from './generalise.ts'
import { hitAt5, meanReciprocalRank, recallAt10, tallyQuestions, tallySteps, type Subject } from './quality.ts'
import { requestBytes } from './request-bytes.ts'
import { measureScale } from './scale.ts'
import { miniSearchCandidates, oramaCandidates, ours, plainBm25, type Candidate } from './subjects.ts'
import { misspell } from './typos.ts'

const TYPO_SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]

const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** The setting of an engine that finds most, judged on the very tasks it is then measured on. */
function bestOf(candidates: readonly Candidate[], tasks: readonly LabelledTask[]): Candidate {
  const worth = ({ subject }: Candidate): number =>
    hitAt5(tallySteps(subject, tasks)) +
    meanReciprocalRank(tallySteps(subject, tasks)) +
    hitAt5(tallyQuestions(subject, tasks)) +
    recallAt10(tallyQuestions(subject, tasks))
  return candidates
    .map((candidate) => ({ candidate, value: worth(candidate) }))
    .toSorted((a, b) => b.value - a.value)[0]!.candidate
}

function peerRows(name: string, subject: Subject, tasks: readonly LabelledTask[], chinese: readonly LabelledTask[]) {
  const steps = tallySteps(subject, tasks)
  const questions = tallyQuestions(subject, tasks)
  return [
    contextRow(`${name}: steps, hit@5`, hitAt5(steps), '', 'higher'),
    contextRow(`${name}: steps, MRR`, meanReciprocalRank(steps), '', 'higher'),
    contextRow(`${name}: questions, hit@5`, hitAt5(questions), '', 'higher'),
    contextRow(`${name}: questions, recall@10`, recallAt10(questions), '', 'higher'),
    contextRow(`${name}: Chinese steps, hit@5`, hitAt5(tallySteps(subject, chinese)), '', 'higher'),
  ]
}

/** The broker's search against MiniSearch and Orama at the best of many settings, and plain BM25, on real tools and tasks. */
export async function run(): Promise<readonly Row[]> {
  const tools = await readCatalogue(DATA.catalogue)
  const tasks = await readTasks(DATA.queries)
  const chinese = await readTasks(DATA.chinese)
  say(`${tools.length} tools, ${tasks.length} tasks`)

  const subject = ours(tools)
  const steps = tallySteps(subject, tasks)
  const questions = tallyQuestions(subject, tasks)
  const misspelled = TYPO_SEEDS.map((seed) => hitAt5(tallySteps(subject, misspell(tasks, seed))))
  const typoLoss = hitAt5(steps) - misspelled.reduce((sum, value) => sum + value, 0) / misspelled.length
  const exact = exactShares(tools)
  const english = chinese.map((task) => ({ ...task, steps: task.source ?? [] }))

  say('leaving one task out …')
  const unseen = leaveOneOut(tools, tasks)
  say('the best settings of MiniSearch and Orama …')
  const mini = bestOf(miniSearchCandidates(tools), tasks)
  const orama = bestOf(oramaCandidates(tools), tasks)
  say(`MiniSearch ${mini.setting}\nOrama ${orama.setting}`)
  say('10 000 tools …')
  const scale = await measureScale('ours')
  const miniScale = await measureScale('minisearch')
  const bytes = await requestBytes(DATA.catalogue)

  return [
    goalRow('steps, hit@5', hitAt5(steps), '', { atLeast: 0.7 }),
    goalRow('steps, MRR', meanReciprocalRank(steps), '', { atLeast: 0.58 }),
    goalRow('questions, hit@5', hitAt5(questions), '', { atLeast: 0.68 }),
    goalRow('questions, recall@10', recallAt10(questions), '', { atLeast: 0.5 }),
    goalRow('60 Chinese steps, hit@5', hitAt5(tallySteps(subject, chinese)), '', { atLeast: 0.65 }),
    contextRow(
      '60 Chinese steps, aliases off, hit@5',
      hitAt5(tallySteps(ours(tools, undefined, false), chinese)),
      '',
      'higher',
    ),
    contextRow('the same 60 steps in English, hit@5', hitAt5(tallySteps(subject, english)), '', 'higher'),
    goalRow('one typo in each step: loss of hit@5', typoLoss * 100, 'points', { atMost: 4 }),
    goalRow('asked by its name, or server.tool: comes first', exact.tools, '', { atLeast: 1 }),
    goalRow('asked by its name: all tools of the server first', exact.servers, '', { atLeast: 1 }),
    contextRow('task left out: steps, hit@5', hitAt5(unseen.steps), '', 'higher'),
    contextRow('task left out: steps, MRR', meanReciprocalRank(unseen.steps), '', 'higher'),
    contextRow('task left out: questions, hit@5', hitAt5(unseen.questions), '', 'higher'),
    contextRow('task left out: questions, recall@10', recallAt10(unseen.questions), '', 'higher'),
    ...peerRows('MiniSearch', mini.subject, tasks, chinese),
    ...peerRows('Orama', orama.subject, tasks, chinese),
    ...peerRows('plain BM25', plainBm25(tools), tasks, chinese),
    goalRow('10 000 tools: build', scale.buildMs, 'ms', { atMost: 700 }),
    goalRow('10 000 tools: change of one server', scale.changeMs, 'ms', { atMost: 15 }),
    goalRow('10 000 tools: query, p95', scale.queryP95Ms, 'ms', { atMost: 8 }),
    goalRow('10 000 tools: memory', scale.memoryMiB, 'MiB', { atMost: 60 }),
    contextRow('MiniSearch, 10 000 tools: build', miniScale.buildMs, 'ms'),
    contextRow('MiniSearch, 10 000 tools: change of one server', miniScale.changeMs, 'ms'),
    contextRow('MiniSearch, 10 000 tools: query, p95', miniScale.queryP95Ms, 'ms'),
    contextRow('MiniSearch, 10 000 tools: memory', miniScale.memoryMiB, 'MiB'),
    contextRow('tool schemas of a request, direct', bytes.direct, 'bytes'),
    contextRow('tool schemas of a request, broker', bytes.broker, 'bytes'),
    goalRow('direct ÷ broker', bytes.direct / bytes.broker, '×', { atLeast: 150 }),
    ...(await calibrationRows()),
  ]
}
