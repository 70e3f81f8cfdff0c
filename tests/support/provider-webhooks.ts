import { randomInt } from 'node:crypto'
import type { RechargeOrder } from '#contract/recharge.ts'
import type { TestApp } from '#tests/support/app.ts'
import {
  sign,
  notificationOf,
  type Fields,
  type SignedNotification,
  type Sender,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import { VIETCOMBANK } from './bank.ts'

/** A new transfer, by default 50,000 VND to Vietcombank. */
export function aTransfer(change: Partial<TestTransfer> = {}): TestTransfer {
  const id = randomInt(1, 2 ** 47)
  return {
    id,
    amount: 50_000,
    account: VIETCOMBANK.number,
    memo: '',
    ref: `FT${id}`,
    bookedAt: new Date(),
    direction: 'in',
    ...change,
  }
}

export type Answered = { status: number; text: string }

/** Sends a provider's signed notification to its webhook. */
export async function post(test: Pick<TestApp, 'app'>, notification: SignedNotification): Promise<Answered> {
  const { url, headers, body } = notification
  const answer = await test.app.inject({ method: 'POST', url, headers, payload: body })
  return { status: answer.statusCode, text: answer.body }
}

export function postNotification(test: TestApp, provider: Sender, transfer: TestTransfer): Promise<Answered> {
  return post(test, notificationOf({ provider, transfer, at: new Date() }))
}

export function postFields(test: TestApp, provider: Sender, fields: Fields): Promise<Answered> {
  return post(test, sign({ provider, fields, at: new Date() }))
}

/** The stored payment events of a transfer, from any provider, in the order of arrival. */
export async function keptOf(test: TestApp, { id, ref }: Pick<TestTransfer, 'id' | 'ref'>) {
  return test.db
    .selectFrom('payment_event as event')
    .leftJoin('bank_transaction as bank', 'bank.id', 'event.bank_transaction_id')
    .select(['event.provider', 'event.status', 'event.reason', 'bank.state', 'bank.id as bankTransactionId'])
    .where('event.provider_event_id', 'in', [String(id), `link${id}:${ref ?? ''}`])
    .orderBy('event.id')
    .execute()
}

/** How many events and bank transactions there are at all, by what became of them. */
export async function allKept(test: TestApp): Promise<{ events: number; transactions: number }> {
  const { events } = await test.db
    .selectFrom('payment_event')
    .select((eb) => eb.fn.countAll<string>().as('events'))
    .executeTakeFirstOrThrow()
  const { transactions } = await test.db
    .selectFrom('bank_transaction')
    .select((eb) => eb.fn.countAll<string>().as('transactions'))
    .executeTakeFirstOrThrow()
  return { events: Number(events), transactions: Number(transactions) }
}

export async function orderRow(test: TestApp, { code }: Pick<RechargeOrder, 'code'>) {
  const row = await test.db
    .selectFrom('payment_order')
    .select(['status', 'credited'])
    .where('code', '=', code)
    .executeTakeFirstOrThrow()
  return { order: row.status, credited: Number(row.credited) }
}
