import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../fields.ts'
import { shownName } from '../shown-name.ts'

export const getOwnHome = endpoint('GET', '/home', 'user', {
  summary:
    'What concerns the player now, for the top of the home page: the strongest character, what is open, the next match, and the game’s servers. Never waits for the game.',
  answer: z.object({
    character: z.nullable(
      z.object({
        name: shownName,
        head: z.int(),
        head_name: z.nullable(shownName),
        level: z.int(),
        /** Its place in the first ranking that has it; `previous_rank` as in a ranking. */
        place: z.nullable(
          z.object({ ranking: z.string(), rank: z.int(), previous_rank: z.nullable(z.int()) }),
        ),
      }),
    ),
    /** The newest order that waits for money. */
    order: z.nullable(z.object({ code: z.string(), amount: z.number() })),
    /** Of the last 20 deliveries: those that are not over, and the newest of them. */
    deliveries: z.object({
      open: z.int(),
      newest: z.nullable(z.object({ id: z.string(), character_name: shownName })),
    }),
    match: z.nullable(
      z.object({
        tournament_id: idText,
        tournament: z.string(),
        /** Null while it is not known. */
        opponent: z.nullable(z.string()),
        /** Whether the teams are called to it. */
        is_called: z.boolean(),
      }),
    ),
    /** What the game said of its servers, and when; null where it does not, or not for an hour. */
    game: z.nullable(
      z.object({
        at: moment,
        servers: z.array(z.object({ id: z.string(), name: shownName, online: z.nullable(z.int()) })),
      }),
    ),
  }),
})
