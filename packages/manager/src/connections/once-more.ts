/** Runs `work` when called: at most one run under way and one to follow, however many calls come. */
export function onceMore(work: () => Promise<void>): () => void {
  let running = false
  let again = false
  return function run(): void {
    if (running) {
      again = true
      return
    }
    running = true
    void work().finally(() => {
      running = false
      if (!again) return
      again = false
      run()
    })
  }
}
