import { fieldOfMoment } from '#contract/format.ts'
import type { StatementView } from '#web/features/statements/statement-query.ts'

/** Days up to today that one tap chooses; null stands for all. */
export const DAY_CHIPS = [1, 7, 30, null] as const

export type DayChip = (typeof DAY_CHIPS)[number]

type Days = Pick<StatementView, 'from' | 'to'>

const DAY_MS = 86_400_000

/** The days of a chip, by Vietnam's clock wherever the phone is. */
export function daysOf(chip: DayChip, now_ms: number): Days {
  if (chip === null) return { from: '', to: '' }
  const first = new Date(now_ms - (chip - 1) * DAY_MS).toISOString()
  return { from: fieldOfMoment(first).slice(0, 10), to: '' }
}

/** The chip that stands for these days; undefined for days of the player's own. */
export function chipOf({ from, to }: Days, now_ms: number): DayChip | undefined {
  return DAY_CHIPS.find((chip) => to === '' && daysOf(chip, now_ms).from === from)
}
