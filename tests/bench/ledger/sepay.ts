import { randomInt } from 'node:crypto'
import { signSepay } from '#server/modules/payment-providers/sepay/signature.ts'
import { RECEIVING, type Payable } from './world.ts'

/** SePay's notification of the transfer that pays an order, signed with the webhook's secret. */
export function signedNotification(
  { code, amount }: Payable,
  secret: string,
): { headers: Record<string, string>; body: string } {
  const id = randomInt(1, 2 ** 47)
  const body = JSON.stringify({
    id,
    gateway: 'Vietcombank',
    transactionDate: new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
    accountNumber: RECEIVING.number,
    subAccount: '',
    code: null,
    content: `${code} nap tien`,
    transferType: 'in',
    transferAmount: amount,
    accumulated: 0,
    referenceCode: `FT${id}`,
    description: '',
  })
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = signSepay(secret, timestamp, Buffer.from(body))
  return { headers: { 'x-sepay-timestamp': timestamp, 'x-sepay-signature': signature }, body }
}
