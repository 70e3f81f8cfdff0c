import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { moment } from '../envelope.ts'
import { secondFactorCode } from '../second-factor.ts'

export const stepUpCall = endpoint('POST', '/operator/step-up', 'operator', {
  summary: 'Proves the second factor anew for the acts of the next five minutes that ask for it.',
  body: z.object({ otp: secondFactorCode }),
  answer: z.object({ until: moment }),
  errors: ['OTP_INVALID'],
})
