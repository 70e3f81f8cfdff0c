import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, idText, moment } from '../fields.ts'
import { PURCHASE_KINDS, type PurchaseTransfer } from '../deliveries.ts'
import { amountFilter, growingListQuery, idFilter, oneRow, person, usernameFilter } from './fields.ts'
import { permitted } from './roles.ts'

const PURCHASE_TRANSFERS = PURCHASE_KINDS.flatMap(
  (kind) => [`${kind}_hold`, `${kind}_settle`, `${kind}_refund`] as const,
) satisfies PurchaseTransfer[]

export const LEDGER_KINDS = [
  'recharge',
  'p2p',
  'activation',
  ...PURCHASE_TRANSFERS,
  'adjustment',
  'reversal',
  'debt',
  'debt_settle',
  'opening',
  'budget',
  'bonus_hold',
  'bonus',
  'bonus_release',
  'gift_code_hold',
  'gift_code',
  'gift_code_release',
  'invitation',
] as const

/** A wallet or a debt of a player, or one of the portal's own accounts. */
const ledgerAccountSchema = z.object({ id: idText, kind: z.string(), user: z.nullable(person) })

export const ledgerTransferSchema = z.object({
  id: idText,
  kind: z.enum(LEDGER_KINDS),
  /** TCoin; it leaves `debit` and reaches `credit`. */
  amount: z.number(),
  debit: ledgerAccountSchema,
  credit: ledgerAccountSchema,
  /** What caused it. */
  source_type: z.string(),
  source_id: z.string(),
  created_at: moment,
})

export const ledgerTransferDetailSchema = z.extend(ledgerTransferSchema, {
  /** The balances of both accounts before and after; of one of the portal's own accounts those of one of its stripes. */
  entries: z.array(
    z.object({
      account_id: idText,
      /** Of the portal's own accounts: which row moved, and what the whole account holds now. */
      stripe: z.nullable(z.number()),
      whole_balance: z.nullable(z.number()),
      amount: z.number(),
      balance_before: z.number(),
      balance_after: z.number(),
    }),
  ),
  reverses_id: z.nullable(idText),
  reversed_by: z.nullable(idText),
  /** The player and the operator who caused it, if anybody did. */
  player: z.nullable(person),
  operator: z.nullable(person),
  request_id: z.nullable(z.string()),
})

export const operatorLedgerTransfers = {
  list: endpoint('GET', '/operator/ledger-transfers', permitted('ledger.read'), {
    summary:
      'Movements of TCoin in the order of time. `user` is a username, `budget` the id of a budget; `source` is type and id of the cause, as `delivery:<id>`; `from` and `to` are days in Vietnam. At most 10,000 are counted.',
    query: growingListQuery(['created_at'], {
      kind: z.optional(z.enum(LEDGER_KINDS)),
      user: z.optional(usernameFilter),
      budget: z.optional(idFilter),
      source: z.optional(z.string().check(z.trim(), z.maxLength(120), z.regex(/^[a-z_]+:[\x20-\x7e]+$/))),
      amount: z.optional(amountFilter),
      from: z.optional(dayText),
      to: z.optional(dayText),
    }),
    answer: z.array(ledgerTransferSchema),
  }),
  get: endpoint('GET', '/operator/ledger-transfers/{id}', permitted('ledger.read'), {
    summary: 'One movement of TCoin with the balances before and after.',
    ...oneRow(ledgerTransferDetailSchema),
  }),
}

export type LedgerTransfer = z.output<typeof ledgerTransferSchema>
export type LedgerTransferDetail = z.output<typeof ledgerTransferDetailSchema>
