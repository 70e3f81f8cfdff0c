import { randomInt } from 'node:crypto'
import { CHANNEL_ACB, CHANNEL_MOMO } from '#contract/constants.ts'
import { MAX_TRANSFER_VND, type SandboxSender } from '#server/modules/payment-providers/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { openOutbound, type OutboundAnswer } from '#server/platform/http/outbound.ts'
import { vietnamClock } from '#server/platform/values/vietnam-time.rules.ts'
import { channelName } from './channels.rules.ts'
import type { RechargeDeps } from './checkout.service.ts'
import { orderNotYours, sandboxRefused, transferTooLarge } from './recharge.errors.ts'
import { findPayableOrder } from './recharge.queries.ts'

export type SandboxDeps = { db: Db; sender: SandboxSender; portalUrl: string }

export type SandboxRequest = {
  code: string
  /** VND; the order's amount when absent. */
  amount?: number | null | undefined
  /** Set: only this player's order is paid. */
  userId?: string | undefined
}

const TIMEOUT_MS = 10_000
/** The largest range the random source takes; two transfers that share a number are not to be expected. */
const SERIAL_END = 2 ** 48 - 1

/**
 * Plays the bank and the vendor: sends the signed notification that a transfer for the order would cause to the same
 * webhook as real ones. Answers what the portal answered.
 */
export async function sandboxPay(
  { db, sender, portalUrl }: SandboxDeps,
  { code, amount, userId }: SandboxRequest,
): Promise<OutboundAnswer> {
  const order = await findPayableOrder(db, { code, userId })
  if (!order) throw orderNotYours()
  if ((amount ?? 0) > MAX_TRANSFER_VND) throw transferTooLarge()
  const now = new Date()
  const body = JSON.stringify(
    sandboxNotification({ order, amount: amount ?? order.amount, now, serial: randomInt(1, SERIAL_END) }),
  )
  const url = new URL(`/api/webhooks/${sender.provider}`, portalUrl)
  return openOutbound([url.origin])({
    url: url.href,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sender.sign(body, now) },
    body,
    timeoutMs: TIMEOUT_MS,
  })
}

/** The same for a player's own order, from the demo's sandbox page. */
export async function payFromSandbox(
  deps: RechargeDeps,
  request: SandboxRequest & { userId: string },
): Promise<{ message: string; notify: true }> {
  invariant(deps.sandbox !== null, 'the sandbox is served in a demo only')
  const { sandbox: sender } = deps.payments
  if (sender === null) throw sandboxRefused()
  const { portalUrl } = deps.sandbox
  const answer = await sandboxPay({ db: deps.db, sender, portalUrl }, request)
  if (answer.status !== 200) {
    deps.log.error({ status: answer.status }, 'the portal refused its own sandbox')
    throw sandboxRefused()
  }
  return { message: 'Đã gửi thông báo chuyển khoản thử', notify: true }
}

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
