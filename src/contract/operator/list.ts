import * as z from 'zod/mini'

/**
 * The list query of react-admin's simple REST provider: three JSON texts. Rows `range[0]`…`range[1]` inclusive,
 * at most 100 of them; the answer carries `Content-Range: <resource> <from>-<to>/<total>`.
 */
export const listQuery = z.object({
  sort: z.optional(z.string().check(z.maxLength(100))),
  range: z.optional(z.string().check(z.maxLength(50))),
  filter: z.optional(z.string().check(z.maxLength(2000))),
})

export const LIST_ROWS_MAX = 100

/** How far a list of a table without end reaches: no row beyond is counted or shown; a filter brings it nearer. */
export const LIST_REACH_MAX = 10_000
