import { formatNumber } from '#contract/money.ts'
import { paths } from '#contract/pages.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'

type Reversed = {
  coins: number
  /** TCoin the player owes now, for this and whatever was owed before. */
  debt: number
  /** The bank has the money again; else it was given to the wrong player. */
  isByBank: boolean
  publicUrl: string
}

export const creditReversedMail = (to: Addressee, { coins, debt, isByBank, publicUrl }: Reversed): Mail => ({
  kind: 'recharge-taken-back',
  ...to,
  subject: `Một khoản nạp ${formatNumber(coins)} TCoin đã bị thu hồi`,
  paragraphs: [
    isByBank
      ? 'Ngân hàng đã thu hồi khoản chuyển mà bạn dùng để nạp TCoin, nên số TCoin đó cũng được lấy lại khỏi ví.'
      : 'Một khoản nạp đã được cộng nhầm vào ví của bạn, nên số TCoin đó được lấy lại.',
    ...(debt === 0
      ? []
      : [
          `Phần đã dùng được ghi nợ: bạn còn nợ ${formatNumber(debt)} TCoin. Các giao dịch tạm khóa đến khi trả hết; TCoin bạn nạp thêm sẽ trả nợ trước.`,
        ]),
  ],
  action: { label: 'Xem lịch sử giao dịch', url: publicUrl + paths.transactions },
  closing: ['Nếu bạn cho rằng có nhầm lẫn, hãy báo cho ban quản trị.'],
})
