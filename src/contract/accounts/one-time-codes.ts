import * as z from 'zod/mini'
import { OTP_LENGTH } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import {
  atMost,
  canonicalPhone,
  EMAIL_INVALID,
  filled,
  filledText,
  messageAnswer,
  phone,
  required,
  requiredEmail,
} from '../fields.ts'

/** Six digits, as they come by SMS or e-mail. A code is text: it may begin with 0. */
export const oneTimeCode = z
  .string(required)
  .check(filled(), z.regex(new RegExp(`^\\d{${OTP_LENGTH}}$`), `Mã OTP gồm ${OTP_LENGTH} chữ số`))

export const verifyOneTimeCode = endpoint('POST', '/one-time-password/verify', 'open', {
  summary:
    'Verifies a code that came by SMS, once, within 5 minutes. It then serves one act within 10 minutes of its making.',
  body: z.object({ phone, code: oneTimeCode }),
  answer: z.object({ verified: z.literal(true) }),
  errors: ['OTP_INVALID'],
})

/** Served in a demo only. Open, since players who forgot their password need a phone too. */
export const sendSandboxSms = endpoint('POST', '/sandbox/sms', 'open', {
  summary: 'Sends the signed message that a phone’s text to the short code causes; answers its reply.',
  /** Any number, so that a demo can show what a foreign one gets. */
  body: z.object({
    phone: z
      .string(required)
      .check(z.overwrite(canonicalPhone), filled(), z.regex(/^\+?\d{8,15}$/, 'Số điện thoại không hợp lệ')),
    text: z.string(required).check(filled(), atMost(160)),
  }),
  answer: z.object({ reply: z.string() }),
})

export const getContactHints = endpoint('GET', '/user/contact-hints', 'user', {
  summary:
    'The phone and the address that came over from the game, to fill in the forms that prove one. Nothing else uses them, and they are gone with the first proof.',
  answer: z.object({ phone: z.nullable(z.string()), email: z.nullable(z.string()) }),
})

export const sendEmailCode = endpoint('POST', '/email/send-otp', 'user', {
  summary:
    'Mails a code to an address. The player’s own address may be given masked, as `User.email` has it.',
  body: z.object({
    email: filledText(z.maxLength(254, EMAIL_INVALID), z.regex(/^[^\s@]+@[^\s@]+$/, EMAIL_INVALID)),
  }),
  answer: messageAnswer,
})

export const verifyEmail = endpoint('POST', '/email/verify', 'user', {
  summary: 'Proves the player’s present address by the code that was mailed to it.',
  body: z.object({ code: oneTimeCode }),
  answer: messageAnswer,
  errors: ['OTP_INVALID'],
})

export const updateEmail = endpoint('POST', '/email/update', 'user', {
  summary:
    'Sets another address. `otp` went to the present address, or is a code of the verified phone when there is none; `newEmailOtp` went to the new address.',
  body: z.object({
    otp: z.nullish(z.union([z.literal(''), oneTimeCode])),
    newEmail: requiredEmail,
    newEmailOtp: oneTimeCode,
  }),
  answer: messageAnswer,
  errors: ['OTP_INVALID', 'OTP_REQUIRED'],
})

export const updatePhone = endpoint('POST', '/phone/update', 'user', {
  summary:
    'Sets and proves a phone by its verified code. A verified old phone must have an unspent verified code too, which is spent.',
  body: z.object({ code: oneTimeCode, newPhone: phone }),
  answer: messageAnswer,
  errors: ['OTP_INVALID', 'OTP_REQUIRED', 'PHONE_TAKEN'],
})

/** Six digits of an authenticator app, or one of the recovery codes. */
export const secondFactorCode = filledText(z.maxLength(32))

export const getSecondFactor = endpoint('GET', '/user/second-factor', 'user', {
  summary: 'Whether the second factor is on, and how many recovery codes are left.',
  answer: z.object({ is_on: z.boolean(), recovery_codes_left: z.int() }),
})

export const startSecondFactor = endpoint('POST', '/user/second-factor', 'user', {
  summary: 'Makes a secret for an authenticator app. Nothing changes until a code of it is confirmed.',
  answer: z.object({ secret: z.string(), uri: z.string() }),
  errors: ['CONFLICT'],
})

export const confirmSecondFactor = endpoint('POST', '/user/second-factor/confirm', 'user', {
  summary: 'Turns the second factor on by a code of the new secret. The recovery codes are shown this once.',
  body: z.object({ code: secondFactorCode }),
  answer: z.object({ recovery_codes: z.array(z.string()) }),
  errors: ['OTP_INVALID', 'CONFLICT'],
})

export const removeSecondFactor = endpoint('DELETE', '/user/second-factor', 'user', {
  summary: 'Turns the second factor off by one of its codes.',
  body: z.object({ code: secondFactorCode }),
  errors: ['OTP_INVALID', 'CONFLICT'],
})
