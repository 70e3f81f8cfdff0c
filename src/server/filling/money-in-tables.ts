import { seedSettings } from '#seeds/settings.ts'
import { makeOrderCode } from '../modules/recharge/index.ts'
import type { TableRows, Value } from './copying.ts'
import { history, type Movement, type Recharge } from './history.ts'
import { momentText, pseudoRandom, oneOf, type Existing, type Plan } from './plan.ts'

type Arrived = Movement & { recharge: Recharge }
type Account = { bin: string; number: string; name: string }

/** Indexed by channel - 1: MoMo, Vietcombank, ACB. */
const ACCOUNTS = ['momo', 'vietcombank', 'acb'].map(
  (name) => JSON.parse(seedSettings[`bank_account_${name}`] ?? '') as Account,
)
const MINUTE_MS = 60_000
/** Between a money's order and its arrival. */
const PAYING_MS = 2 * MINUTE_MS
const LIFETIME_MS = 15 * MINUTE_MS

const channelOf = (order: number) => 1 + (order % ACCOUNTS.length)
const accountOf = (order: number) => oneOf(ACCOUNTS, order)

function codeOf(plan: Plan, order: number): string {
  let count = 0
  return makeOrderCode((max) => pseudoRandom(plan, order, 700 + count++) % max)
}

export function moneyInTables(plan: Plan, existing: Existing): TableRows[] {
  const each = (rows: (arrived: Arrived) => Value[][]): (() => Iterable<Value[]>) =>
    function* () {
      for (const movement of history(plan, existing))
        if (movement.recharge) yield* rows({ ...movement, recharge: movement.recharge })
    }
  /** The transfer of a recharge, and before it the one that names nobody. */
  const withStray = (row: (bank: number, arrived: Arrived) => Value[]) =>
    each((arrived) => {
      const { bank, stray } = arrived.recharge
      const unmatched = { ...arrived, recharge: { ...arrived.recharge, order: 0 } }
      return [...(stray === null ? [] : [row(bank - 1, unmatched)]), row(bank, arrived)]
    })
  return [
    {
      table: 'payment_order',
      columns:
        `id code user_id channel amount rate bank_bin account_number account_name qr status credited created_at
        expires_at paid_at`.split(/\s+/),
      rows: each((arrived) => {
        const { order, hasExpired } = arrived.recharge
        const paid = orderRow(plan, arrived, order, true)
        return hasExpired ? [orderRow(plan, arrived, order - 1, false), paid] : [paid]
      }),
    },
    {
      table: 'bank_transaction',
      columns:
        `id account_number direction bank_ref amount booked_at state reason order_id user_id credited transfer_id
        created_at`.split(/\s+/),
      rows: withStray(bankRow),
    },
    {
      table: 'payment_event',
      columns:
        `id provider provider_event_id signature direction amount account_number bank_ref booked_at received_at
        status reason bank_transaction_id processed_at`.split(/\s+/),
      rows: withStray(eventRow),
      needs: ['payment_event_sealed'],
    },
    {
      table: 'payment_event_body',
      columns: ['event_id', 'raw', 'memo', 'full_text', 'code'],
      rows: withStray((bank, { recharge: { order } }) => {
        const memo = order === 0 ? 'chuyen tien' : codeOf(plan, order)
        const raw = Buffer.from(JSON.stringify({ id: bank, content: memo })).toString('hex')
        return [bank, `\\x${raw}`, memo, `MBVCB.${bank}.${memo}`, order === 0 ? null : memo]
      }),
      needs: ['payment_event_body_sealed'],
    },
  ]
}

function orderRow(plan: Plan, { user, amount, at }: Arrived, order: number, isPaid: boolean): Value[] {
  const { bin, number, name } = accountOf(order)
  const created = at - PAYING_MS - (isPaid ? 0 : LIFETIME_MS)
  return [
    order,
    codeOf(plan, order),
    user,
    channelOf(order),
    amount,
    1,
    bin,
    number,
    name,
    '-',
    isPaid ? 'paid' : 'expired',
    isPaid ? amount : 0,
    momentText(created),
    momentText(created + LIFETIME_MS),
    isPaid ? momentText(at) : null,
  ]
}

const referenceOf = (bank: number) => `FT${String(bank).padStart(8, '0')}`

function bankRow(bank: number, { id, user, amount, at, recharge: { order, stray } }: Arrived): Value[] {
  const isCredited = order !== 0
  const moment = momentText(at)
  return [
    bank,
    accountOf(order).number,
    'in',
    referenceOf(bank),
    amount,
    moment,
    isCredited ? 'credited' : (stray as string),
    isCredited ? null : 'no-code',
    isCredited ? order : null,
    isCredited ? user : null,
    isCredited ? amount : 0,
    isCredited ? id : null,
    moment,
  ]
}

function eventRow(bank: number, { amount, at, recharge: { order, stray } }: Arrived): Value[] {
  const moment = momentText(at)
  return [
    bank,
    'sepay',
    String(bank),
    'valid',
    'in',
    amount,
    accountOf(order).number,
    referenceOf(bank),
    moment,
    moment,
    order !== 0 ? 'applied' : (stray as string),
    order !== 0 ? null : 'no-code',
    bank,
    moment,
  ]
}
