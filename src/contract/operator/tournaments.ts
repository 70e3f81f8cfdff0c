import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { atMost, byId, filledText, idText, moment } from '../fields.ts'
import { matchSchema, tournamentSchema } from '../tournaments.ts'
import { idFilter, listQuery, oneOrMany, oneRow, reason, storable } from './fields.ts'
import { permitted } from './roles.ts'

export const TEAM_MEMBERS_MAX = 6
/** As many as the largest bracket has places. */
export const TEAMS_MAX = 4096
/** In one call. */
const TEAMS_AT_ONCE = 64
const RESULTS_AT_ONCE = 100
const GAMES_MAX = 5
export const PRIZE_MAX = 300
export const HOW_TO_REGISTER_MAX = 1_000

export const TOURNAMENT_PHASES = [
  'announced',
  'registering',
  'drawing',
  'running',
  'finished',
  'cancelled',
] as const

const whole = (min: number, max: number) => {
  const message = `Phải là số nguyên từ ${min} đến ${max}`
  return z.int(message).check(z.gte(min, message), z.lte(max, message))
}

const date = z
  .string('Vui lòng chọn thời điểm')
  .check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'Vui lòng chọn thời điểm'))

const name = filledText(atMost(120)).check(storable)
const teamName = filledText(atMost(60)).check(storable)
/** Absent where a console of before does not know it: what is stored stays. */
const optionalText = (max: number) => z.optional(z.string().check(z.trim(), atMost(max), storable))

const characterName = filledText(atMost(40)).check(storable)

const team = z.object({
  name: teamName,
  members: z
    .array(characterName)
    .check(
      z.minLength(1, 'Mỗi đội cần ít nhất một thành viên'),
      z.maxLength(TEAM_MEMBERS_MAX, `Mỗi đội có tối đa ${TEAM_MEMBERS_MAX} thành viên`),
    ),
})

const tournamentFields = {
  name,
  registration_start_at: date,
  competition_start_at: date,
  mode: whole(0, 1),
  fee: whole(0, 1_000_000_000),
  type: whole(1, 4),
  min_level: whole(1, 200),
  max_level: whole(1, 200),
  max_round: whole(0, 12),
  prize: optionalText(PRIZE_MAX),
  how_to_register: optionalText(HOW_TO_REGISTER_MAX),
  allowed_classes: z
    .array(whole(0, 6))
    .check(z.minLength(1, 'Vui lòng chọn ít nhất một trường'), z.maxLength(7)),
}

const operatorMatchSchema = z.extend(matchSchema, {
  /** Which side did not come. */
  absent_side: z.nullable(z.literal([1, 2])),
  updated_at: moment,
})

const operatorTeamSchema = z.object({
  id: idText,
  name: z.string(),
  /** Names of characters. */
  members: z.array(z.string()),
})

const tournamentRow = z.extend(tournamentSchema, { phase: z.enum(TOURNAMENT_PHASES), updated_at: moment })

const operatorTournamentSchema = z.extend(tournamentRow, {
  teams: z.array(operatorTeamSchema),
  matches: z.array(operatorMatchSchema),
  /** The random seed of the draw, 64 hexadecimal digits. */
  draw_seed: z.nullable(z.string()),
})

/** What an act on a whole tournament carries: the state it is meant for, and why it is done. */
const act = z.object({ updated_at: moment, reason })
const common = {
  params: byId,
  answer: tournamentRow,
  isIdempotent: true,
  errors: ['NOT_FOUND', 'CONFLICT', 'KEY_REUSED'],
} as const
const write = permitted('tournaments.write')

export const operatorTournaments = {
  list: endpoint('GET', '/operator/tournaments', permitted('tournaments.read'), {
    summary: 'All tournaments, cancelled ones included.',
    query: listQuery(['competition_start_at', 'id', 'name'], {
      id: z.optional(oneOrMany(idFilter)),
      q: z.optional(z.string().check(z.maxLength(120), storable)),
      phase: z.optional(z.enum(TOURNAMENT_PHASES)),
    }),
    answer: z.array(tournamentRow),
  }),
  get: endpoint('GET', '/operator/tournaments/{id}', permitted('tournaments.read'), {
    summary: 'One tournament with its teams, their members, and its matches.',
    ...oneRow(operatorTournamentSchema),
  }),
  create: endpoint('POST', '/operator/tournaments', write, {
    summary: 'Announces a tournament. Registration is open between the two dates, until the draw.',
    body: z.object({ ...tournamentFields, reason }),
    answer: tournamentRow,
    status: 201,
    isIdempotent: true,
    errors: ['KEY_REUSED'],
  }),
  update: endpoint('PUT', '/operator/tournaments/{id}', write, {
    summary: 'Changes a tournament that is not over. Once it is drawn, its dates, format and rounds stay.',
    body: z.object({ ...tournamentFields, updated_at: moment, reason }),
    ...common,
  }),
  cancel: endpoint('POST', '/operator/tournaments/{id}/cancel', write, {
    summary: 'Cancels a tournament that has no champion yet. It stays visible as cancelled.',
    body: act,
    ...common,
  }),
  addTeams: endpoint('POST', '/operator/tournaments/{id}/teams', write, {
    summary: 'Registers teams while registration is open: all of them, or none.',
    body: z.object({
      teams: z
        .array(team)
        .check(
          z.minLength(1, 'Vui lòng nhập ít nhất một đội'),
          z.maxLength(TEAMS_AT_ONCE, `Mỗi lần đăng ký tối đa ${TEAMS_AT_ONCE} đội`),
        ),
      reason,
    }),
    ...common,
  }),
  updateTeam: endpoint('PUT', '/operator/tournaments/{id}/teams/{team_id}', write, {
    summary: 'Changes the name and the members of a team.',
    body: z.extend(team, { updated_at: moment, reason }),
    ...common,
    params: z.object({ id: idText, team_id: idText }),
  }),
  withdrawTeam: endpoint('POST', '/operator/tournaments/{id}/teams/{team_id}/withdraw', write, {
    summary: 'Removes a team that is not drawn yet.',
    body: act,
    ...common,
    params: z.object({ id: idText, team_id: idText }),
  }),
  draw: endpoint('POST', '/operator/tournaments/{id}/draw', write, {
    summary:
      'Draws the bracket at random and opens its first round; registration is then closed. Places left over are byes. With fewer teams than places, max_round falls to what they need.',
    body: act,
    ...common,
  }),
  saveResults: endpoint('PUT', '/operator/tournaments/{id}/results', write, {
    summary:
      'Results of matches of the round being played: all of them, or none. Neither side wins more games than the round’s points; a tie has no winner unless one side was absent.',
    body: z.object({
      results: z
        .array(
          z.object({
            match_id: idText,
            team1_win_count: whole(0, GAMES_MAX),
            team2_win_count: whole(0, GAMES_MAX),
            absent_side: z.nullable(z.literal([1, 2])),
            /** Of the match as the caller read it. */
            updated_at: moment,
          }),
        )
        .check(
          z.minLength(1, 'Vui lòng nhập kết quả của ít nhất một trận'),
          z.maxLength(RESULTS_AT_ONCE, `Mỗi lần ghi tối đa ${RESULTS_AT_ONCE} trận`),
        ),
      reason,
    }),
    ...common,
  }),
  nextRound: endpoint('POST', '/operator/tournaments/{id}/next-round', write, {
    summary: 'Opens the next round once every match of the present one has a winner.',
    body: act,
    ...common,
  }),
  finish: endpoint('POST', '/operator/tournaments/{id}/finish', write, {
    summary: 'Ends a tournament: who won the final is its champion.',
    body: act,
    ...common,
  }),
}

export type OperatorTournamentRow = z.output<typeof tournamentRow>
export type OperatorTournament = z.output<typeof operatorTournamentSchema>
export type OperatorMatch = z.output<typeof operatorMatchSchema>
export type OperatorTeam = z.output<typeof operatorTeamSchema>
