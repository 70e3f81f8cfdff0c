import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { loginPassword, optionalSecondFactorCode } from './fields.ts'

/** What proves that the account’s owner asks, and not somebody with their phone in hand. */
const ownerProof = { current_password: loginPassword, otp: optionalSecondFactorCode }

export const downloadPersonalData = endpoint('POST', '/user/personal-data', 'user', {
  summary: 'Everything the player gave or did, as one JSON file.',
  body: z.object(ownerProof),
  file: 'application/json',
  errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'OTP_INVALID'],
})
