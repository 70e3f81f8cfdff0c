import { CLAIM_WORDS } from '#contract/operator/words.ts'
import type { ClaimStatus as Status } from '#contract/recharge-claims.ts'
import { Badge } from '#ui/badge.tsx'

export const claimsCopy = {
  one: 'Yêu cầu kiểm tra',
  paidAt: 'Chuyển lúc',
  note: 'Ghi chú',
  picture: 'Ảnh',
  createdAt: 'Gửi lúc',
  answeredAt: 'Trả lời lúc',
  message: 'Trả lời cho người chơi',
  facts: 'Khoản tiền được báo',
  pictureAlt: 'Ảnh người chơi gửi kèm yêu cầu',
  noPicture: 'Người chơi không gửi ảnh.',
  candidates: {
    title: 'Khoản chuyển có thể là của yêu cầu này',
    none: 'Không có khoản nào cùng số tiền trong 48 giờ quanh lúc chuyển, cũng không có mã ngân hàng nào trùng.',
    sameAmount: 'Cùng số tiền',
    sameReference: 'Cùng mã ngân hàng',
    credit: 'Cộng cho',
    settle: 'Trả lời: đã cộng khoản này',
    others: 'Đã cộng cho người khác',
    notices: 'Thông báo chưa có khoản chuyển, có thể là của yêu cầu này',
    onlyCashier: 'Chưa cộng. Thủ quỹ cộng được khoản này; cộng xong, yêu cầu được trả lời luôn.',
  },
  answer: {
    reject: 'Từ chối yêu cầu',
    settle: 'Trả lời đã giải quyết',
    submit: 'Gửi trả lời',
    text: 'Người chơi đọc được trả lời này. Trả lời không cộng TCoin: muốn cộng, hãy cộng ở khoản chuyển.',
    message: 'Trả lời cho người chơi',
    settledMessage: 'Đã tìm thấy khoản chuyển của bạn, TCoin đã được cộng vào ví.',
  },
  credit: {
    title: 'Cộng và trả lời',
    submit: 'Cộng TCoin',
    text: 'Cộng khoản này cho người chơi và đóng yêu cầu. Trên mức tự quyết, một người thứ hai sẽ duyệt, và yêu cầu vẫn mở.',
  },
} as const

const tones = { open: 'waiting', answered: 'note', settled: 'success', rejected: 'note' } as const

export const ClaimStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{CLAIM_WORDS[status]}</Badge>
)
