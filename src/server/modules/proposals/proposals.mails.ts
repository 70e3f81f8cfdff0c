import { formatMoment } from '#contract/format.ts'
import type { Mail } from '#server/modules/mail/index.ts'

type Receiver = { username: string; email: string }

type Facts = { title: string; reason: string; proposer: string }

const IF_WRONG =
  'Nếu bạn thấy thay đổi này không đúng, hãy kiểm tra ngay tài khoản của người đề xuất và tài khoản nhận tiền của cổng.'

/** `takesEffectAt` is null when a second person has to approve. */
export const proposedMail = (
  { username, email }: Receiver,
  { title, reason, proposer, takesEffectAt }: Facts & { takesEffectAt: string | null },
): Mail => ({
  kind: 'proposal-made',
  to: email,
  subject: `Đề xuất thay đổi: ${title}`,
  username,
  paragraphs: [
    `${proposer} đề xuất thay đổi “${title}”.`,
    `Lí do: ${reason}`,
    takesEffectAt === null
      ? 'Thay đổi chỉ có hiệu lực khi một người khác có quyền duyệt.'
      : `Không có ai khác giữ quyền này, nên thay đổi sẽ tự có hiệu lực lúc ${formatMoment(takesEffectAt)} (giờ Việt Nam) nếu không bị bác hay rút lại.`,
  ],
  closing: [IF_WRONG],
})

export const doneMail = ({ username, email }: Receiver, { title, reason, proposer }: Facts): Mail => ({
  kind: 'proposal-done',
  to: email,
  subject: `Đã thay đổi: ${title}`,
  username,
  paragraphs: [`“${title}” vừa được thay đổi theo đề xuất của ${proposer}.`, `Lí do: ${reason}`],
  closing: [IF_WRONG],
})
