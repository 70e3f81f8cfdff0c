import type { Step } from './steps.ts'

/** Checks of the code that do not run it. */
export const STATIC_CHECKS: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '--project', '.'] },
  { name: 'boundaries', command: ['node', 'scripts/boundaries.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'code that only tests use', command: ['knip', '--production'] },
]
