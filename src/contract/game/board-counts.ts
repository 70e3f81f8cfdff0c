import * as z from 'zod/mini'

/** Whose amounts a board shows, each account or character once, and whether what is not collected yet is in them. */
export const boardCount = z.object({ of: z.enum(['account', 'character']), waiting: z.boolean() })
export type BoardCount = z.output<typeof boardCount>

const BOARDS_MAX = 100

/** By board; the game need not say it of every one. */
export const boardCounts = z
  .record(z.string().check(z.minLength(1), z.maxLength(64)), boardCount)
  .check(z.refine((counts) => Object.keys(counts).length <= BOARDS_MAX, `at most ${BOARDS_MAX} boards`))
export type BoardCounts = z.output<typeof boardCounts>
