import type { RechargeOrder } from '#contract/recharge.ts'
import { findTrader } from '#server/modules/traders/index.ts'
import { signSepay } from '#server/modules/payment-providers/sepay/notifications.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { SEPAY_SECRET, type TestApp } from '#tests/support/app.ts'
import { asOwner } from './databases.ts'
import { ACB, VIETCOMBANK } from './payment-keys.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { aTransfer as newTransfer, fieldsOf } from './signed-notifications.ts'
import { setSetting } from '#tests/support/settings.ts'

/** Vietcombank and ACB take orders; MoMo is closed. */
export async function openAccounts(test: TestApp): Promise<void> {
  await setSetting(test, 'bank_account_vietcombank', JSON.stringify(VIETCOMBANK))
  await setSetting(test, 'bank_account_acb', JSON.stringify(ACB))
  await setSetting(test, 'bank_account_momo', '')
}

export async function anOrder(
  test: TestApp,
  player: TestPlayer,
  { channel = 2, amount = 50_000 }: { channel?: number; amount?: number } = {},
): Promise<RechargeOrder> {
  const answer = await test.call('POST', '/api/recharge/orders', {
    token: player.token,
    from: player.address,
    body: { channel, amount },
  })
  invariant(answer.status === 201, `an order is opened: ${JSON.stringify(answer.body)}`)
  return answer.body as RechargeOrder
}

export type Notification = Record<string, unknown> & { id: number; referenceCode: string | null }

/** SePay's notification of a new transfer, by default 50,000 VND to Vietcombank. */
export const aNotification = (change: Record<string, unknown> = {}): Notification => ({
  ...(fieldsOf('sepay', newTransfer()) as Notification),
  subAccount: '',
  ...change,
})

export type Manner = {
  secret?: string
  signedAt?: Date
  /** In place of the signature's headers. */
  headers?: Record<string, string>
}

export type Delivered = { status: number; text: string; body: Record<string, unknown> }

/** Sends it to the webhook with SePay's signature. */
export async function deliver(
  test: TestApp,
  notification: unknown,
  { secret = SEPAY_SECRET, signedAt = new Date(), headers }: Manner = {},
): Promise<Delivered> {
  const raw = Buffer.from(typeof notification === 'string' ? notification : JSON.stringify(notification))
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/webhooks/sepay',
    headers: { 'content-type': 'application/json', ...(headers ?? signatureOf(raw, secret, signedAt)) },
    payload: raw,
  })
  return {
    status: answer.statusCode,
    text: answer.body,
    body: answer.json() as Record<string, unknown>,
  }
}

export function signatureOf(raw: Buffer, secret = SEPAY_SECRET, at = new Date()): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return { 'x-sepay-timestamp': timestamp, 'x-sepay-signature': signSepay(secret, timestamp, raw) }
}

export async function balanceOf(test: TestApp, player: TestPlayer): Promise<number> {
  const trader = await findTrader(test.db, player.id)
  invariant(trader, 'the player exists')
  return trader.balance
}

export async function orderNow(test: TestApp, player: TestPlayer, code: string): Promise<RechargeOrder> {
  const answer = await test.call('GET', `/api/recharge/orders/${code}`, { token: player.token })
  invariant(answer.status === 200, `the order is there: ${JSON.stringify(answer.body)}`)
  return answer.body as RechargeOrder
}

export type StoredEvent = {
  provider_event_id: string
  signature: string
  status: string
  reason: string | null
  state: string | null
  transaction_reason: string | null
  order_code: string | null
}

/** What has become of a notification. */
export async function storedEvents(test: TestApp, { id }: Pick<Notification, 'id'>): Promise<StoredEvent[]> {
  return test.db
    .selectFrom('payment_event as event')
    .leftJoin('bank_transaction as bank', 'bank.id', 'event.bank_transaction_id')
    .leftJoin('payment_order as paid', 'paid.id', 'bank.order_id')
    .select([
      'event.provider_event_id',
      'event.signature',
      'event.status',
      'event.reason',
      'bank.state',
      'bank.reason as transaction_reason',
      'paid.code as order_code',
    ])
    .where('event.provider_event_id', 'in', [String(id), `${id}#stale`])
    .orderBy('event.id')
    .execute()
}

/** A new player with an open order. */
export async function payment(test: TestApp, amount = 50_000) {
  const player = await aPlayer(test)
  const order = await anOrder(test, player, { amount })
  return { player, order }
}

/** A player's balance, the order's state and the stored bank transfer after a notification. */
export async function outcome(
  test: TestApp,
  { player, order: { code } }: { player: TestPlayer; order: RechargeOrder },
  notification: { id: number },
) {
  const [event] = await storedEvents(test, notification)
  const order = await orderNow(test, player, code)
  return {
    balance: await balanceOf(test, player),
    order: order.status,
    credited: order.credited,
    event: event?.status,
    reason: event?.reason,
    transfer: event?.state,
  }
}

/** Makes an order as old as if it had been opened that long ago. */
export async function ageOrder(test: TestApp, code: string, hours: number): Promise<void> {
  await asOwner(
    test,
    `UPDATE payment_order SET created_at = created_at - make_interval(secs => $2),
        expires_at = expires_at - make_interval(secs => $2) WHERE code = $1`,
    [code, hours * 3600],
  )
}

/** Incoming (or outgoing) money, by default without an order code; returns the id of its bank transfer. */
export async function aTransfer(test: TestApp, change: Record<string, unknown> = {}): Promise<string> {
  const notification = aNotification({ content: 'nap tien', ...change })
  const delivered = await deliver(test, notification)
  invariant(delivered.status === 200, `the bank is heard: ${delivered.text}`)
  const row = await test.db
    .selectFrom('payment_event')
    .select('bank_transaction_id')
    .where('provider', '=', 'sepay')
    .where('provider_event_id', '=', String(notification.id))
    .executeTakeFirstOrThrow()
  invariant(row.bank_transaction_id, 'its transfer is kept')
  return row.bank_transaction_id
}

/** A new day for the limits that count what one operator, or one player, was given in 24 hours. */
export const forgetLimited = (test: TestApp): Promise<void> =>
  asOwner(test, "UPDATE limited_act SET at = at - interval '25 hours'")
