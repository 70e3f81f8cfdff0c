import { CHANNEL_ACB, CHANNEL_MOMO } from '#contract/constants.ts'
import { vietnamClock } from '#server/platform/vietnam-time.rules.ts'
import { channelName } from './channels.rules.ts'

export type SandboxPayment = {
  order: { code: string; channel: number; accountNumber: string }
  amount: number
  now: Date
  /** The bank's reference of this transfer: at most 15 digits. */
  serial: number
}

/** A notification as SePay would write it about a transfer, with the memo wrapped the way that bank wraps it. */
export function sandboxNotification({ order, amount, now, serial }: SandboxPayment) {
  const content = memoOf(order, serial)
  return {
    id: serial,
    gateway: channelName(order.channel),
    transactionDate: vietnamClock(now),
    accountNumber: order.accountNumber,
    subAccount: '',
    code: null,
    content,
    transferType: 'in',
    transferAmount: amount,
    accumulated: 0,
    referenceCode: `FT${String(serial).padStart(15, '0')}`,
    description: `BankAPINotify ${content}`,
  }
}

function memoOf({ code, channel, accountNumber }: SandboxPayment['order'], serial: number): string {
  const trace = String(serial % 1_000_000).padStart(6, '0')
  if (channel === CHANNEL_ACB) return `${code} GD ${trace}`
  if (channel === CHANNEL_MOMO) return `${trace}-0900000000-${code}`
  return `MBVCB.${serial}.${code}.CT tu 0011000000009 NGUYEN VAN A toi ${accountNumber}`
}
