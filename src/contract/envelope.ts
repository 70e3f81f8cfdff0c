import * as z from 'zod/mini'

/** The parts any success object may carry: `report` opens a dialog with the message, `notify` shows a toast. */
export const envelopeShape = {
  message: z.optional(z.string()),
  report: z.optional(z.boolean()),
  notify: z.optional(z.boolean()),
}

export const messageAnswer = z.object(envelopeShape)

/** The page of a long list, as the spec's tables read it. Pages count from 1. */
export const paginationSchema = z.object({
  page: z.int(),
  items_per_page: z.int(),
  total: z.int(),
  last_page: z.int(),
})

export const paged = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ data: z.array(row), payload: z.object({ pagination: paginationSchema }) })

/** `page` and `items_per_page` as they arrive in a query string. */
export const pageQueryShape = {
  page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(1_000_000))),
  items_per_page: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
}

/** Ids that travel as text: the database's bigint ids, written in decimal. */
export const idText = z.string().check(z.regex(/^[1-9]\d{0,17}$/, 'Mã không hợp lệ'))

/** The parameters of a call about one row. */
export const byId = z.object({ id: idText })

/** Moments travel as ISO 8601 in UTC. */
export const moment = z.string()
