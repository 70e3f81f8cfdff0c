import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { byId, idText, moment } from '../envelope.ts'
import { CLAIM_STATUSES, claimSchema } from '../recharge-claims.ts'
import { messageToPlayer, reason } from './act-fields.ts'
import { growingListQuery, idFilter, oneOrMany } from './list.ts'
import { permitted } from './roles.ts'

export const operatorClaimSchema = z.extend(claimSchema, {
  user_id: idText,
  username: z.string(),
  bank_transaction_id: z.nullable(idText),
})

/** An incoming transfer that the claim may be about. */
export const claimCandidateSchema = z.object({
  id: idText,
  amount: z.number(),
  booked_at: z.nullable(moment),
  bank_reference: z.nullable(z.string()),
  account_number: z.string(),
  state: z.string(),
  reason: z.nullable(z.string()),
  /** Whom it was credited to or is kept for, and by which order. */
  user_id: z.nullable(idText),
  order_code: z.nullable(z.string()),
  is_same_amount: z.boolean(),
  is_same_reference: z.boolean(),
})

export const operatorClaimDetailSchema = z.extend(operatorClaimSchema, {
  candidates: z.array(claimCandidateSchema),
})

const answerClaimBody = z.object({
  outcome: z.enum(['settled', 'rejected'], 'Kết quả phải là settled hoặc rejected'),
  /** The credited transfer it turned out to be. */
  bank_transaction_id: z.nullish(idText),
  /** What the player reads. */
  message: messageToPlayer,
  reason,
})

export type OperatorClaim = z.output<typeof operatorClaimSchema>
export type OperatorClaimDetail = z.output<typeof operatorClaimDetailSchema>
export type ClaimCandidate = z.output<typeof claimCandidateSchema>

export const CLAIM_READERS = permitted('bank-transfers.read')

export const CLAIM_PICTURE_PATH = '/operator/recharge-claims/{id}/picture'

export const operatorClaims = {
  list: endpoint('GET', '/operator/recharge-claims', CLAIM_READERS, {
    summary: 'What players say was not credited. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      id: z.optional(oneOrMany(idFilter)),
      status: z.optional(oneOrMany(z.enum(CLAIM_STATUSES))),
      user_id: z.optional(idFilter),
    }),
    answer: z.array(operatorClaimSchema),
  }),
  get: endpoint('GET', '/operator/recharge-claims/{id}', CLAIM_READERS, {
    summary: 'One claim, with the transfers it may be about.',
    params: byId,
    answer: operatorClaimDetailSchema,
    errors: ['NOT_FOUND'],
  }),
  picture: endpoint('GET', CLAIM_PICTURE_PATH, CLAIM_READERS, {
    summary: 'The picture that came with a claim.',
    params: byId,
    file: 'image/jpeg',
    errors: ['NOT_FOUND'],
  }),
  answer: endpoint('POST', '/operator/recharge-claims/{id}/answer', permitted('recharge-claims.answer'), {
    summary: 'Answers a claim. Credits nothing: crediting is an act on the transfer.',
    params: byId,
    body: answerClaimBody,
    answer: operatorClaimSchema,
    isIdempotent: true,
    errors: ['NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}
