import type { Mail } from '#server/modules/mail/index.ts'

export const passwordChangedLetter = ({ username, email }: { username: string; email: string }): Mail => ({
  kind: 'password-changed',
  to: email,
  subject: 'Mật khẩu của bạn đã được thay đổi',
  username,
  paragraphs: [
    'Mật khẩu tài khoản của bạn vừa được thay đổi. Mọi thiết bị khác đã bị đăng xuất và cần đăng nhập lại bằng mật khẩu mới.',
  ],
  closing: ['Nếu không phải bạn, hãy dùng mục Quên mật khẩu để đặt lại mật khẩu ngay.'],
})
