import { formatNumber } from '#contract/money.ts'
import { paths } from '#contract/pages.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { formatMoment } from '#contract/vietnam-time.ts'

type Credited = {
  /** VND that arrived. */
  amount: number
  coins: number
  /** The player's TCoin now. */
  balance: number
  /** Null where an operator found out whose money it is. */
  code: string | null
  at: Date
  publicUrl: string
}

export const creditedMail = (
  to: Addressee,
  { amount, coins, balance, code, at, publicUrl }: Credited,
): Mail => ({
  kind: 'recharge-credited',
  ...to,
  subject: `Bạn đã nạp ${formatNumber(coins)} TCoin`,
  paragraphs: [
    `Khoản chuyển ${formatNumber(amount)} VND của bạn đã đến và TCoin đã vào ví.`,
    `Đã cộng: ${formatNumber(coins)} TCoin`,
    ...(code === null ? [] : [`Đơn nạp: ${code}`]),
    `Lúc: ${formatMoment(at.toISOString())} (giờ Việt Nam)`,
    `Số dư mới: ${formatNumber(balance)} TCoin`,
  ],
  action: { label: 'Xem lịch sử giao dịch', url: publicUrl + paths.transactions },
  closing: ['Nếu bạn không chuyển khoản này, hãy báo cho ban quản trị.'],
})
