import * as z from 'zod/mini'
import { OTP_LENGTH } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { filled, phone, required } from './fields.ts'

/** Six digits, as they come by SMS or e-mail. A code is text: it may begin with 0. */
export const oneTimeCode = z
  .string(required)
  .check(filled(), z.regex(new RegExp(`^\\d{${OTP_LENGTH}}$`), `Mã OTP gồm ${OTP_LENGTH} chữ số`))

export const verifyOneTimeCode = endpoint('POST', '/one-time-password/verify', 'open', {
  summary:
    'Verifies a code that came by SMS, once, within 5 minutes of its making. It then serves one act within 10 minutes of its making.',
  body: z.object({ phone, code: oneTimeCode }),
  answer: z.object({ verified: z.literal(true) }),
  errors: ['OTP_INVALID'],
})
