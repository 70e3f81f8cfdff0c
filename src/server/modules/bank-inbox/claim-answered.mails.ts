import { formatNumber } from '#contract/format-number.ts'
import { paths } from '#contract/pages.ts'
import type { Mail } from '#server/modules/mail/index.ts'

type Answered = {
  username: string
  email: string
  claimId: string
  amount: number
  status: 'settled' | 'rejected'
  message: string
  publicUrl: string
}

/** What the operators answered. The message is theirs; the rest is ours. */
export const claimAnsweredMail = (answered: Answered): Mail => ({
  kind: 'claim-answered',
  to: answered.email,
  subject: `Yêu cầu kiểm tra khoản nạp số ${answered.claimId} đã có câu trả lời`,
  username: answered.username,
  paragraphs: [
    answered.status === 'settled'
      ? `Yêu cầu kiểm tra khoản chuyển ${formatNumber(answered.amount)} VND của bạn đã được xử lý.`
      : `Đội vận hành chưa thể xác nhận khoản chuyển ${formatNumber(answered.amount)} VND mà bạn đã báo.`,
    `Lời nhắn của đội vận hành: ${answered.message}`,
  ],
  action: { label: 'Xem yêu cầu của bạn', url: answered.publicUrl + paths.claim },
})
