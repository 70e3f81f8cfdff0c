import * as z from 'zod/mini'
import { sessionSchema, signInSchema } from '../auth.ts'
import { BAN_SCOPES } from '../bans.ts'
import { endpoint } from '../endpoint.ts'
import type { ErrorCode } from '../errors.ts'
import { byId, idText } from '../envelope.ts'
import { COINS_MAX } from '../money.ts'
import { beforeId, noteSchema, noteText, reason, severalAnswer, severalOf } from './act-fields.ts'
import { operatorProposalSchema } from './proposals.ts'
import { permitted } from './roles.ts'
import { bansSchema, part } from './users.ts'

export const NOTE_MAX = 2_000

const READERS = permitted('users.read')
const HELPERS = permitted('users.assist')
const BANNERS = permitted('users.ban')

const scope = z.enum(BAN_SCOPES, 'Hãy chọn khóa đăng nhập hoặc khóa giao dịch')

const until = z.nullable(z.iso.datetime({ offset: true, error: 'Thời điểm không hợp lệ' }))

const keyed = (...errors: ErrorCode[]) =>
  ({
    params: byId,
    isIdempotent: true,
    errors: ['NOT_FOUND', ...errors, 'KEY_REUSED', 'IN_PROGRESS'] as const,
  }) as const

const signedAmount = z.int('Số TCoin phải là số nguyên').check(
  z.gte(-COINS_MAX, 'Số TCoin quá lớn'),
  z.lte(COINS_MAX, 'Số TCoin quá lớn'),
  z.refine((amount) => amount !== 0, 'Số TCoin phải khác 0'),
)

const waits = z.object({ proposal: operatorProposalSchema })

export const operatorSessionRowSchema = z.extend(z.omit(sessionSchema, { is_current: true }), {
  kind: z.enum(['player', 'console']),
})

export const operatorUserActs = {
  ban: endpoint('POST', '/operator/users/{id}/ban', BANNERS, {
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
    summary:
      'Keeps a player from signing in (every session ends at once) or from trading, until a moment or, with null, for good. A ban that runs is replaced. The player reads the reason. One of more than 24 hours takes a fresh step-up.',
    body: z.object({ scope, until, reason }),
    answer: bansSchema,
  }),
  banMany: endpoint('POST', '/operator/users/ban', BANNERS, {
    summary:
      'Bans up to 50 players for the same reason, each by itself, and says what came of each. One of more than 24 hours takes a fresh step-up.',
    body: z.object({ ids: severalOf(idText), scope, until, reason }),
    answer: severalAnswer,
    isIdempotent: true,
    errors: ['STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
  liftBan: endpoint('POST', '/operator/users/{id}/lift-ban', BANNERS, {
    ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
    summary: 'Ends a ban. Takes a fresh step-up.',
    body: z.object({ scope, reason }),
    answer: bansSchema,
  }),
  endSessions: endpoint('POST', '/operator/users/{id}/end-sessions', HELPERS, {
    ...keyed(),
    summary: 'Ends every session of a player, on all devices at once.',
    body: z.object({ reason }),
    answer: z.object({ ended: z.int() }),
  }),
  sendReset: endpoint('POST', '/operator/users/{id}/send-reset', HELPERS, {
    ...keyed('CONFLICT'),
    summary: 'Mails a player the link that sets a new password. Their e-mail address is answered masked.',
    body: z.object({ reason }),
    answer: z.object({ sent_to: z.string() }),
  }),
  sessions: endpoint('GET', '/operator/users/{id}/sessions', READERS, {
    summary: 'The live sessions of a player, the newest first, at most 50.',
    params: byId,
    answer: z.array(operatorSessionRowSchema),
    errors: ['NOT_FOUND'],
  }),
  signIns: endpoint('GET', '/operator/users/{id}/sign-ins', READERS, {
    summary: 'The sign-ins of the last 90 days and those that failed, the newest first. `before` continues.',
    params: byId,
    query: beforeId,
    answer: part(signInSchema),
    errors: ['NOT_FOUND'],
  }),
  notes: endpoint('GET', '/operator/users/{id}/notes', READERS, {
    summary: 'What operators noted about a player, the newest first. `before` continues.',
    params: byId,
    query: beforeId,
    answer: part(noteSchema),
    errors: ['NOT_FOUND'],
  }),
  addNote: endpoint('POST', '/operator/users/{id}/notes', HELPERS, {
    ...keyed(),
    summary: 'Adds a note about a player. Only operators read it.',
    body: z.object({
      note: noteText(NOTE_MAX),
    }),
    answer: noteSchema,
    status: 201,
  }),
  adjust: endpoint('POST', '/operator/users/{id}/adjustment', permitted('wallet.adjust'), {
    ...keyed('CONFLICT', 'INSUFFICIENT_BALANCE', 'STEP_UP_REQUIRED'),
    summary:
      'Adds TCoin to a wallet or takes some away. What is added pays a debt first; a wallet never goes below zero. Takes a fresh step-up, and above manual_credit_limit a second person.',
    body: z.object({ amount: signedAmount, reason }),
    answer: z.union([z.object({ balance: z.number(), debt: z.number() }), waits]),
    mayWait: true,
  }),
  revealContact: endpoint('POST', '/operator/users/{id}/reveal-contact', permitted('users.reveal'), {
    ...keyed('STEP_UP_REQUIRED'),
    summary: 'The whole e-mail address and phone number of a player. Takes a fresh step-up; audited.',
    body: z.object({ reason }),
    answer: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  }),
  removeSecondFactor: endpoint(
    'POST',
    '/operator/users/{id}/remove-second-factor',
    permitted('users.second-factor'),
    {
      ...keyed('CONFLICT', 'STEP_UP_REQUIRED'),
      summary:
        'Takes away the second factor of a player who has lost app and recovery codes. Takes a fresh step-up and a second person.',
      body: z.object({ reason }),
      answer: z.union([z.object({ has_second_factor: z.literal(false) }), waits]),
      mayWait: true,
    },
  ),
}
