import * as z from 'zod/mini'
import { OTP_LENGTH } from './constants.ts'
import { endpoint } from './endpoint.ts'
import { atMost, canonicalPhone, filled, phone, required } from './fields.ts'

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

/** Served in a demo only. Open, since players who forgot their password need a phone too. */
export const sendSandboxSms = endpoint('POST', '/sandbox/sms', 'open', {
  summary:
    'Sends the signed message that a phone would cause by texting to the short code; answers what it gets back.',
  /** Any number, so that a demo can show what a foreign one gets. */
  body: z.object({
    phone: z
      .string(required)
      .check(z.overwrite(canonicalPhone), filled(), z.regex(/^\+?\d{8,15}$/, 'Số điện thoại không hợp lệ')),
    text: z.string(required).check(filled(), atMost(160)),
  }),
  answer: z.object({ reply: z.string() }),
})
