import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, moment } from '../envelope.ts'
import { loginPassword, loginUsername, optionalSecondFactorCode } from '../fields.ts'
import { secondFactorCode } from '../second-factor.ts'
import { PERMISSIONS, ROLES } from './roles.ts'

export const stepUpCall = endpoint('POST', '/operator/step-up', 'console', {
  summary:
    'Proves the second factor again, for the acts of the next five minutes that require it. Unlocks a session that was idle for too long.',
  body: z.object({ otp: secondFactorCode }),
  answer: z.object({ until: moment }),
  errors: ['OTP_INVALID'],
})

/** Minutes without a call after which a console session is locked until a code of the second factor is entered. */
export const CONSOLE_IDLE_MINUTES = 30

export const operatorSession = {
  open: endpoint('POST', '/operator/session', 'open', {
    summary:
      'Opens a session of the operator console: password and second factor, for holders of a role. It lasts 12 hours, makes operator calls only, and is locked after 30 minutes without a call.',
    body: z.object({
      username: loginUsername,
      password: loginPassword,
      otp: optionalSecondFactorCode,
      /** Of the link of an invitation: whoever signs in by it gets its role. */
      invite: z.optional(z.string().check(z.maxLength(100, 'Đường dẫn mời không hợp lệ'))),
    }),
    answer: z.object({ access_token: z.string() }),
    status: 201,
    errors: [
      'INVALID_CREDENTIALS',
      'BANNED',
      'SECOND_FACTOR_REQUIRED',
      'OTP_INVALID',
      'TOKEN_INVALID',
      'CONFLICT',
      'UNAVAILABLE',
    ],
  }),
  close: endpoint('DELETE', '/operator/session', 'console', {
    summary: 'Ends the console session the call was made with.',
    status: 204,
  }),
  me: endpoint('GET', '/operator/me', 'operator', {
    summary: 'Who is signed in to the console, what they may do, and until when their last step-up is valid.',
    answer: z.object({
      id: idText,
      username: z.string(),
      roles: z.array(z.enum(ROLES)),
      permissions: z.array(z.enum(PERMISSIONS)),
      step_up_until: z.nullable(moment),
    }),
  }),
}
