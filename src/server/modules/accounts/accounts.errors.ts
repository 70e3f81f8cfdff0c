import { Refusal } from '#server/platform/http/refusal.ts'

export const notActivated = () => new Refusal('NOT_ACTIVATED')

const vietnamTime = new Intl.DateTimeFormat('vi-VN', {
  timeZone: 'Asia/Ho_Chi_Minh',
  dateStyle: 'short',
  timeStyle: 'short',
})

export function banned(until: Date, reason: string | null): Refusal {
  const because = reason ? `, lý do: ${reason}` : ''
  return new Refusal('BANNED', {
    message: `Tài khoản đang bị khóa giao dịch đến ${vietnamTime.format(until)}${because}`,
  })
}

export const usernameTaken = () =>
  new Refusal('USERNAME_TAKEN', { errors: { username: ['Tên đăng nhập đã có người sử dụng'] } })

export const phoneTaken = () =>
  new Refusal('PHONE_TAKEN', { errors: { phone: ['Số điện thoại đã được đăng ký cho tài khoản khác'] } })
