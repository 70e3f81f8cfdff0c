import type { DeliveryStatus } from '#contract/deliveries.ts'
import type { BadgeTone } from '#ui/badge.tsx'

/** What everything that is bought for a character says alike. */
export const purchaseCopy = {
  level: (level: number) => `Cấp ${level}`,
  unknownClass: 'Chưa rõ trường',
  visitorTitle: 'Đăng nhập để chọn nhân vật',
  login: 'Đăng nhập',
  register: 'Đăng ký',
  noCharacters: 'Tài khoản chưa có nhân vật nào',
  noCharactersMore: 'Vào game tạo nhân vật trên máy chủ của bạn rồi quay lại đây.',
  charactersLate: 'Máy chủ game chưa trả lời, danh sách nhân vật sẽ hiện khi có.',
  charactersAt: (moment: string) => `Nhân vật cập nhật lúc ${moment}`,
  reload: 'Tải lại nhân vật',

  pay: 'Bạn trả',
  toCharacter: 'Nhân vật',
  balanceAfter: 'Số dư còn lại',

  banned: 'Tài khoản đang bị khóa giao dịch',
  notActivated: 'Vui lòng kích hoạt tài khoản để sử dụng tính năng giao dịch',
  activate: 'Kích hoạt ngay',
  missing: (amount: string) => `Bạn còn thiếu: ${amount}, vui lòng nạp thêm tiền`,
  recharge: 'Nạp TCoin',

  waitingNote: 'Đang chờ game xác nhận. Trang tự cập nhật.',
  refundedNote: 'Game không nhận được, TCoin đã về ví của bạn.',
  toStatement: 'Xem lịch sử giao dịch',
} as const

export const deliveryStates: Record<DeliveryStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: 'đang chờ nhận', tone: 'waiting' },
  delivered: { label: 'đã nhận', tone: 'success' },
  refunded: { label: 'đã hoàn tiền', tone: 'note' },
}
