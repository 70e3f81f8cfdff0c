import { NOT_ACTIVATED_TEXT } from '#contract/constants.ts'

/** The texts that all purchases for a character share. */
export const purchaseCopy = {
  level: (level: number) => (level ? `\u00a0· Cấp\u00a0${level}` : ''),
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
  nothing: '—',
  noCharacterYet: 'Chưa chọn nhân vật',
  priceChanged: 'Giá vừa thay đổi, chưa có TCoin nào bị trừ. Vui lòng xem lại trước khi mua.',
  before: (figure: string) => `trước đó ${figure}`,

  banned: 'Tài khoản đang bị khóa giao dịch',
  notActivated: NOT_ACTIVATED_TEXT,
  activate: 'Kích hoạt ngay',
  bestValue: 'Nhiều lượng nhất trên mỗi TCoin',

  waitingNote: 'Đang chờ game xác nhận. Trang tự cập nhật.',
  receipt: 'Xem biên nhận',
  toDeliveries: 'Xem tất cả món đã mua',
  notGiven: 'Không giao lại',
  notReceived: 'Chưa nhận được',
  free: 'Quà tặng',
  oldReceipt: 'Biên nhận cũ',
  refundedNote: 'Game không nhận được, TCoin đã về ví của bạn.',
} as const
