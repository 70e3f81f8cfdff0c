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

/** Why an operator does it; kept in the audit trail. */
export const reason = z
  .string('Vui lòng ghi lý do')
  .check(z.trim(), z.minLength(3, 'Lý do cần ít nhất 3 kí tự'), z.maxLength(500, 'Lý do tối đa 500 kí tự'))
