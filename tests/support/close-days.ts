import { invariant } from '#server/platform/values/errors.ts'
import { aTransfer, type PollingApp } from '#tests/support/polled-providers.ts'
import { aNotification, deliver } from '#tests/support/bank.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { dayBounds, dayOf } from '../../src/server/modules/reconciliation/daily-close.rules.ts'

/** Each test has a day of its own, long over. */
let daysBack = 10
export function aDay() {
  daysBack += 2
  const day = dayOf(new Date(Date.now() - daysBack * 86_400_000))
  return { day, noon: new Date(dayBounds(day).since.getTime() + 12 * 3_600_000) }
}

/** A transfer of that day, on the bank's list and with a payment event. */
export async function transferOf(
  { test, bank }: PollingApp,
  noon: Date,
  { memo = '', amount = 50_000, account = VIETCOMBANK.number, direction = 'in' as 'in' | 'out' } = {},
) {
  const transfer = aTransfer(bank, { memo, amount, account, direction, bookedAt: noon })
  const notification = aNotification({
    id: transfer.id,
    transferAmount: amount,
    accountNumber: account,
    content: memo,
    referenceCode: transfer.ref,
    transferType: direction,
    transactionDate: vietnamTime(noon),
  })
  const { status } = await deliver(test, notification)
  invariant(status === 200, 'a notification is taken in')
  return { transfer, notification }
}
