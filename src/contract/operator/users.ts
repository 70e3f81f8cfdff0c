import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, idText, moment } from '../fields.ts'
import {
  actOnRow,
  beforeId,
  chosenMoment,
  growingListQuery,
  keyed,
  noteSchema,
  noteText,
  oneRow,
  onRow,
  person,
  reason,
  reasonBody,
  severalAnswer,
  severalOf,
  signedAmount,
  storable,
} from './fields.ts'
import { describedActSchema } from './audit-sentences/parts.ts'
import { permitted, ROLES } from './roles.ts'
import { caseRowSchema } from '../help/cases.ts'
import { sessionSchema, signInSchema } from '../accounts/auth.ts'
import { BAN_SCOPES, userSchema } from '../users.ts'
import { doneOrProposal } from './proposals.ts'
import { deliverySchema } from '../deliveries.ts'
import { claimSchema } from '../recharge-claims.ts'
import { orderSchema } from '../recharge.ts'
import { transactionSchema } from '../transactions.ts'
import { shownName } from '../shown-name.ts'

/** A search finds nothing useful by fewer characters, and too much. */
export const SEARCH_CHARACTERS_MIN = 3

const searchText = z
  .string()
  .check(
    z.trim(),
    z.minLength(SEARCH_CHARACTERS_MIN, `Gõ ít nhất ${SEARCH_CHARACTERS_MIN} ký tự`),
    z.maxLength(100, 'Tối đa 100 ký tự'),
    storable,
  )

export const operatorUserSchema = z.object({
  id: idText,
  username: z.string(),
  server: z.object({ id: z.string(), name: shownName }),
  created_at: moment,
  balance: z.number(),
  /** TCoin owed. */
  debt: z.number(),
  activated: z.boolean(),
  /** The ends of the bans that run. */
  sign_in_ban_until: z.nullable(moment),
  trading_ban_until: z.nullable(moment),
})

export type OperatorUser = z.output<typeof operatorUserSchema>

const banSchema = z.nullable(z.object({ until: moment, reason: z.nullable(z.string()) }))

/** The bans that run, by what they prevent. */
export const bansSchema = z.object({ 'sign-in': banSchema, trading: banSchema })

export type Bans = z.output<typeof bansSchema>

const contactSchema = z.nullable(z.object({ masked: z.string(), verified: z.boolean() }))

/** A bank transfer that waits for a decision and may be this player's. */
export const unmatchedSchema = z.object({
  bank_transfer_id: idText,
  amount: z.number(),
  account_number: z.string(),
  bank_ref: z.nullable(z.string()),
  booked_at: z.nullable(moment),
  created_at: moment,
  memo: z.nullable(z.string()),
  /** Why it is shown with this player, in words. */
  why: z.string(),
  /** The unpaid order it may have been sent for. */
  order: z.nullable(z.object({ code: z.string(), amount: z.number(), created_at: moment })),
})

export type Unmatched = z.output<typeof unmatchedSchema>

export const operatorUserDetailSchema = z.extend(operatorUserSchema, {
  email: contactSchema,
  phone: contactSchema,
  bans: bansSchema,
  activation: z.nullable(z.object({ at: moment, fee: z.number() })),
  roles: z.array(z.enum(ROLES)),
  has_second_factor: z.boolean(),
  /** Who invited them. */
  invited_by: z.nullable(person),
  characters: z.array(
    z.object({
      id: z.string(),
      name: shownName,
      level: z.int(),
      class_id: z.int(),
      class_name: z.nullable(shownName),
    }),
  ),
  last_sign_in_at: z.nullable(moment),
  unmatched: z.array(unmatchedSchema),
})

export type OperatorUserDetail = z.output<typeof operatorUserDetailSchema>

export const TRAIL_KINDS = [
  'order',
  'bank-transfer',
  'ledger',
  'delivery',
  'claim',
  'case',
  'sign-in',
  'act',
] as const

export const trailRowSchema = z.object({
  /** Its kind and its own id. */
  id: z.string(),
  at: moment,
  kind: z.enum(TRAIL_KINDS),
  /** By what its screen is found: a code or an id. */
  ref: z.string(),
  /** A state, the kind of a movement, an outcome or an act, as its own list names it. */
  what: z.string(),
  /** VND of orders, bank transfers and claims; TCoin of movements, signed, and of deliveries. */
  amount: z.nullable(z.number()),
  /** A memo, a reason, a character, what a case is about, or the device and place of a sign-in. */
  note: z.nullable(z.string()),
  /** Who did it, null of the portal itself; or the other side of a transfer. */
  by: z.nullable(z.string()),
  /** An act in words; null of everything else. */
  act: z.nullable(describedActSchema),
})

export type TrailRow = z.output<typeof trailRowSchema>

/** Microseconds since 1970, and the id of the last row of that moment which was shown. */
const trailMark = z
  .string()
  .check(z.regex(/^\d{1,16}(~[a-z-]{1,20}:[0-9A-Za-z-]{1,64})?$/, 'Mốc thời gian không hợp lệ'))

/** A part of what there is, the newest first, and behind what the next part begins. */
export const part = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ rows: z.array(row), next: z.nullable(z.string()) })

const READERS = permitted('users.read')

export const operatorUsers = {
  list: endpoint('GET', '/operator/users', READERS, {
    summary:
      'Players in the order they registered, or by balance as it was at most a minute ago. `q` is the beginning of a username or of a character’s name, or a whole phone number or e-mail address. At most 10,000 are counted.',
    query: growingListQuery(['created_at', 'balance'], {
      q: z.optional(searchText),
      banned: z.optional(z.literal(true)),
      has_debt: z.optional(z.literal(true)),
      server_id: z.optional(z.string().check(z.maxLength(16), storable)),
      /** Days in Vietnam time, both inclusive. */
      created_from: z.optional(dayText),
      created_to: z.optional(dayText),
    }),
    answer: z.array(operatorUserSchema),
  }),
  get: endpoint('GET', '/operator/users/{id}', READERS, {
    summary:
      'One player: contacts (masked), balance, debt, bans, activation, roles, characters, and bank transfers in review that may be theirs.',
    ...oneRow(operatorUserDetailSchema),
  }),
  trail: endpoint('GET', '/operator/users/{id}/trail', READERS, {
    summary:
      'What happened to a player, the newest first: recharge orders, bank transfers (also those in review that name the player), movements of the wallet, deliveries, claims, cases (that of a claim under its claim), sign-ins, and acts on the account. `before` continues.',
    query: z.object({ before: z.optional(trailMark) }),
    ...oneRow(part(trailRowSchema)),
  }),
}

/** What may be found, in the order in which it is shown. */
export const HIT_KINDS = [
  'user',
  'character',
  'order',
  'bank-transfer',
  'payment-event',
  'delivery',
  'post',
] as const

export const hitSchema = z.object({
  kind: z.enum(HIT_KINDS),
  /** By what its screen is found: of a character, its player’s id. */
  ref: z.string(),
  title: shownName,
  /** What distinguishes it from similar ones: a state, a player, a level. */
  detail: z.nullable(z.string()),
  amount: z.nullable(z.number()),
})

export type Hit = z.output<typeof hitSchema>

/** How many of each kind are answered. */
export const HITS_MAX = 10

export const searchCall = endpoint('GET', '/operator/search', 'operator', {
  summary:
    'Finds players (by username, phone, e-mail), characters, recharge orders (by code), bank transfers (by reference), payment events (by reference, memo, amount and account), deliveries (by id) and posts (by title), at most ten of each, of what the caller may read.',
  query: z.object({ q: searchText }),
  answer: z.array(hitSchema),
})

export const NOTE_MAX = 2_000

const HELPERS = permitted('users.assist')
const BANNERS = permitted('users.ban')

const scope = z.enum(BAN_SCOPES, 'Hãy chọn khóa đăng nhập hoặc khóa giao dịch')

const until = z.nullable(chosenMoment)

export const operatorSessionRowSchema = z.extend(z.omit(sessionSchema, { is_current: true }), {
  kind: z.enum(['player', 'console']),
})

export const operatorUserActs = {
  ban: endpoint('POST', '/operator/users/{id}/ban', BANNERS, {
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
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
    ...keyed('STEP_UP_REQUIRED'),
  }),
  liftBan: endpoint('POST', '/operator/users/{id}/lift-ban', BANNERS, {
    ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
    summary: 'Ends a ban. Takes a fresh step-up.',
    body: z.object({ scope, reason }),
    answer: bansSchema,
  }),
  endSessions: endpoint('POST', '/operator/users/{id}/end-sessions', HELPERS, {
    summary: 'Ends every session of a player, on all devices at once.',
    ...actOnRow(z.object({ ended: z.int() })),
  }),
  sendReset: endpoint('POST', '/operator/users/{id}/send-reset', HELPERS, {
    summary: 'Mails a player the link that sets a new password. Their e-mail address is answered masked.',
    ...actOnRow(z.object({ sent_to: z.string() }), 'CONFLICT'),
  }),
  sessions: endpoint('GET', '/operator/users/{id}/sessions', READERS, {
    summary: 'The live sessions of a player, the newest first, at most 50.',
    ...oneRow(z.array(operatorSessionRowSchema)),
  }),
  signIns: endpoint('GET', '/operator/users/{id}/sign-ins', READERS, {
    summary: 'The sign-ins of the last 90 days and those that failed, the newest first. `before` continues.',
    query: beforeId,
    ...oneRow(part(signInSchema)),
  }),
  notes: endpoint('GET', '/operator/users/{id}/notes', READERS, {
    summary: 'What operators noted about a player, the newest first. `before` continues.',
    query: beforeId,
    ...oneRow(part(noteSchema)),
  }),
  addNote: endpoint('POST', '/operator/users/{id}/notes', HELPERS, {
    ...onRow(),
    summary: 'Adds a note about a player. Only operators read it.',
    body: z.object({ note: noteText(NOTE_MAX) }),
    answer: noteSchema,
    status: 201,
  }),
  adjust: endpoint('POST', '/operator/users/{id}/adjustment', permitted('wallet.adjust'), {
    ...onRow('CONFLICT', 'INSUFFICIENT_BALANCE', 'STEP_UP_REQUIRED'),
    summary:
      'Adds TCoin to a wallet or takes some away. What is added pays a debt first; a wallet never goes below zero. Takes a fresh step-up, and above manual_credit_limit a second person.',
    body: z.object({ amount: signedAmount, reason }),
    ...doneOrProposal(z.object({ balance: z.number(), debt: z.number() })),
  }),
  revealContact: endpoint('POST', '/operator/users/{id}/reveal-contact', permitted('users.reveal'), {
    summary: 'The whole e-mail address and phone number of a player. Takes a fresh step-up; audited.',
    ...actOnRow(
      z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
      'STEP_UP_REQUIRED',
    ),
  }),
  removeSecondFactor: endpoint(
    'POST',
    '/operator/users/{id}/remove-second-factor',
    permitted('users.second-factor'),
    {
      ...onRow('CONFLICT', 'STEP_UP_REQUIRED'),
      summary:
        'Takes away the second factor of a player who has lost app and recovery codes. Takes a fresh step-up and a second person.',
      body: reasonBody,
      ...doneOrProposal(z.object({ has_second_factor: z.literal(false) })),
    },
  ),
}

/** How long the view may be read. */
export const VIEW_AS_MINUTES = 10

/** What a player cannot do at the moment, with the message they read. */
const refusalSchema = z.object({ of: z.enum(['sign-in', 'trading', 'recharge']), message: z.string() })

/** What the player's own calls answer at the moment: the first page of each list. */
const playersViewSchema = z.object({
  /** Until when it may be shown. */
  until: moment,
  user: userSchema,
  refusals: z.array(refusalSchema),
  /** The notices about closed sections on every page. */
  notices: z.array(z.string()),
  /** Without what an order is paid by. */
  orders: z.array(z.omit(orderSchema, { qr: true, qr_svg: true, pay_url: true })),
  deliveries: z.array(deliverySchema),
  claims: z.array(claimSchema),
  cases: z.array(caseRowSchema),
  transactions: z.array(transactionSchema),
})

export type PlayersView = z.output<typeof playersViewSchema>

export const viewAsCall = endpoint('POST', '/operator/users/{id}/view-as', permitted('users.view-as'), {
  summary:
    'What this player sees: balance, orders, purchases, claims, cases, statement, and what keeps them from something, as their own calls answer it. Nothing is done in their name; audited. A repeated key answers the present state until ten minutes have passed, then CONFLICT.',
  ...actOnRow(playersViewSchema, 'CONFLICT'),
})
