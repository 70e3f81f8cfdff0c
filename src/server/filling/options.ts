import { parseArgs } from 'node:util'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { UsageError } from '../cli/usage-error.ts'
import type { Plan } from './plan.ts'

/** More than any game has; a mistyped number is found before it fills the disk. */
const PLAYERS_MAX = 5_000_000
const ENTRIES_MAX = 1_000

export function fillOptions(words: string[]): Omit<Plan, 'now'> {
  const option = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args: words, options: { players: option, entries: option, seed: option } })
    return {
      players: wholeNumber(values.players, PLAYERS_MAX),
      entries: wholeNumber(values.entries, ENTRIES_MAX),
      seed: wholeNumber(values.seed ?? '1', 1_000_000_000),
    }
  } catch (error) {
    if (error instanceof SetupProblem) throw error
    throw new UsageError()
  }
}

function wholeNumber(text: string | undefined, most: number): number {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) throw new UsageError()
  if (Number(text) > most) throw new SetupProblem(`${text} is more than fill makes: give at most ${most}`)
  return Number(text)
}
