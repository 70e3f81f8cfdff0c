import type { Addressee, Mail } from '#server/modules/mail/index.ts'

export type ResetWay = 'email' | 'phone' | 'game' | 'command-line'

/** How long a mailed link opens. */
export const LINK_MINUTES_MAX = 30

export const linkMail = (to: Addressee, url: string): Mail => ({
  kind: 'password-reset',
  ...to,
  subject: 'Đặt lại mật khẩu của bạn',
  paragraphs: [
    `Chúng tôi nhận được yêu cầu đặt lại mật khẩu cho tài khoản ${to.username}. Bạn mở đường dẫn dưới đây để đặt mật khẩu mới.`,
  ],
  action: { label: 'Đặt mật khẩu mới', url },
  closing: [
    `Đường dẫn chỉ dùng được một lần, trong ${LINK_MINUTES_MAX} phút. Đừng đưa nó cho bất kỳ ai.`,
    'Nếu bạn không yêu cầu, hãy bỏ qua thư này: mật khẩu của bạn không thay đổi.',
  ],
  usefulMinutes: LINK_MINUTES_MAX,
})

export const passwordResetMail = (to: Addressee, way: ResetWay): Mail => ({
  kind: 'password-was-reset',
  ...to,
  subject: 'Mật khẩu của bạn vừa được đặt lại',
  paragraphs: [
    `Mật khẩu tài khoản ${to.username} vừa được đặt lại bằng ${way === 'email' ? 'đường dẫn gửi qua email' : 'mã OTP gửi đến số điện thoại'}. Mọi thiết bị khác đã được đăng xuất.`,
  ],
  closing: [
    'Nếu không phải bạn, hãy đặt lại mật khẩu ngay và báo cho ban quản trị: người khác có thể đang dùng tài khoản của bạn.',
  ],
})

export const passwordChangedMail = (to: Addressee): Mail => ({
  kind: 'password-changed',
  ...to,
  subject: 'Mật khẩu của bạn đã được thay đổi',
  paragraphs: [
    'Mật khẩu tài khoản của bạn vừa được thay đổi. Mọi thiết bị khác đã bị đăng xuất và cần đăng nhập lại bằng mật khẩu mới.',
  ],
  closing: ['Nếu không phải bạn, hãy dùng mục Quên mật khẩu để đặt lại mật khẩu ngay.'],
})
