import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { maskEmail, maskPhone } from './contacts.rules.ts'

const NOT_YOU =
  'Nếu không phải bạn, hãy đặt lại mật khẩu ngay và báo cho ban quản trị: người khác có thể đang dùng tài khoản của bạn.'

export const codeMail = (to: Addressee, { code, minutes }: { code: string; minutes: number }): Mail => ({
  kind: 'email-code',
  ...to,
  subject: 'Mã OTP xác thực email của bạn',
  paragraphs: ['Đây là mã OTP để xác thực địa chỉ email này cho tài khoản của bạn.'],
  code,
  closing: [
    `Mã có hiệu lực trong ${minutes} phút. Đừng đưa mã cho bất kỳ ai, kể cả người tự xưng là ban quản trị.`,
    'Nếu bạn không yêu cầu mã này, hãy bỏ qua thư này.',
  ],
  usefulMinutes: minutes,
})

/** To the replaced address: an attacker in the account would have replaced the current one. */
export const emailChangedMail = (to: Addressee, newEmail: string): Mail => ({
  kind: 'email-changed',
  ...to,
  subject: 'Email của tài khoản đã được thay đổi',
  paragraphs: [
    `Email của tài khoản ${to.username} vừa được đổi thành ${maskEmail(newEmail)}. Từ nay thư của tài khoản không còn gửi đến địa chỉ này nữa.`,
  ],
  closing: [NOT_YOU],
})

export const phoneChangedMail = (to: Addressee, newPhone: string): Mail => ({
  kind: 'phone-changed',
  ...to,
  subject: 'Số điện thoại của tài khoản đã được cập nhật',
  paragraphs: [`Số điện thoại ${maskPhone(newPhone)} vừa được xác thực cho tài khoản ${to.username}.`],
  closing: [NOT_YOU],
})

/** To a player whose phone, never proved, was proved by somebody else. */
export const phoneLostMail = (to: Addressee, phone: string): Mail => ({
  kind: 'phone-lost',
  ...to,
  subject: 'Tài khoản của bạn cần một số điện thoại khác',
  paragraphs: [
    `Số điện thoại ${maskPhone(phone)} chưa được xác thực cho tài khoản ${to.username} và vừa được chủ của số xác thực cho một tài khoản khác.`,
    'Bạn hãy vào trang cá nhân để thêm số điện thoại của mình và xác thực.',
  ],
})
