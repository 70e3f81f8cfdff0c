import { type Good, goodsInWords } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { refundReason } from './deliveries.rules.ts'

type Refunded = {
  id: string
  goods: readonly Good[]
  characterName: string
  amount: number
  note: string | null
  /** The player's TCoin now. */
  balance: number
  publicUrl: string
}

export const refundedMail = (
  to: Addressee,
  { id, goods, characterName, amount, note, balance, publicUrl }: Refunded,
): Mail => ({
  kind: 'purchase-refunded',
  ...to,
  subject: `Bạn được hoàn ${formatNumber(amount)} TCoin`,
  paragraphs: [
    `Món bạn mua không vào được game nên TCoin đã trở về ví của bạn.`,
    `Đã mua: ${goodsInWords(goods)} cho nhân vật ${characterName}`,
    `Lý do: ${refundReason(note)}`,
    `Đã hoàn: ${formatNumber(amount)} TCoin`,
    `Số dư mới: ${formatNumber(balance)} TCoin`,
  ],
  action: { label: 'Xem biên nhận', url: publicUrl + paths.deliveries(id) },
  closing: ['Bạn có thể mua lại bất cứ lúc nào.'],
})
