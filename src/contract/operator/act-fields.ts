import * as z from 'zod/mini'
import { idText } from '../envelope.ts'
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
