import { runSteps } from './steps.ts'

/**
 * `npm run check`: format, lint, types, boundaries, dead code, unit and repository tests.
 * Every step runs even when one before it failed, so that one look shows all there is to mend.
 */
const { failed } = await runSteps([
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '--project', '.'] },
  { name: 'boundaries', command: ['node', 'scripts/boundaries.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'code that only tests use', command: ['knip', '--production'] },
  { name: 'unit and repo tests', command: ['vitest', 'run', '--project', 'unit', '--project', 'repo'] },
])
process.exitCode = failed > 0 ? 1 : 0
