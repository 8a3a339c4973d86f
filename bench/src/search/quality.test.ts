import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { DATA, readCatalogue, readTasks } from './data.ts'
import { hitAt5, meanReciprocalRank, recallAt10, tallyQuestions, tallySteps } from './quality.ts'
import { ours } from './subjects.ts'
import { misspell, pseudoRandom, withTypo } from './typos.ts'

const answers: Readonly<Record<string, readonly string[]>> = {
  first: ['a', 'x', 'y'],
  sixth: ['1', '2', '3', '4', '5', 'a', 'b'],
  none: ['x'],
  eleventh: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'a'],
}
const subject = (query: string) => answers[query] ?? []

describe('tallies', () => {
  test('a hit counts among the first five, a place among the first ten', () => {
    const steps = tallySteps(subject, [{ task: 't', steps: Object.keys(answers), tools: ['a', 'b'] }])
    expect([hitAt5(steps), meanReciprocalRank(steps)]).toEqual([1 / 4, (1 + 1 / 6) / 4])
  })

  test('recall is the share of the tools of a task, for its question', () => {
    const questions = tallyQuestions(subject, [
      { task: 't', question: 'sixth', steps: [], tools: ['a', 'b', 'c', 'd'] },
      { task: 'u', steps: ['first'], tools: ['a'] },
    ])
    expect([questions.queries, recallAt10(questions), hitAt5(questions)]).toEqual([1, 0.5, 0])
  })
})

describe('typos', () => {
  test('change one word of four letters or more, always in the same way', () => {
    const random = pseudoRandom(5)
    const kinds = new Set<number>()
    for (let round = 0; round < 100; round++) {
      const typo = withTypo('get a weather map', random)
      expect(typo).toMatch(/^get a [a-z]+ map$/)
      kinds.add(typo.length)
    }
    expect([...kinds].toSorted()).toEqual([16, 17, 18])
    const tasks = [{ task: 't', steps: ['find the weather', 'to do it'], tools: [] }]
    expect(misspell(tasks, 3)).toEqual(misspell(tasks, 3))
    expect(misspell(tasks, 3)[0]!.steps[1]).toBe('to do it')
  })
})

describe('the data set', () => {
  test('has sixty Chinese renderings, each of a step of the same task', async () => {
    const tasks = new Map((await readTasks(DATA.queries)).map((task) => [task.task, task]))
    const chinese = await readTasks(DATA.chinese)
    expect(chinese.flatMap(({ steps }) => steps)).toHaveLength(60)
    for (const { task, source = [], steps, tools } of chinese) {
      expect(source).toHaveLength(steps.length)
      expect(tasks.get(task)?.steps).toEqual(expect.arrayContaining([...source]))
      expect(tasks.get(task)?.tools).toEqual(tools)
      for (const step of steps) expect(step).toMatch(/\p{Script=Han}/u)
    }
  })

  test('does not stand in the search: no query of it is an alias', async () => {
    const groups = await readFile(
      new URL('../../../packages/manager/src/broker/search/alias-groups.ts', import.meta.url),
      'utf8',
    )
    const queries = [...(await readTasks(DATA.queries)), ...(await readTasks(DATA.chinese))]
    for (const { question, steps } of queries)
      for (const query of [question, ...steps])
        if (query !== undefined && query.length > 6) expect(groups).not.toContain(query)
  })

  test('finds steps in both languages', async () => {
    const search = ours(await readCatalogue(DATA.catalogue))
    expect(search('convert a word document to pdf').slice(0, 5)).toContain('convert_to_pdf')
    expect(search('把 Word 文档转成 PDF').slice(0, 5)).toContain('convert_to_pdf')
  })
})
