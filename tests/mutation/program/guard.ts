import { rewrite } from '../database/pieces.ts'

/** One guard of the program, and the test files that have to fail without it. */
export type ProgramGuard = {
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

/** The text to find; with another, what stands there without the guard, else nothing. */
type Removal = string | readonly [text: string, instead: string]

/** Guards of one file that the same tests notice, by their names. */
export const guardsIn = (
  file: string,
  tests: string | readonly string[],
  removals: Readonly<Record<string, Removal>>,
): ProgramGuard[] =>
  Object.entries(removals).map(([guard, removal]) => {
    const [text, instead = ''] = [removal].flat()
    return { guard, tests: [tests].flat(), file, text: text ?? '', instead }
  })

/** A guard of a function of the database that only the program's own tests can miss. */
export const functionGuard = (
  guard: string,
  [name, piece, instead]: readonly [string, string, string],
  tests: readonly string[],
): ProgramGuard => ({ guard, tests, sql: rewrite(name, piece, instead) })
