import { relative } from 'node:path'
import { DefaultReporter } from 'vitest/node'
import type { TestCase, TestModule, TestRunEndReason } from 'vitest/node'

/**
 * Vitest's default output, then every skipped test with its reason, then one plain line: `N passed, N failed, N skipped`.
 * A skip without a reason counts as a failure, and so does an error outside of any test.
 */
export default class PlainSummaryReporter extends DefaultReporter {
  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason)
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const lines: string[] = []
    for (const module of modules) {
      if (!module.ok() && [...module.children.allTests('failed')].length === 0) count.failed++
      for (const test of module.children.allTests()) count[this.outcome(test, lines)]++
    }
    if (count.passed + count.failed === 0) count.failed++
    if (count.failed > 0) process.exitCode = 1
    for (const line of lines) this.log(line)
    this.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }

  private outcome(test: TestCase, lines: string[]): 'passed' | 'failed' | 'skipped' {
    const result = test.result()
    if (result.state === 'passed' || result.state === 'failed') return result.state
    const where = `${relative(process.cwd(), test.module.moduleId)} > ${test.fullName}`
    const note = result.state === 'skipped' ? result.note : undefined
    // With `-t` every test whose name does not match comes as skipped.
    if (note === undefined && this.ctx.config.testNamePattern !== undefined) return 'skipped'
    if (note === undefined) {
      lines.push(`skipped without a reason: ${where}`)
      return 'failed'
    }
    lines.push(`skipped: ${where}: ${note}`)
    return 'skipped'
  }
}
