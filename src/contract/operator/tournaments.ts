import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { atMost, byId, idText, moment } from '../fields.ts'
import { givenTitle, rawName } from '../names.ts'
import { shownName } from '../shown-name.ts'
import { teamName } from '../tournament-teams.ts'
import { matchSchema, TEAM_STATES, tournamentSchema, WITHDRAWN_FOR } from '../tournaments.ts'
import { listQuery, newRow, oneRow, onRow, reason, storable } from './fields.ts'
import { permitted } from './roles.ts'

export const TEAM_MEMBERS_MAX = 6
/** As many as the largest bracket has places. */
export const TEAMS_MAX = 4096
/** In one call. */
const TEAMS_AT_ONCE = 64
const RESULTS_AT_ONCE = 100
const SEEDS_MAX = 64
const GAMES_MAX = 5
/** What a beacon answers for a round has about 200 characters. */
const BEACON_TEXT_MAX = 2_000
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

const name = givenTitle('tên giải', { max: 120 })
/** Absent where a console of before does not know it: what is stored stays. */
const optionalText = (max: number) => z.optional(z.string().check(z.trim(), atMost(max), storable))

const idLike = z.string().check(z.maxLength(16), storable)

const characterName = rawName(40)

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
  server_id: z.optional(z.nullable(idLike)),
  substitutes: z.optional(whole(0, 2)),
  fee_payer: z.optional(z.literal(['captain', 'member'])),
  check_in_minutes: z.optional(whole(0, 1_440)),
  allowed_classes: z
    .array(whole(0, 6))
    .check(z.minLength(1, 'Vui lòng chọn ít nhất một trường'), z.maxLength(7)),
}

const operatorMatchSchema = z.extend(matchSchema, { updated_at: moment })

const operatorTeamSchema = z.object({
  id: idText,
  name: shownName,
  /** Names of characters. */
  members: z.array(z.string()),
  state: z.enum(TEAM_STATES),
  /** By a player, who names its members; else by an operator. */
  is_registered: z.boolean(),
  /** 1 is the strongest; null: drawn at random. */
  seed: z.nullable(z.int()),
})

/** In luong, of all charges of a team. */
const teamFees = z.object({
  /** Not decided by the game yet. */
  pending: z.int(),
  taken: z.int(),
  /** Being given back. */
  refunding: z.int(),
  refunded: z.int(),
})

const teamWithFees = z.extend(operatorTeamSchema, {
  /** Until when a `held` team has its place. */
  held_until: z.nullable(moment),
  has_checked_in: z.boolean(),
  withdrawn_for: z.nullable(z.enum(WITHDRAWN_FOR)),
  fees: teamFees,
})

/** Withdrawn teams of one answer. */
export const WITHDRAWN_TEAMS_MAX = 100

const tournamentRow = z.extend(tournamentSchema, { phase: z.enum(TOURNAMENT_PHASES), updated_at: moment })

const operatorTournamentSchema = z.extend(tournamentRow, {
  /** Those that are not out, in the order of arrival. */
  teams: z.array(teamWithFees),
  /** The last that went out. */
  withdrawn: z.array(teamWithFees),
  matches: z.array(operatorMatchSchema),
  /** How many fees are to be given back, and are not yet. */
  fees_to_return: z.int(),
  /** The random seed of the draw, 64 hexadecimal digits. */
  draw_seed: z.nullable(z.string()),
  /** How many teams of the draw are public so far. */
  revealed: z.int(),
  /** The act that can be undone next. */
  undoable: z.nullable(z.object({ number: z.int(), kind: z.string(), match_id: z.nullable(idText) })),
})

/** The tournament, and those of its matches that an act at the desk has changed. */
const deskAnswer = z.extend(tournamentRow, { changed: z.array(operatorMatchSchema) })

/** What an act carries: the state of the match, or of the whole tournament, that it is meant for, and why it is done. */
const act = { updated_at: moment, reason }
const common = { answer: tournamentRow, ...onRow('CONFLICT') }
const write = permitted('tournaments.write')
const ofTeam = z.object({ id: idText, team_id: idText })
const atMatch = { ...common, params: z.object({ id: idText, match: idText }), answer: deskAnswer }
const score = {
  games1: whole(0, GAMES_MAX),
  games2: whole(0, GAMES_MAX),
  /** The sides that did not come. */
  absent: z.array(z.literal([1, 2])).check(z.maxLength(2)),
}

/** An act on a whole tournament that takes nothing else. */
const plainAct = <const Name extends string>(name: Name, summary: string) =>
  endpoint('POST', `/operator/tournaments/{id}/${name}`, write, { summary, body: z.object(act), ...common })

export const operatorTournaments = {
  list: endpoint('GET', '/operator/tournaments', permitted('tournaments.read'), {
    summary: 'All tournaments, cancelled ones included.',
    query: listQuery(['competition_start_at', 'id', 'name'], {
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
    ...newRow(tournamentRow),
  }),
  update: endpoint('PUT', '/operator/tournaments/{id}', write, {
    summary:
      'Changes a tournament that is not over. Once registration has closed, format, rounds, server, substitutes and check-in stay; once it is drawn, its dates too.',
    body: z.object({ ...tournamentFields, ...act }),
    ...common,
  }),
  cancel: plainAct('cancel', 'Cancels a tournament that has no champion yet. It stays visible as cancelled.'),
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
    summary:
      'Changes the name and the members of a team, until registration closes. Without `name` the team keeps its own.',
    body: z.extend(team, { ...act, name: z.optional(teamName) }),
    ...common,
    params: ofTeam,
  }),
  withdrawTeam: endpoint('POST', '/operator/tournaments/{id}/teams/{team_id}/withdraw', write, {
    summary: 'Removes a team that is not drawn yet.',
    body: z.object(act),
    ...common,
    params: ofTeam,
  }),
  open: plainAct('open', 'Opens registration before its date.'),
  close: plainAct(
    'close',
    'Closes registration before the date of the competition. From then on names, members and seeds of the teams stay.',
  ),
  seeds: endpoint('PUT', '/operator/tournaments/{id}/seeds', write, {
    summary:
      'Names the seeded teams, the strongest first, until registration closes; all others are drawn at random.',
    body: z.object({ teams: z.array(idText).check(z.maxLength(SEEDS_MAX)), ...act }),
    ...common,
  }),
  draw: endpoint('POST', '/operator/tournaments/{id}/draw', write, {
    summary:
      'Draws the bracket from the closed list and the random number of its round, which a relay of the beacon delivers, or `beacon`: what anybody has of the round, as the beacon signed it. A place whose team has left goes to a waiting team, or stays empty; places left over are byes for the seeded teams first. With fewer teams than places, max_round falls to what they need. A live draw (mode 0) is then shown team by team; the other one is public at `publish_at`, by default at once. CONFLICT before the time of the round, and while no relay answers.',
    body: z.object({
      publish_at: z.optional(date),
      beacon: z.optional(z.string().check(z.maxLength(BEACON_TEXT_MAX), storable)),
      ...act,
    }),
    ...common,
  }),
  revealNext: endpoint('POST', '/operator/tournaments/{id}/draw/next', write, {
    summary:
      'Shows the next teams of a live draw, by default one; with `beat` one each three seconds from now on, until `beat` is false.',
    body: z.object({
      count: z.optional(whole(1, TEAMS_MAX)),
      beat: z.optional(z.boolean()),
      ...act,
    }),
    ...common,
  }),
  callMatch: endpoint('POST', '/operator/tournaments/{id}/matches/{match}/call', write, {
    summary: 'Calls the two teams of a match of the round being played: they have a minute to be there.',
    body: z.object(act),
    ...atMatch,
  }),
  markPresent: endpoint('POST', '/operator/tournaments/{id}/matches/{match}/present', write, {
    summary: 'Notes whether a called team is there.',
    body: z.object({ side: z.literal([1, 2]), is_present: z.boolean(), ...act }),
    ...atMatch,
  }),
  saveResult: endpoint('POST', '/operator/tournaments/{id}/matches/{match}/result', write, {
    summary:
      'The games that each side of a match of the round being played has won so far, or who did not come. A side wins with as many games as the round has points. Where neither came, nobody goes on.',
    body: z.object({ ...score, ...act }),
    ...atMatch,
  }),
  correctResult: endpoint('POST', '/operator/tournaments/{id}/matches/{match}/correct', write, {
    summary:
      'Corrects the result of a match of any round. `again` names the later matches that have to be played again, as the referee was shown them; where they are others now the answer is 409 with those in `present.again`.',
    body: z.object({ ...score, again: z.array(idText).check(z.maxLength(64)), ...act }),
    ...atMatch,
  }),
  undo: endpoint('POST', '/operator/tournaments/{id}/undo', write, {
    summary: 'Undoes the last act at the desk that is not undone yet.',
    body: z.object({ number: z.optional(z.int()), ...act }),
    ...atMatch,
    params: byId,
  }),
  pause: plainAct('pause', 'Holds a running tournament: nobody is called until it goes on.'),
  resume: plainAct('resume', 'Lets a paused tournament go on.'),
  saveResults: endpoint('PUT', '/operator/tournaments/{id}/results', write, {
    summary:
      'Results of matches of the round being played: all of them, or none. A side wins with as many games as the round has points, or where the other one is absent; with fewer the match is still being played.',
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
  nextRound: plainAct('next-round', 'Opens the next round once every match of the present one has a winner.'),
  finish: plainAct(
    'finish',
    'Ends a tournament: who won the final is its champion; where nobody was left there is none.',
  ),
}

export type OperatorTournamentRow = z.output<typeof tournamentRow>
export type OperatorTournament = z.output<typeof operatorTournamentSchema>
export type OperatorMatch = z.output<typeof operatorMatchSchema>
export type DeskAnswer = z.output<typeof deskAnswer>
export type OperatorTeam = z.output<typeof operatorTeamSchema>
export type TeamWithFees = z.output<typeof teamWithFees>
