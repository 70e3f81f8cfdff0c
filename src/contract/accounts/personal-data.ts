import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText, loginPassword, moment, optionalSecondFactorCode } from '../fields.ts'

/** Proof that the request comes from the account’s owner, and not from somebody who holds their phone. */
const ownerProof = { current_password: loginPassword, otp: optionalSecondFactorCode }

export const downloadPersonalData = endpoint('POST', '/user/personal-data', 'user', {
  summary: 'Everything the player gave or did, as one JSON file.',
  body: z.object(ownerProof),
  file: 'application/json',
  errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'OTP_INVALID'],
})

/** `approved`: an operator has agreed, and a worker erases the account as soon as it can. */
export const DELETION_STATES = ['waiting', 'approved', 'withdrawn', 'refused', 'carried-out'] as const

/** Why an account cannot be erased yet; of balance and debt TCoin are counted, of the others how many there are. */
export const OPEN_MATTERS = [
  'role',
  'balance',
  'debt',
  'order',
  'delivery',
  'claim',
  'bank-transfer',
  'refund',
  'proposal',
  'tournament-fee',
] as const

export type OpenMatter = (typeof OPEN_MATTERS)[number]

export const deletionRequestSchema = z.object({
  id: idText,
  state: z.enum(DELETION_STATES),
  asked_at: moment,
  due_at: moment,
  /** TCoin that the player gives up with the account, at most. */
  given_up: z.number(),
  /** Why it was refused. */
  message: z.nullable(z.string()),
  /** When it was withdrawn or refused. */
  ended_at: z.nullable(moment),
})

export type DeletionRequest = z.output<typeof deletionRequestSchema>

export const getDeletionRequest = endpoint('GET', '/user/deletion-request', 'user', {
  summary: 'The player’s latest request to erase their account, and within how many days one is answered.',
  answer: z.object({ days: z.int(), request: z.nullable(deletionRequestSchema) }),
})

const coins = z.int().check(z.gte(0), z.lte(Number.MAX_SAFE_INTEGER))

export const askForDeletion = endpoint('POST', '/user/deletion-request', 'user', {
  summary:
    'Asks the operators to erase the account. Refused while money is open; TCoin in the wallet are, unless `given_up` covers them.',
  body: z.object({ ...ownerProof, given_up: coins }),
  answer: deletionRequestSchema,
  status: 201,
  errors: ['INVALID_CREDENTIALS', 'SECOND_FACTOR_REQUIRED', 'OTP_INVALID', 'CONFLICT'],
})

export const withdrawDeletion = endpoint('DELETE', '/user/deletion-request', 'user', {
  summary: 'Withdraws the request that is open, as long as it is not being carried out.',
  answer: deletionRequestSchema,
  errors: ['CONFLICT'],
})
