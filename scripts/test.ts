import { hasAllCases } from '#tests/support/test-run.ts'
import { readOptions } from './tool-options.ts'
import { STATIC_CHECKS } from './static-checks.ts'
import { runSteps, type Step } from './steps.ts'
import { inTestRun } from './test-run.ts'

readOptions({
  usage: `npm test

Everything: static checks, unit, repository and database tests, then the built portal in a real Chromium. Ends with the
count of all tests. Single files: npm run test:unit, npm run test:db and npm run e2e, each with -- <file>.`,
  options: {},
})
await inTestRun(async () => {
  const { passed, failed } = await runSteps([
    STATIC_CHECKS,
    {
      name: 'unit, repo and database tests',
      command: ['vitest', 'run', '--reporter=default', '--reporter=json', '--outputFile=.cache/vitest.json'],
      report: '.cache/vitest.json',
    },
    { name: 'browser tests', command: ['node', 'scripts/e2e.ts'], report: '.cache/playwright.json' },
    ...(hasAllCases
      ? [{ name: 'other engines', command: ['node', 'tests/engines/main.ts'] } satisfies Step]
      : []),
  ])
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
})
