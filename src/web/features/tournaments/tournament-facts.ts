import { formatNumber } from '#contract/format.ts'
import { TOURNAMENT_FORMATS } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { factsCopy as copy } from '#web/features/tournaments/tournament-facts.copy.ts'

export function feeText({ fee }: Tournament): string {
  return fee === 0 ? copy.free : copy.luong(formatNumber(fee))
}

/** As a part of a line about the tournament. */
export function namedFeeText(tournament: Tournament): string {
  return tournament.fee === 0 ? copy.free : copy.fee(feeText(tournament))
}

export function formatText({ type }: Tournament): string {
  return nameOf(TOURNAMENT_FORMATS, type)
}

/** Codes come from the server; an unknown one is shown as unknown. */
export function nameOf(names: Readonly<Record<number, string>>, code: number): string {
  return names[code] ?? copy.unknown
}
