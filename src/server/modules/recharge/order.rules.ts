import QRCode from 'qrcode'
import { COINS_MAX } from '#contract/fields.ts'
import { bankOf } from '#contract/operator/banks.ts'
import type { ReceivingAccount } from '#contract/operator/setting-kinds.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { decodeVietQr, encodeVietQr } from './vietqr.rules.ts'

export type OrderStatus = RechargeOrder['status']

export const ORDER_LIFETIME_MINUTES = 30

/** An order as it is stored; the picture of its QR is rendered when it is shown. */
export type OrderWithoutQr = Omit<RechargeOrder, 'qr_svg'>

/**
 * The text a bank app scans. The memo is the code alone: the shorter and plainer, the less a bank can spoil. The text
 * is read back before it is shown, since money sent by a wrong one is lost.
 */
export function orderQr(account: ReceivingAccount, order: { amount: number; code: string }): string {
  const text = encodeVietQr({
    bin: account.bin,
    account: account.number,
    amount: order.amount,
    memo: order.code,
    ...(account.reference === undefined ? {} : { reference: account.reference }),
    ...(account.phone_tail === undefined ? {} : { extra: { '80': account.phone_tail } }),
  })
  const read = decodeVietQr(text)
  const isSame =
    read.ok &&
    read.qr.bin === account.bin &&
    read.qr.account === account.number &&
    read.qr.amount === order.amount &&
    read.qr.memo === order.code
  if (!isSame) throw new Error(`the QR of order ${order.code} does not say what it should pay`)
  return text
}

/** Adds the picture, only while the order should be paid: a code left on the screen invites a second payment. */
export async function withQrImage(order: OrderWithoutQr): Promise<RechargeOrder> {
  return { ...order, qr_svg: order.status === 'pending' ? await renderQr(order.qr) : '' }
}

const TEST_AMOUNT = 10_000
const TEST_MEMO = 'KIEM TRA'

/** The code players would pay by if they were to pay to this account, with a memo that belongs to no order. */
export async function renderTestQr({ bin, number, name, ...more }: ReceivingAccount) {
  const order = { amount: TEST_AMOUNT, code: TEST_MEMO }
  const qr = orderQr({ bin, number, name, ...more }, order)
  return {
    bin,
    bank: bankOf(bin) ?? '?',
    number,
    name,
    amount: TEST_AMOUNT,
    memo: TEST_MEMO,
    qr,
    qr_svg: await renderQr(qr),
  }
}

/** Plain black on white without style attributes, which the pages' security policy forbids. About a millisecond. */
async function renderQr(text: string): Promise<string> {
  return QRCode.toString(text, {
    type: 'svg',
    errorCorrectionLevel: 'M',
    margin: 4,
    color: { dark: '#000000', light: '#ffffff' },
  })
}

/** Nothing can happen to such an order any more. An expired one may still be paid, one in review be decided. */
export function isFinal(status: OrderStatus): boolean {
  return status.startsWith('paid') || status === 'cancelled'
}

/** TCoin for the money that arrived, at the whole number of TCoin each VND is worth; nothing is ever rounded. */
export function coinsFor(amountVnd: number, rate: number): number {
  if (!isWholePositive(amountVnd) || !isWholePositive(rate))
    throw new RangeError('amount and rate are whole and positive')
  const coins = amountVnd * rate
  if (coins > COINS_MAX) throw new RangeError('more coins than a wallet can hold')
  return coins
}

function isWholePositive(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0
}

const SHOWN_LETTERS = 4

/** Enough to find the transfer in the bank's app, and not enough to claim it as one's own from a picture. */
export function maskReference(reference: string): string {
  const shown = Math.min(SHOWN_LETTERS, Math.floor(reference.length / 2))
  return `${'•'.repeat(Math.min(reference.length - shown, SHOWN_LETTERS))}${reference.slice(reference.length - shown)}`
}
