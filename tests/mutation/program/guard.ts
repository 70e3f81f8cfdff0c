import { rewrite } from '../database/pieces.ts'

/** One guard of the program, and the test files that have to fail without it. */
export type ProgramGuard = {
  /** What it keeps. */
  guard: string
  tests: readonly string[]
} & (
  | {
      file: string
      /** The one place where the file reads so, and what stands there without the guard. */
      text: string
      instead: string
    }
  | {
      /** Run by the owner on the migrated database: what only the program's own tests can miss. */
      sql: string
    }
)

type Removal = readonly [guard: string, text: string, instead: string]

/** Guards of one file that the same tests miss. */
export const guardsIn = (
  file: string,
  tests: readonly string[],
  removals: readonly Removal[],
): ProgramGuard[] => removals.map(([guard, text, instead]) => ({ guard, tests, file, text, instead }))

/** A guard of a function of the database that only the program's own tests can miss. */
export const functionGuard = (
  guard: string,
  [name, piece, instead]: readonly [string, string, string],
  tests: readonly string[],
): ProgramGuard => ({ guard, tests, sql: rewrite(name, piece, instead) })
