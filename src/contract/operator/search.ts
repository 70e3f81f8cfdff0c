import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { searchText } from './users.ts'

/** What may be found, in the order in which it is shown. */
export const HIT_KINDS = ['user', 'character', 'order', 'bank-transfer', 'delivery', 'post'] as const

export const hitSchema = z.object({
  kind: z.enum(HIT_KINDS),
  /** By what its screen is found: of a character, its player’s id. */
  ref: z.string(),
  title: z.string(),
  /** What tells it from others like it: a state, a player, a level. */
  detail: z.nullable(z.string()),
  amount: z.nullable(z.number()),
})

export type Hit = z.output<typeof hitSchema>

/** How many of each kind are answered. */
export const HITS_MAX = 10

export const searchCall = endpoint('GET', '/operator/search', 'operator', {
  summary:
    'Finds players (by username, phone, e-mail), characters, recharge orders (by code), bank transfers (by reference), deliveries (by id) and posts (by title), at most ten of each, of what the caller may read.',
  query: z.object({ q: searchText }),
  answer: z.array(hitSchema),
})
