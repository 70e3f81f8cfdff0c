import { CLASS_NAMES } from '#contract/class-names.ts'
import { formatNumber } from '#contract/format-number.ts'
import type { OperatorTournamentRow } from '#contract/operator/tournaments.ts'
import { maxTeams, TOURNAMENT_FORMATS, TOURNAMENT_MODES } from '#contract/tournament-rules.ts'
import { phaseLabels, tournamentsCopy as copy } from '#admin/features/tournaments/tournaments.copy.ts'
import { momentText } from '#admin/kit/format.ts'

export const nameOf = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? String(code)

type Row = OperatorTournamentRow

/** What an operator may change or see changed, as the form names it and in words. */
const SHOWN: readonly [label: string, text: (row: Row) => string][] = [
  [copy.name, ({ name }) => name],
  [copy.phase, ({ phase }) => phaseLabels[phase].label],
  [copy.registration, ({ registration_start_at }) => momentText(registration_start_at)],
  [copy.competition, ({ competition_start_at }) => momentText(competition_start_at)],
  [copy.type, ({ type }) => nameOf(TOURNAMENT_FORMATS, type)],
  [copy.mode, ({ mode }) => nameOf(TOURNAMENT_MODES, mode)],
  [copy.rounds, ({ max_round }) => roundsText(maxTeams(max_round))],
  [copy.fee, ({ fee }) => formatNumber(fee)],
  [copy.minLevel, ({ min_level }) => String(min_level)],
  [copy.maxLevel, ({ max_level }) => String(max_level)],
  [copy.classes, ({ allowed_classes }) => allowed_classes.map((id) => CLASS_NAMES[id]).join(', ')],
  [copy.prize, ({ prize }) => prize],
  [copy.howToRegister, ({ how_to_register }) => how_to_register],
  [copy.teams, ({ team_count }) => formatNumber(team_count)],
]

const roundsText = (most: number | null) => (most === null ? copy.unlimited : formatNumber(most))

export const changesOf = (before: Row, after: Row) =>
  SHOWN.map(([label, text]) => ({ label, was: text(before), is: text(after) })).filter(
    ({ was, is }) => was !== is,
  )
