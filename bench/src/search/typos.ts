import type { LabelledTask } from './data.ts'

/** Numbers in [0, 1) that are the same in every run: a linear congruential generator (Numerical Recipes' constants). */
export function pseudoRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const CONTENT_WORD = /[A-Za-z]{4,}/g

/** `text` with one letter of one word of four or more letters swapped with its neighbour, dropped or doubled. */
export function withTypo(text: string, random: () => number): string {
  const words = [...text.matchAll(CONTENT_WORD)]
  const chosen = words[Math.floor(random() * words.length)]
  if (chosen === undefined) return text
  const [word] = chosen
  const at = Math.floor(random() * (word.length - 1))
  const [before, here, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  const wrong = [
    `${before}${next}${here}${after}`,
    `${before}${next}${after}`,
    `${before}${here}${here}${next}${after}`,
  ]
  return (
    text.slice(0, chosen.index) + wrong[Math.floor(random() * wrong.length)]! + text.slice(chosen.index + word.length)
  )
}

/** The tasks with one typo in each step. */
export function misspell(tasks: readonly LabelledTask[], seed: number): LabelledTask[] {
  const random = pseudoRandom(seed)
  return tasks.map((task) => ({ ...task, steps: task.steps.map((step) => withTypo(step, random)) }))
}
