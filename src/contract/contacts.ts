import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { messageAnswer } from './envelope.ts'
import { EMAIL_INVALID, filledText, phone, requiredEmail } from './fields.ts'
import { oneTimeCode } from './one-time-codes.ts'

export const sendEmailCode = endpoint('POST', '/email/send-otp', 'user', {
  summary:
    'Mails a code to an address. The player’s own address may be given masked, as `User.email` shows it: the browser knows no other form.',
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
    'Sets another address. `otp` went to the present verified address, or is a verified code of the verified phone when there is none; `newEmailOtp` went to the new address.',
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
