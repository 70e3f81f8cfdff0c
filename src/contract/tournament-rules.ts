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

/** The classes of the arena (spec §3); 0: those who are not in it yet. */
export const TOURNAMENT_CLASSES = [0, 1, 2, 3, 4, 5, 6] as const

/** How long a team that was called may take; who is not there then loses (spec §9). */
export const CALL_SECONDS = 60

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

/** The max_round to name rounds by: its own, or with unlimited teams the one that the draw's first round makes. */
export function drawnMaxRound(maxRound: number, matches: readonly { round: number }[]): number {
  if (maxRound > 0) return maxRound
  const firstRound = matches.filter(({ round }) => round === 1).length
  return firstRound === 0 ? 0 : Math.ceil(Math.log2(2 * firstRound))
}

/** `announced`, `registering`, `drawing` (its day has come, no list yet), `running`, `finished`, `cancelled`. */
export type TournamentPhase = 'announced' | 'registering' | 'drawing' | 'running' | 'finished' | 'cancelled'

type Dated = {
  registration_start_at: string
  competition_start_at: string
  current_round: number
  winner: string | null
  cancelled_at: string | null
}

export function tournamentPhase(tournament: Dated, now: Date): TournamentPhase {
  if (tournament.cancelled_at !== null) return 'cancelled'
  if (tournament.winner !== null) return 'finished'
  if (tournament.current_round > 0) return 'running'
  if (now >= new Date(tournament.competition_start_at)) return 'drawing'
  return now >= new Date(tournament.registration_start_at) ? 'registering' : 'announced'
}
