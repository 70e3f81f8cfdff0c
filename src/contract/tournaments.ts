import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'

export const tournamentSchema = z.object({
  id: idText,
  name: z.string(),
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
  /** The champion's name once the tournament is over. */
  winner: z.nullable(z.string()),
  cancelled_at: z.nullable(moment),
})

const matchTeam = z.nullable(z.object({ team_name: z.string() }))

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
})

export const listTournaments = endpoint('GET', '/tournaments', 'open', {
  summary: 'The tournaments, the newest first, at most 50.',
  answer: z.array(tournamentSchema),
})

export const getBracket = endpoint('GET', '/tournaments/brackets/{id}', 'open', {
  summary: 'One tournament with its matches, by round and place in the round.',
  params: z.object({ id: z.string() }),
  answer: z.object({ tournament: tournamentSchema, matches: z.array(matchSchema) }),
  errors: ['NOT_FOUND'],
})

export type Tournament = z.output<typeof tournamentSchema>
export type Match = z.output<typeof matchSchema>
