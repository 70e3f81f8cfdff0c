import * as z from 'zod/mini'
import { idText, moment } from '../envelope.ts'
import { atMost, filledText } from '../fields.ts'

/** PostgreSQL's text holds no zero character and no half of a surrogate pair. */
export const storable = z.refine<string>(
  (text) => !text.includes('\u0000') && text.isWellFormed(),
  'Có kí tự không hợp lệ',
)

/** Why an operator does it; kept with the act and in the audit trail. */
export const reason = z
  .string('Vui lòng nhập lí do')
  .check(
    z.trim(),
    z.minLength(3, 'Lí do tối thiểu 3 kí tự'),
    z.maxLength(500, 'Lí do tối đa 500 kí tự'),
    storable,
  )

/** What an operator writes to a player. */
export const messageToPlayer = filledText(
  atMost(1_000),
  z.regex(/^(?:[\n\r\t]|[^\p{Cc}\p{Cs}])*$/u, 'Có kí tự không hợp lệ'),
)

export const person = z.object({ id: idText, username: z.string() })

/** A payment channel as its number. */
export const channelFilter = z.literal([1, 2, 3])

export const noteSchema = z.object({ id: idText, text: z.string(), author: person, created_at: moment })

export type OperatorNote = z.output<typeof noteSchema>

/** The rows older than this one. */
export const beforeId = z.object({ before: z.optional(idText) })

/** @__NO_SIDE_EFFECTS__ */
export const noteText = (max: number) => filledText(z.maxLength(max, `Ghi chú tối đa ${max} kí tự`), storable)

/** How many rows one call acts on. */
export const SEVERAL_MAX = 50

/** @__NO_SIDE_EFFECTS__ */
export const severalOf = <One extends z.ZodMiniType>(one: One) =>
  z
    .array(one)
    .check(
      z.minLength(1, 'Hãy chọn ít nhất một dòng'),
      z.maxLength(SEVERAL_MAX, `Mỗi lần tối đa ${SEVERAL_MAX} dòng`),
    )

/** What came of each row, in the order they were given. */
export const severalAnswer = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      /** `waiting`: for a second person. */
      status: z.enum(['done', 'waiting', 'refused']),
      /** Of a refused one: the code and the sentence of the same act on it alone. */
      code: z.optional(z.string()),
      message: z.optional(z.string()),
    }),
  ),
})

export type SeveralAnswer = z.output<typeof severalAnswer>
