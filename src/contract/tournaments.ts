import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { atMost, filledText, idText, moment, paged, pageQueryShape } from './fields.ts'
import { STANDINGS } from './tournament-standing.ts'
import { shownName } from './shown-name.ts'

export const tournamentSchema = z.object({
  id: idText,
  name: shownName,
  registration_start_at: moment,
  competition_start_at: moment,
  /** 0: the draw is streamed live. 1: the bracket is published on the day. */
  mode: z.int(),
  /** In luong. */
  fee: z.number(),
  /** Format code 1–4. */
  type: z.int(),
  min_level: z.int(),
  max_level: z.int(),
  /** Up to 2^max_round teams; 0 = as many as come. */
  max_round: z.int(),
  /** 0: no match list yet. */
  current_round: z.int(),
  allowed_classes: z.array(z.int()),
  /** Their names, in the same order. */
  class_names: z.array(z.string()),
  /** What the first teams receive, in the organisers' words; empty while it is not known. */
  prize: z.string(),
  /** The same of how a team takes part. */
  how_to_register: z.string(),
  /** How many teams have registered. */
  team_count: z.int(),
  /** Only characters of this server; null: of any. */
  server_id: z.nullable(z.string()),
  /** How many more than a team's size may play for it. */
  substitutes: z.int(),
  /** `captain`: the captain pays the whole fee. `member`: each member a share. */
  fee_payer: z.literal(['captain', 'member']),
  /** Teams check in during so many minutes before the competition; 0: they do not have to. */
  check_in_minutes: z.int(),
  /** When registration was opened, or closed, before its date. */
  opened_at: z.nullable(moment),
  closed_at: z.nullable(moment),
  /** SHA-256 of the closed list that is drawn; null before the close. Of a draw by a secret: of the secret. */
  draw_commitment: z.nullable(z.string()),
  /** The round of the beacon that the closed list is drawn by, and when that round comes; null before the close. */
  draw_round: z.nullable(z.int()),
  draw_from: z.nullable(moment),
  drawn_at: z.nullable(moment),
  /** When the whole draw is public; null while that is not decided. */
  draw_public_at: z.nullable(moment),
  /** While the referee holds the tournament: nobody is called. */
  paused_at: z.nullable(moment),
  finished_at: z.nullable(moment),
  /** The champion's name once the tournament is over; null also where nobody was left. */
  winner: z.nullable(shownName),
  cancelled_at: z.nullable(moment),
})

/**
 * `held`: has its place while invited players answer and the fee is paid. `waiting`: for a place, in the order of arrival.
 */
export const TEAM_STATES = ['held', 'admitted', 'waiting', 'withdrawn'] as const

/** Why a team is out: `absent` did not check in, `not-admitted` was not complete at the draw. */
export const WITHDRAWN_FOR = ['left', 'expired', 'absent', 'not-admitted', 'operator', 'cancelled'] as const

const matchTeam = z.nullable(z.object({ team_name: shownName }))

export const matchSchema = z.object({
  id: idText,
  round: z.int(),
  position: z.int(),
  /** A side is null while the matches that decide it are not played. */
  team1_id: z.nullable(idText),
  team2_id: z.nullable(idText),
  team_one: matchTeam,
  team_two: matchTeam,
  team1_win_count: z.int(),
  team2_win_count: z.int(),
  winning_team_id: z.nullable(idText),
  /** Which side did not come. */
  absent_side: z.nullable(z.literal([1, 2])),
  /** Decided without a winner: neither side came, or nobody was left to come. */
  is_void: z.boolean(),
  /** The teams are called and have a minute to be there. */
  called_at: z.nullable(moment),
  team1_present: z.boolean(),
  team2_present: z.boolean(),
})

export const listTournaments = endpoint('GET', '/tournaments', 'open', {
  summary: 'The tournaments, the newest first, at most 50.',
  answer: z.array(tournamentSchema),
})

export const getBracket = endpoint('GET', '/tournaments/brackets/{id}', 'open', {
  summary: 'One tournament with its matches, by round and place in the round.',
  params: z.object({ id: z.string() }),
  answer: z.object({
    tournament: tournamentSchema,
    matches: z.array(matchSchema),
    /** The number of the last event in this answer: the event stream goes on behind it. */
    event: z.int(),
  }),
  errors: ['NOT_FOUND'],
})

const following = z.object({ wanted: z.boolean() })

export const getTournamentReminder = endpoint('GET', '/tournaments/{id}/reminder', 'user', {
  summary: 'Whether the player is told when the tournament begins.',
  params: z.object({ id: z.string() }),
  answer: following,
  errors: ['NOT_FOUND'],
})

export const setTournamentReminder = endpoint('PUT', '/tournaments/{id}/reminder', 'user', {
  summary: 'Turns it on or off. CONFLICT once the tournament has begun, or is cancelled.',
  params: z.object({ id: z.string() }),
  body: following,
  answer: following,
  errors: ['NOT_FOUND', 'CONFLICT'],
})

/** A chain of rounds of a random beacon. `demo`: a chain of the portal's own, which proves nothing. */
const chainSchema = z.object({
  name: z.literal(['quicknet', 'demo']),
  hash: z.string(),
  public_key: z.string(),
  /** Of the first round, in seconds. */
  genesis_time: z.number(),
  /** Seconds from round to round. */
  period: z.number(),
  /** Seconds between the close and the round that draws the list, at least. */
  margin: z.number(),
})

const listedTeam = z.object({
  id: idText,
  /** Null, like the members: erased. */
  name: z.nullable(z.string()),
  /** Null also in a draw by a secret, whose list has names alone. */
  members: z.nullable(
    z.array(
      z.object({ character_name: z.string(), server_id: z.nullable(z.string()), is_substitute: z.boolean() }),
    ),
  ),
  digest: z.string(),
  seed: z.nullable(z.int()),
  /** False: it waited for a place when the list was closed. */
  has_place: z.boolean(),
})

export const drawSchema = z.object({
  algorithm: z.string(),
  tournament_id: idText,
  closed_at: z.nullable(moment),
  /** SHA-256 of the closed list; null before the close. */
  commitment: z.nullable(z.string()),
  /** Of draws that were made before there was a beacon. */
  secret: z.nullable(z.string()),
  beacon: z.nullable(
    z.object({
      chain: chainSchema,
      round: z.int(),
      /** Null before the whole draw is public, like the random number, which is its SHA-256. */
      signature: z.nullable(z.string()),
      randomness: z.nullable(z.string()),
    }),
  ),
  /** The closed list of teams; empty before the close. */
  teams: z.array(listedTeam),
  /** Ids of the teams that had a place at the close, in the order that list and random number give. */
  order: z.array(idText),
  /** Who plays at each place of the order: that team, one that moved up into its place, or nobody. */
  lineup: z.array(z.nullable(idText)),
})

export const getDraw = endpoint('GET', '/tournaments/{id}/draw', 'open', {
  summary:
    'What a draw can be checked with, without any network. Before the whole draw is public there is no signature, and `order` and `lineup` have the teams that are public so far.',
  params: z.object({ id: z.string() }),
  answer: drawSchema,
  errors: ['NOT_FOUND'],
})

/** What an act has changed. Names of teams are those that the bracket has. */
export const tournamentEventSchema = z.object({
  tournament: z.optional(z.partial(tournamentSchema)),
  matches: z.optional(z.array(z.omit(matchSchema, { team_one: true, team_two: true }))),
  /** Too much has changed, or was missed: the bracket has to be read again. */
  isWhole: z.optional(z.boolean()),
  /** Teams have registered, changed or left. */
  areTeamsChanged: z.optional(z.boolean()),
})

export const watchTournament = endpoint('GET', '/tournaments/{id}/events', 'open', {
  summary:
    'What happens in a tournament, from behind the event `after` or the one of the header Last-Event-ID on.',
  params: z.object({ id: z.string() }),
  query: z.object({
    after: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'Phải là số của một sự kiện'))),
  }),
  answer: tournamentEventSchema,
  isStream: true,
  errors: ['NOT_FOUND', 'UNAVAILABLE'],
})

const resultSchema = z.object({
  tournament_id: idText,
  tournament_name: shownName,
  /** Format code 1–4. */
  type: z.int(),
  competition_start_at: moment,
  team_id: idText,
  team_name: shownName,
  character_name: shownName,
  /** The server that the character plays on; null for teams that an operator has entered. */
  server_name: z.nullable(shownName),
  /** `next`: it is still playing; `out`: its last match was in `round`. */
  standing: z.enum(STANDINGS),
  /** Of its last match. Rounds are named by `max_round`. */
  round: z.int(),
  max_round: z.int(),
  /** Matches against another team. */
  won: z.int(),
  lost: z.int(),
})

export const listOwnResults = endpoint('GET', '/tournaments/results', 'user', {
  summary: 'The tournaments that the caller has played in, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(resultSchema),
})

export const listCharacterResults = endpoint('GET', '/tournaments/characters/{name}/results', 'open', {
  summary:
    'The tournaments that characters of this name have played in, the newest first. A name may be taken once on each server.',
  params: z.object({ name: filledText(atMost(40)) }),
  query: z.object(pageQueryShape),
  answer: paged(resultSchema),
})

export type TournamentResult = z.output<typeof resultSchema>
export type TournamentEvent = z.output<typeof tournamentEventSchema>
export type Tournament = z.output<typeof tournamentSchema>
export type Match = z.output<typeof matchSchema>
