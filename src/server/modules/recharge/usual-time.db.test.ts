import { beforeAll, expect, test as it } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aNotification, anOrder, deliver, openAccounts, orderNow } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer } from '#tests/support/players.ts'
import { usualSeconds } from './recharge.service.ts'

const test = useTestApp()
beforeAll(() => openAccounts(test))

const HOUR_MS = 3_600_000
const start_ms = Date.now()

/** What players are told so many hours from now; what is known is read again every five minutes. */
const toldIn = (hours: number) =>
  usualSeconds({ db: test.db, clock: { now: () => new Date(start_ms + hours * HOUR_MS) } })

async function paidAfter(seconds: number): Promise<void> {
  const order = await anOrder(test, await aPlayer(test))
  await deliver(test, aNotification({ content: order.code }))
  await asOwner(
    test,
    `UPDATE payment_order SET paid_at = coalesce(payment.booked_at, payment.created_at) + make_interval(secs => $2)
       FROM bank_transaction AS payment WHERE payment.order_id = payment_order.id AND code = $1`,
    [order.code, seconds],
  )
}

it('the usual time to the wallet is told once there are five payments of these days, and read every five minutes', async () => {
  const player = await aPlayer(test)
  const { code } = await anOrder(test, player)
  for (const seconds of [3, 900, 8, 12]) await paidAfter(seconds)
  expect(await toldIn(1)).toBeUndefined()
  await paidAfter(4)
  expect(await toldIn(1 + 0.05)).toBeUndefined()
  // Of 3, 4, 8, 12 and 900.
  expect(await toldIn(1 + 0.1)).toBe(8)

  await paidAfter(1)
  await paidAfter(1)
  expect(await toldIn(1 + 0.15)).toBe(8)
  expect(await toldIn(2)).toBe(4)
  // The player's page reads the same, and only of an open order.
  expect((await orderNow(test, player, code)).usual_seconds).toBe(4)
  await deliver(test, aNotification({ content: code }))
  expect(await orderNow(test, player, code)).not.toHaveProperty('usual_seconds')
})

it('payments of longer ago say nothing, and more than an hour is told to nobody', async () => {
  await asOwner(test, `UPDATE payment_order SET paid_at = paid_at - interval '8 days' WHERE status = 'paid'`)
  expect(await toldIn(3)).toBeUndefined()
  for (let count = 0; count < 5; count += 1) await paidAfter(3_601)
  expect(await toldIn(4)).toBeUndefined()
})
