import { formatNumber } from '#contract/format.ts'
import { conflict, invalidField, Refusal } from '#server/platform/values/errors.ts'

export const ownAccount = () => conflict('Bạn không thể làm việc này với tài khoản của chính mình')

export const approverNotBanned = () =>
  conflict(
    'Người này giữ vai trò được duyệt hoặc bác đề xuất, hoặc giữ trong 7 ngày qua, nên không bị khóa đăng nhập từ đây. Hãy đề xuất thu vai trò; cần gấp thì chủ cổng thu vai trò bằng dòng lệnh',
  )

export const noSuchBan = () => conflict('Tài khoản không bị khóa như vậy, vui lòng tải lại trang')

export const noEmail = () => conflict('Tài khoản chưa có email nên không gửi được thư')

export const secondFactorOff = () => conflict('Tài khoản không bật xác thực hai lớp')

export const walletHolds = (balance: number) =>
  new Refusal('INSUFFICIENT_BALANCE', {
    message: `Ví chỉ còn ${formatNumber(balance)} TCoin`,
    errors: { amount: [`Ví chỉ còn ${formatNumber(balance)} TCoin`] },
  })

export const walletFull = () => invalidField('amount', 'Số dư sau điều chỉnh quá lớn')
