import type { DeliveryStatus } from '#contract/deliveries.ts'
import type { BadgeTone } from '#ui/badge.tsx'

export const exchangeCopy = {
  title: 'Đổi lượng',
  description: 'Đổi TCoin lấy lượng cho nhân vật của bạn trong game.',
  lead: 'Chọn nhân vật và mệnh giá. Lượng được chuyển vào game sau vài giây.',
  bonus: (percent: number) => `Khuyến mãi +${percent}% lượng`,
  characters: 'Nhân vật nhận lượng',
  amounts: 'Mệnh giá',
  noAmounts: 'Hiện chưa có mệnh giá nào được mở.',
  receive: (luong: string) => `Nhận ${luong} lượng`,
  level: (level: number) => `Cấp ${level}`,
  unknownClass: 'Chưa rõ trường',

  visitorTitle: 'Đăng nhập để chọn nhân vật',
  visitorText: 'Bạn cần đăng nhập để xem nhân vật của mình và đổi lượng.',
  login: 'Đăng nhập',
  register: 'Đăng ký',
  noCharacters: 'Tài khoản chưa có nhân vật nào',
  noCharactersMore: 'Vào game tạo nhân vật trên máy chủ của bạn rồi quay lại đây.',
  charactersLate: 'Máy chủ game chưa trả lời, danh sách nhân vật sẽ hiện khi có.',
  charactersAt: (moment: string) => `Nhân vật cập nhật lúc ${moment}`,
  reload: 'Tải lại nhân vật',

  pay: 'Bạn trả',
  get: 'Nhân vật nhận',
  toCharacter: 'Nhân vật',
  balanceAfter: 'Số dư còn lại',
  luong: (luong: string) => `${luong} lượng`,
  confirm: 'Đổi lượng',
  confirmTitle: 'Xác nhận đổi lượng',
  confirmWarning: 'Lượng đã vào game thì không đổi lại thành TCoin được.',

  loginFirst: 'Vui lòng đăng nhập để đổi lượng',
  banned: 'Tài khoản đang bị khóa giao dịch',
  notActivated: 'Vui lòng kích hoạt tài khoản để sử dụng tính năng giao dịch',
  activate: 'Kích hoạt ngay',
  incomplete: 'Vui lòng chọn nhân vật và mệnh giá',
  missing: (amount: string) => `Bạn còn thiếu: ${amount}, vui lòng nạp thêm tiền`,
  recharge: 'Nạp TCoin',

  deliveries: 'Lần đổi gần đây',
  deliveryOf: (luong: string, character: string) => `${luong} lượng cho ${character}`,
  waitingNote: 'Đang chờ game xác nhận. Trang tự cập nhật.',
  refundedNote: 'Game không nhận được, TCoin đã về ví của bạn.',
  toStatement: 'Xem lịch sử giao dịch',
} as const

export const deliveryStates: Record<DeliveryStatus, { label: string; tone: BadgeTone }> = {
  pending: { label: 'đang chờ nhận', tone: 'waiting' },
  delivered: { label: 'đã nhận', tone: 'success' },
  refunded: { label: 'đã hoàn tiền', tone: 'note' },
}
