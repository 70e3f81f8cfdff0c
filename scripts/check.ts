import { STATIC_CHECKS } from './static-checks.ts'
import { runSteps } from './steps.ts'

/**
 * `npm run check`: format, lint, types, boundaries, dead code, unit and repository tests.
 * Every step runs even when one before it failed, so that one look shows all there is to mend.
 */
const { failed } = await runSteps([
  STATIC_CHECKS,
  { name: 'unit and repo tests', command: ['vitest', 'run', '--project', 'unit', '--project', 'repo'] },
])
process.exitCode = failed > 0 ? 1 : 0
