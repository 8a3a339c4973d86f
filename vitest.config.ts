import { defineConfig } from 'vitest/config'

/** Files named *.slow.test.ts run only in `npm run test:slow`. */
const slow = process.env.DSH_MCP_SLOW === '1'

export default defineConfig({
  test: {
    include: slow
      ? ['{packages,e2e,bench,scripts}/**/*.slow.test.ts']
      : ['{packages,e2e,bench,scripts}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/lib/**', ...(slow ? [] : ['**/*.slow.test.ts'])],
    setupFiles: ['./scripts/test-matchers.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: slow ? 600_000 : 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['./scripts/test-reporter.ts'],
  },
})
