import type { Role } from '#contract/operator/roles.ts'

/** Beside the names where somebody chooses one. */
export const ROLE_DUTIES: Record<Role, string> = {
  owner: 'Mọi quyền, kể cả giá, tài khoản nhận tiền và ban vận hành.',
  editor: 'Bài viết, chuyên mục và cài đặt nội dung.',
  cashier: 'Tiền vào, đơn nạp và giao hàng.',
  referee: 'Giải đấu.',
  support: 'Xem đơn nạp, khoản chuyển, giao hàng và trả lời người chơi.',
}
