import type { NotBought } from '../constants.ts'

/** Why an order that was paid has not bought what it was meant to: what players read. Their TCoin are in the wallet then. */
export const NOT_BOUGHT: Record<NotBought, string> = {
  'price-changed': 'Giá đổi lượng đã thay đổi sau khi bạn tạo đơn.',
  'character-gone': 'Không còn tìm thấy nhân vật bạn đã chọn.',
  banned: 'Tài khoản đang bị khóa giao dịch.',
  'not-activated': 'Tài khoản chưa được kích hoạt.',
  'coins-missing': 'Số TCoin trong ví không đủ.',
  cancelled: 'Đơn nạp đã bị hủy trước khi tiền đến.',
  late: 'Quá lâu kể từ lúc bạn tạo đơn.',
}
