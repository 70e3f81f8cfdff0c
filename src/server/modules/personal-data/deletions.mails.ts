import { paths } from '#contract/pages.ts'
import { formatDay } from '#contract/format.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { choicesAbout, type OpenMatters } from './deletions.errors.ts'

const toProfile = (publicUrl: string) => ({ label: 'Mở hồ sơ', url: publicUrl + paths.profile })

export const deletionAskedMail =
  ({ dueAt, publicUrl }: { dueAt: string; publicUrl: string }) =>
  (to: Addressee): Mail => ({
    kind: 'deletion-asked',
    ...to,
    subject: 'Đã nhận yêu cầu xóa tài khoản',
    paragraphs: [
      `Chúng tôi đã nhận yêu cầu xóa tài khoản của bạn và sẽ trả lời chậm nhất ngày ${formatDay(dueAt)}.`,
      'Đến lúc đó tài khoản vẫn dùng được như thường, và bạn có thể rút lại yêu cầu trong mục Hồ sơ.',
    ],
    action: toProfile(publicUrl),
    closing: ['Nếu không phải bạn, hãy rút lại yêu cầu trong mục Hồ sơ và đổi mật khẩu ngay.'],
  })

export const deletionRefusedMail =
  ({ message, publicUrl }: { message: string; publicUrl: string }) =>
  (to: Addressee): Mail => ({
    kind: 'deletion-refused',
    ...to,
    subject: 'Yêu cầu xóa tài khoản chưa được thực hiện',
    paragraphs: [
      'Đội vận hành chưa thể thực hiện yêu cầu xóa tài khoản của bạn.',
      `Lời nhắn của đội vận hành: ${message}`,
      'Bạn có thể gửi yêu cầu mới trong mục Hồ sơ.',
    ],
    action: toProfile(publicUrl),
  })

/** The last one: the account is erased once it has left the outbox, and the address with it. */
export const deletionBeginsMail = (to: Addressee): Mail => ({
  kind: 'deletion-begins',
  ...to,
  subject: 'Tài khoản của bạn đang được xóa',
  paragraphs: [
    'Yêu cầu xóa tài khoản của bạn đã được chấp nhận. Ngay sau thư này, tên, mật khẩu, liên hệ, thiết bị và mọi thông tin nhận ra bạn được xóa khỏi cổng và không khôi phục được. Sổ sách về tiền được giữ lại, không kèm tên bạn.',
    'Đây là thư cuối cùng: khi xóa xong, chúng tôi không còn địa chỉ của bạn. Nếu trước lúc đó phát sinh đơn nạp, món mua hay TCoin mới, việc xóa sẽ dừng lại và bạn nhận được một thư khác.',
  ],
})

export const deletionHinderedMail =
  ({ matters, publicUrl }: { matters: OpenMatters; publicUrl: string }) =>
  (to: Addressee): Mail => ({
    kind: 'deletion-hindered',
    ...to,
    subject: 'Tài khoản của bạn chưa được xóa',
    paragraphs: [
      'Việc xóa tài khoản đã dừng lại vì có điều chưa xong. Yêu cầu của bạn vẫn được giữ, đội vận hành sẽ xem lại.',
      ...choicesAbout(matters).map((sentence) => `${sentence}.`),
    ],
    action: toProfile(publicUrl),
  })
