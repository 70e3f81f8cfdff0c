import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeAll, expect, test as it } from 'vitest'
import { openAccount, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import {
  aNotification,
  balanceOf,
  deliver,
  openAccounts,
  payment,
  storedEvents,
} from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'

const test = useTestApp()
beforeAll(async () => {
  await openAccounts(test)
})
afterEach(() => expectReconciled(test))

/** Long enough for a notification to be stored and to come to what `work` has locked. */
const ARRIVES_MS = 500

/** Delivers a notification while `work` is done and not committed yet. */
async function deliverDuring(
  notification: ReturnType<typeof aNotification>,
  work: (tx: Tx) => Promise<unknown>,
) {
  let delivered: ReturnType<typeof deliver> | undefined
  await inTransaction(test.db, async (tx) => {
    await work(tx)
    delivered = deliver(test, notification)
    await sleep(ARRIVES_MS)
  })
  expect((await delivered)?.status).toBe(200)
}

it('a transfer whose reference becomes known while it is credited is not credited', async () => {
  const { player, order } = await payment(test)
  const notification = aNotification({ content: order.code })
  await deliverDuring(notification, (tx) =>
    tx
      .insertInto('bank_transaction')
      .values({
        account_number: VIETCOMBANK.number,
        direction: 'in',
        bank_ref: notification.referenceCode,
        amount: 50_000,
        booked_at: new Date(),
        state: 'review',
        reason: 'no-code',
      })
      .execute(),
  )
  expect(await storedEvents(test, notification)).toMatchObject([{ status: 'duplicate', state: 'review' }])
  expect(await balanceOf(test, player)).toBe(0)
})

it('a debt that is made while a recharge arrives is paid from it', async () => {
  const { player, order } = await payment(test)
  const { wallet_account_id: wallet } = await test.db
    .selectFrom('users')
    .select('wallet_account_id')
    .where('id', '=', player.id)
    .executeTakeFirstOrThrow()
  const notification = aNotification({ content: order.code })
  await deliverDuring(notification, async (tx) => {
    const receivable = await openAccount(tx, 'receivable', player.id)
    const source = { type: 'ledger_transfer', id: '0' }
    await postTransfer(tx, { kind: 'debt', debit: receivable, credit: wallet, amount: 10_000, source })
  })
  expect(await storedEvents(test, notification)).toMatchObject([{ status: 'applied', state: 'credited' }])
  // The 10,000 that were lent and the 50,000 that came, without the 10,000 that were owed.
  expect(await balanceOf(test, player)).toBe(50_000)
})
