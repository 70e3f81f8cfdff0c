import type { Role } from '#contract/operator/roles.ts'

/** What the console calls the roles, wherever it names one. */
export const ROLE_NAMES: Record<Role, string> = {
  owner: 'Chủ sở hữu',
  editor: 'Biên tập',
  cashier: 'Thủ quỹ',
  referee: 'Trọng tài',
  support: 'Hỗ trợ',
}

/** Beside the names where somebody chooses one. */
export const ROLE_DUTIES: Record<Role, string> = {
  owner: 'Mọi quyền, kể cả giá, tài khoản nhận tiền và ban vận hành.',
  editor: 'Bài viết, chuyên mục và cài đặt nội dung.',
  cashier: 'Tiền vào, đơn nạp và giao hàng.',
  referee: 'Giải đấu.',
  support: 'Xem đơn nạp, khoản chuyển, giao hàng và trả lời người chơi.',
}
