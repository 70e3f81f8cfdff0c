import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { idText, moment } from './fields.ts'

/** How many rows of a ranking are shown; a player's own row is returned beyond them too. */
export const RANKING_ROWS = 100

export const rankingRowSchema = z.object({
  rank: z.int(),
  name: z.string(),
  server_id: z.string(),
  /** Null where the portal knows no character of the player. */
  class_id: z.nullable(z.int()),
  class_name: z.nullable(z.string()),
  /** The same where there is little room. */
  class_short_name: z.nullable(z.string()),
  level: z.nullable(z.int()),
  /** The portrait of the first three and of the player's own row, where the portal knows the character. */
  head: z.nullable(z.int()),
  head_name: z.nullable(z.string()),
  value: z.number(),
  is_mine: z.boolean(),
})

export const listGroups = endpoint('GET', '/groups', 'user', {
  summary: 'The rankings there are, in their order.',
  answer: z.array(
    z.object({
      id: idText,
      name: z.string(),
      description: z.string(),
      /** What the values are: the head of their column. */
      value_name: z.string(),
      /** The one server it is about; null: all of them. */
      server_id: z.nullable(z.string()),
    }),
  ),
})

export const getGroupEntries = endpoint('GET', '/groups/{id}/entries', 'user', {
  summary:
    'The last picture of one ranking, or of one server in it: its first 100 rows, and the player’s best one wherever it stands.',
  params: z.object({ id: z.string() }),
  query: z.object({ server: z.optional(z.string().check(z.regex(/^[0-9A-Za-z_-]{1,16}$/))) }),
  answer: z.object({
    /** When the picture was taken; null before the first one. */
    updated_at: z.nullable(moment),
    rows: z.array(rankingRowSchema),
    mine: z.optional(rankingRowSchema),
  }),
  errors: ['NOT_FOUND'],
})

export type RankingRow = z.output<typeof rankingRowSchema>
