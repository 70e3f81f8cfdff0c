import { formatNumber } from '#contract/format.ts'
import { maxTeams, TOURNAMENT_CLASSES, TOURNAMENT_MODES } from '#contract/tournament-rules.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import { factsCopy, nameOf } from '#web/features/tournaments/tournament-facts.tsx'

const FIGHTING_CLASSES = TOURNAMENT_CLASSES.length - 1

export function modeText({ mode }: Tournament): string {
  return nameOf(TOURNAMENT_MODES, mode)
}

export function teamsText({ max_round }: Tournament): string {
  const teams = maxTeams(max_round)
  return teams === null ? copy.unlimited : copy.teamCount(formatNumber(teams))
}

/** The same for a line without its label. */
export function sizeText(tournament: Tournament): string {
  return tournament.max_round === 0 ? copy.anySize : teamsText(tournament)
}

/** All six schools are summed up as "all"; players without a school are named beside them. */
export function classesText({ allowed_classes, class_names }: Tournament): string {
  const none = allowed_classes.indexOf(0)
  const isWithoutSchool = none >= 0
  const schools = class_names.filter((_, index) => index !== none)
  if (schools.length === FIGHTING_CLASSES) return isWithoutSchool ? copy.allClassesAndNone : copy.allClasses
  const names = [
    ...schools,
    ...class_names.filter((_, index) => index === none).map((name) => name.toLowerCase()),
  ]
  return names.length === 0 ? factsCopy.unknown : names.join(', ')
}
