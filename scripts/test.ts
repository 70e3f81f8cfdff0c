import { STATIC_CHECKS } from './static-checks.ts'
import { runSteps } from './steps.ts'

/**
 * `npm test`: everything. The quick half first, then the database tests, then the built portal in a real Chromium.
 * Ends with the count of all tests; nothing is skipped.
 */
const { passed, failed } = await runSteps([
  STATIC_CHECKS,
  {
    name: 'unit, repo and database tests',
    command: ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile=.cache/vitest.json'],
    report: '.cache/vitest.json',
  },
  { name: 'browser tests', command: ['node', 'scripts/e2e.ts'], report: '.cache/playwright.json' },
])
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
