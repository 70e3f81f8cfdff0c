import { readOptions } from './tool-options.ts'
import { STATIC_CHECKS } from './static-checks.ts'
import { runSteps } from './steps.ts'
import { inTestRun } from './test-run.ts'

readOptions({
  usage:
    'npm run check\n\nFormat, lint, types, import rules, unused code, unit and repository tests; every step, also after a failure.',
  options: {},
})
await inTestRun(async () => {
  const { failed } = await runSteps([
    STATIC_CHECKS,
    { name: 'unit and repo tests', command: ['vitest', 'run', '--project', 'unit', '--project', 'repo'] },
  ])
  process.exitCode = failed > 0 ? 1 : 0
})
