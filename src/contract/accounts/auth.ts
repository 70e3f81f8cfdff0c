import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import {
  atMost,
  byId,
  idText,
  loginPassword,
  loginUsername,
  moment,
  newPassword,
  newUsername,
  optionalEmail,
  optionalSecondFactorCode,
  paged,
  pageQueryShape,
  phone,
  required,
  typedUsername,
} from '../fields.ts'
import { userSchema } from '../users.ts'

export const authAnswer = z.object({ access_token: z.string(), message: z.optional(z.string()) })

/** What proves who signs in, to both sites. */
export const loginBody = z.object({
  username: loginUsername,
  password: loginPassword,
  otp: optionalSecondFactorCode,
})

export const login = endpoint('POST', '/auth/login', 'open', {
  summary: 'Opens a session. `message`, when there is one, is a warning to show.',
  body: loginBody,
  answer: authAnswer,
  errors: ['INVALID_CREDENTIALS', 'BANNED', 'SECOND_FACTOR_REQUIRED', 'OTP_INVALID', 'UNAVAILABLE'],
})

export const register = endpoint('POST', '/auth/register', 'open', {
  summary: 'Makes an account and its first session.',
  body: z.object({
    username: newUsername,
    email: optionalEmail,
    phone,
    password: newPassword,
    referral_id: z.nullish(z.string().check(z.overwrite(typedUsername), atMost(64))),
    name: z.nullish(z.string().check(atMost(64))),
    server_id: z.nullish(z.string().check(atMost(16))),
  }),
  answer: authAnswer,
  status: 201,
  errors: ['USERNAME_TAKEN', 'PHONE_TAKEN', 'UNAVAILABLE'],
})

export const verify = endpoint('POST', '/auth/verify', 'open', {
  summary: 'The player behind a token; 401 when the session is dead.',
  isOfBody: true,
  body: z.object({ access_token: z.string(required).check(z.maxLength(512)) }),
  answer: userSchema,
  errors: ['UNAUTHENTICATED'],
})

export const logout = endpoint('POST', '/auth/logout', 'user', {
  summary: 'Ends the session the call was made with.',
})

export const sessionSchema = z.object({
  id: idText,
  created_at: moment,
  last_used_at: moment,
  device: z.string(),
  /** Where its address lies, in words: a country, or that it is a private network. */
  place: z.string(),
  is_current: z.boolean(),
})

export const listSessions = endpoint('GET', '/auth/sessions', 'user', {
  summary: 'The live sessions of the player, the newest first, at most 50.',
  answer: z.array(sessionSchema),
})

export const endSession = endpoint('DELETE', '/auth/sessions/{id}', 'user', {
  summary: 'Ends a session of the player.',
  params: byId,
  errors: ['NOT_FOUND'],
})

export const endOtherSessions = endpoint('DELETE', '/auth/sessions', 'user', {
  summary: 'Ends every other session of the player.',
})

export const signInSchema = z.object({
  id: idText,
  at: moment,
  device: z.string(),
  place: z.string(),
  outcome: z.enum(['succeeded', 'wrong-password', 'wrong-second-factor']),
  is_new_device: z.boolean(),
})

export const listSignIns = endpoint('GET', '/auth/sign-ins', 'user', {
  summary: 'The sign-ins of the last 90 days and those that failed, the newest first.',
  query: z.object(pageQueryShape),
  answer: paged(signInSchema),
})
