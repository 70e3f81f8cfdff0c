import type { Step } from './steps.ts'

/** Checks of the code that do not run it. */
export const STATIC_CHECKS: readonly Step[] = [
  { name: 'format', command: ['oxfmt', '--check', '.'] },
  { name: 'lint', command: ['oxlint', '--deny-warnings'] },
  // A fourth of the CPU time of `typescript`, which tools that read its interface need. By its path: both are called tsc.
  {
    name: 'types',
    command: ['node', 'node_modules/typescript-7/bin/tsc', '--project', '.', '--singleThreaded'],
  },
  { name: 'boundaries', command: ['node', 'scripts/boundaries.ts'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'code that only tests use', command: ['knip', '--production'] },
]
