import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../envelope.ts'
import { secondFactorCode } from '../second-factor.ts'

export const stepUpCall = endpoint('POST', '/operator/step-up', 'console', {
  summary:
    'Proves the second factor again, for the acts of the next five minutes that require it. Unlocks a session that was idle for too long.',
  body: z.object({ otp: secondFactorCode }),
  answer: z.object({ until: moment }),
  errors: ['OTP_INVALID'],
})
