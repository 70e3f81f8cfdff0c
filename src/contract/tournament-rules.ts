// A file of its own, so that a page that only shows a tournament does not load the schema library.

/** Format codes (spec §3): how many fight side by side. */
export const TOURNAMENT_FORMATS = {
  1: 'Đấu tay đôi',
  2: 'Nhóm 4 người',
  3: 'Nhóm 5 người',
  4: 'Nhóm 6 người',
} as const

/** Mode codes (spec §3): how the pairs come about. */
export const TOURNAMENT_MODES = {
  0: 'Bốc thăm phát trực tiếp',
  1: 'Công bố bảng đấu trong ngày thi đấu',
} as const

export const FEE_PAYERS = {
  captain: 'Đội trưởng đóng cả đội',
  member: 'Mỗi thành viên đóng phần mình',
} as const

/** The classes of the arena (spec §3); 0: those who are not in it yet. */
export const TOURNAMENT_CLASSES = [0, 1, 2, 3, 4, 5, 6] as const

/** How long a team that was called may take; who is not there then loses (spec §9). */
export const CALL_SECONDS = 60

/** Teams of one answer. */
export const TEAMS_PAGE = 100

/** How many play for a team of each format. */
const TEAM_SIZES: Readonly<Record<number, number>> = { 1: 1, 2: 4, 3: 5, 4: 6 }

export const teamSize = (type: number): number => TEAM_SIZES[type] ?? 1

const THIRD_PLACE = { name: 'Tranh hạng ba', points: 3 }

const LAST_ROUNDS = [
  { name: 'Chung kết', points: 5 },
  THIRD_PLACE,
  { name: 'Bán kết', points: 3 },
  { name: 'Tứ kết', points: 3 },
] as const

/** `2^max_round`; null without a limit (max_round 0). */
export function maxTeams(maxRound: number): number | null {
  return maxRound === 0 ? null : 2 ** maxRound
}

/** Rounds run from 1 to this one. */
export function roundCount(maxRound: number): number {
  return maxRound + 1
}

const fromTheLast = (round: number, maxRound: number) => LAST_ROUNDS[roundCount(maxRound) - round]

/** Rounds are named from the last backwards; what comes before the quarter-finals is numbered. */
export function roundName(round: number, maxRound: number): string {
  return fromTheLast(round, maxRound)?.name ?? `Vòng loại ${round}`
}

/** Here those play who lost before; in every other round those who won. */
export function isThirdPlace(round: number, maxRound: number): boolean {
  return fromTheLast(round, maxRound) === THIRD_PLACE
}

/** How many games win a match of this round. */
export function roundPoints(round: number, maxRound: number): number {
  return fromTheLast(round, maxRound)?.points ?? 1
}

export type Side = 1 | 2

/** A result as the referee enters it. */
export type EnteredResult = { games: readonly [number, number]; absent: readonly Side[] }

type ResultFault = 'too-many' | 'both-won' | 'absent-ahead'

/**
 * What a result means in a round of so many points: who has as many games won, and so do those whose opponent is absent.
 * With fewer games the match is still being played. Or what is wrong with it.
 */
export function matchOutcome(
  { games: [one, two], absent }: EnteredResult,
  points: number,
): { winner: Side | null; isVoid: boolean } | { fault: ResultFault } {
  if (one > points || two > points) return { fault: 'too-many' }
  if (one === points && two === points) return { fault: 'both-won' }
  if (absent.includes(1) && absent.includes(2)) return { winner: null, isVoid: true }
  const [away] = absent
  if (away !== undefined) {
    const isAhead = away === 1 ? one > two : two > one
    return isAhead ? { fault: 'absent-ahead' } : { winner: away === 1 ? 2 : 1, isVoid: false }
  }
  const winner = one === points ? 1 : two === points ? 2 : null
  return { winner, isVoid: false }
}

/** The max_round to name rounds by: its own, or with unlimited teams the one that the draw's first round makes. */
export function drawnMaxRound(maxRound: number, matches: readonly { round: number }[]): number {
  return maxRoundOf(maxRound, matches.filter(({ round }) => round === 1).length)
}

/** The same from the number of matches in the first round. */
export function maxRoundOf(maxRound: number, firstRound: number): number {
  if (maxRound > 0) return maxRound
  return firstRound === 0 ? 0 : Math.ceil(Math.log2(2 * firstRound))
}

type Closing = {
  closed_at: string | null
  draw_round: number | null
  current_round: number
  cancelled_at: string | null
}

/** Registration has closed, and the list of teams is still being made: of a large tournament that is done in parts. */
export const isListBeingClosed = ({ closed_at, draw_round, current_round, cancelled_at }: Closing): boolean =>
  closed_at !== null && draw_round === null && current_round === 0 && cancelled_at === null

/** When a team may check in; null where it does not have to. */
export function checkInOpensAt({
  check_in_minutes,
  competition_start_at,
}: {
  check_in_minutes: number
  competition_start_at: string
}): Date | null {
  if (check_in_minutes === 0) return null
  return new Date(Date.parse(competition_start_at) - check_in_minutes * 60_000)
}

/** A live draw shows one team after the other in this time. */
export const REVEAL_SECONDS = 3

type Reveal = { mode: number; teams: number; revealed: number; revealFrom: Date | null; drawnAt: Date | null }

/** How many teams of the drawn order are public. */
export function revealedTeams({ mode, teams, revealed, revealFrom }: Reveal, now: Date): number {
  if (revealFrom === null || now < revealFrom) return Math.min(teams, revealed)
  if (mode === 1) return teams
  const beats = Math.floor((now.getTime() - revealFrom.getTime()) / (REVEAL_SECONDS * 1_000)) + 1
  return Math.min(teams, revealed + beats)
}

/** When the whole draw is public; null while nobody has decided that. */
export function drawPublicAt({ mode, teams, revealed, revealFrom, drawnAt }: Reveal): Date | null {
  if (drawnAt === null) return null
  if (mode === 1) return revealFrom
  const left = teams - revealed
  if (left <= 0) return revealFrom ?? drawnAt
  return revealFrom && new Date(revealFrom.getTime() + (left - 1) * REVEAL_SECONDS * 1_000)
}
