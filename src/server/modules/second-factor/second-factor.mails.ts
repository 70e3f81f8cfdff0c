import type { Addressee, Mail } from '#server/modules/mail/index.ts'

const IF_NOT_YOU =
  'Nếu không phải bạn, hãy đổi mật khẩu ngay và đăng xuất khỏi mọi thiết bị khác trong mục Hồ sơ.'

export const secondFactorOnMail = (to: Addressee): Mail => ({
  kind: 'second-factor-on',
  ...to,
  subject: 'Xác thực hai lớp đã được bật',
  paragraphs: [
    'Xác thực hai lớp vừa được bật cho tài khoản của bạn. Từ nay mỗi lần đăng nhập cần thêm mã 6 số trong ứng dụng xác thực.',
    'Hãy cất các mã khôi phục ở nơi an toàn: đó là cách duy nhất để đăng nhập khi bạn mất điện thoại.',
  ],
  closing: [IF_NOT_YOU],
})

export const secondFactorOffMail = (to: Addressee): Mail => ({
  kind: 'second-factor-off',
  ...to,
  subject: 'Xác thực hai lớp đã bị tắt',
  paragraphs: [
    'Xác thực hai lớp của tài khoản vừa bị tắt. Từ nay chỉ cần mật khẩu là đăng nhập được.',
    'Các mã khôi phục cũ không còn dùng được nữa.',
  ],
  closing: [IF_NOT_YOU],
})
