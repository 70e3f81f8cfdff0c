import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { filledText } from './fields.ts'

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
  status: 204,
  errors: ['OTP_INVALID', 'CONFLICT'],
})
