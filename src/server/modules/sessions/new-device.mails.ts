import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { describeDevice } from './sessions.rules.ts'
import { describePlace } from './sign-ins.rules.ts'

type SignIn = { at: Date; userAgent: string; place: string }

export const newDeviceMail = (to: Addressee, { at, userAgent, place }: SignIn): Mail => ({
  kind: 'new-device',
  ...to,
  subject: 'Tài khoản của bạn vừa đăng nhập trên thiết bị mới',
  paragraphs: [
    'Tài khoản của bạn vừa đăng nhập trên một thiết bị hoặc mạng chưa từng dùng trước đây.',
    `Lúc: ${formatMoment(at.toISOString())} (giờ Việt Nam)`,
    `Thiết bị: ${describeDevice(userAgent)}`,
    `Nơi: ${describePlace(place)}`,
  ],
  closing: [
    'Nếu là bạn thì không cần làm gì thêm.',
    'Nếu không phải bạn, hãy đổi mật khẩu ngay trong mục Hồ sơ: mọi thiết bị khác sẽ bị đăng xuất. Không vào được tài khoản nữa? Hãy dùng mục Quên mật khẩu.',
  ],
})
