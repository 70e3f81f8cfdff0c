import * as z from 'zod/mini'
import { authAnswer } from './auth.ts'
import { endpoint } from '../endpoint.ts'
import {
  loginPassword,
  loginUsername,
  messageAnswer,
  newPassword,
  optionalSecondFactorCode,
  phone,
  requiredEmail,
} from '../fields.ts'
import { TOKEN_INVALID_MESSAGE } from '../errors.ts'
import { oneTimeCode } from './one-time-codes.ts'

export const requestPasswordReset = endpoint('POST', '/password/request', 'open', {
  summary: 'Mails a link that sets a new password. Answers alike for any name and address.',
  body: z.object({ username: loginUsername, email: requiredEmail }),
  answer: messageAnswer,
})

const linkToken = z.string(TOKEN_INVALID_MESSAGE).check(z.maxLength(512))

export const checkResetLink = endpoint('POST', '/password/check-link', 'open', {
  summary: 'Whether a mailed link still opens anything.',
  body: z.object({ token: linkToken }),
  answer: z.object({ is_valid: z.boolean() }),
})

export const resetPassword = endpoint('POST', '/password/reset', 'open', {
  summary: 'Sets a new password by a mailed link, ends every session and opens a new one.',
  body: z.object({ password: newPassword, token: linkToken, otp: optionalSecondFactorCode }),
  answer: authAnswer,
  errors: ['TOKEN_INVALID', 'BANNED', 'SECOND_FACTOR_REQUIRED', 'OTP_INVALID', 'UNAVAILABLE'],
})

export const resetPasswordViaPhone = endpoint('POST', '/password/reset-via-phone', 'open', {
  summary:
    'Sets a new password by a verified code of the account’s phone, ends every session and opens a new one. Answers alike for any name.',
  body: z.object({
    username: loginUsername,
    phone,
    password: newPassword,
    code: oneTimeCode,
    otp: optionalSecondFactorCode,
  }),
  answer: authAnswer,
  errors: ['OTP_INVALID', 'BANNED', 'SECOND_FACTOR_REQUIRED', 'UNAVAILABLE'],
})

export const requestGameCode = endpoint('POST', '/password/request-game-code', 'open', {
  summary:
    'Has the game show a code to the player of an account without a proved phone or e-mail. Answers alike for any name.',
  body: z.object({ username: loginUsername }),
  answer: messageAnswer,
  errors: ['CONFLICT'],
})

export const resetPasswordViaGame = endpoint('POST', '/password/reset-via-game', 'open', {
  summary:
    'Sets a new password by the code that the game showed, ends every session and opens a new one. Only for accounts without a proved phone or e-mail. Answers alike for any name.',
  body: z.object({
    username: loginUsername,
    password: newPassword,
    code: oneTimeCode,
    otp: optionalSecondFactorCode,
  }),
  answer: authAnswer,
  errors: ['OTP_INVALID', 'BANNED', 'SECOND_FACTOR_REQUIRED', 'UNAVAILABLE'],
})

export const changePassword = endpoint('POST', '/user/change-password', 'user', {
  summary: 'Sets a new password; every other session of the player ends.',
  body: z.object({ current_password: loginPassword, password: newPassword }),
  answer: messageAnswer,
  errors: ['INVALID_CREDENTIALS', 'UNAVAILABLE'],
})
