import { GIFT_INCOMPLETE } from '#contract/exchange.ts'

export const giftsCopy = {
  lead: 'Bốn gói quà cho người mới xuống núi. Mỗi tài khoản được mua một gói, một lần duy nhất.',
  characters: 'Nhân vật nhận quà',
  visitorText: 'Bạn cần đăng nhập để xem nhân vật của mình và mua quà tân thủ.',
  packages: 'Gói quà',
  packageOf: (amount: string) => `Gói ${amount}`,
  quantity: (quantity: string, name: string) => `${quantity} ${name.toLowerCase()}`,

  summary: 'Mua quà tân thủ',
  contents: 'Quà nhận được',
  confirm: 'Mua gói quà',
  confirmTitle: 'Xác nhận mua quà tân thủ',
  confirmWarning:
    'Mỗi tài khoản chỉ mua được một gói. Quà gắn với nhân vật đã chọn và không đổi sang gói khác.',
  loginFirst: 'Vui lòng đăng nhập để mua quà tân thủ',
  incomplete: GIFT_INCOMPLETE,

  toCode: 'Có mã quà? Nhập mã',
  codeTitle: 'Nhập mã quà',
  codeLead: 'Mã quà có trong sự kiện, trên trang cộng đồng của game hoặc do đội vận hành gửi bạn.',
  code: 'Mã quà',
  codeHint: '12 chữ và số, ví dụ ABCD-EFGH-JKMN.',
  chooseCharacter: 'Chọn nhân vật',
  redeem: 'Nhận quà',
  statement: 'Xem lịch sử giao dịch',

  takenTitle: 'Bạn đã mua quà tân thủ',
  takenText: 'Mỗi tài khoản được mua một gói, và đây là gói của bạn.',
  delivery: 'Giao quà',
  deliveryTo: (character: string) => `Cho nhân vật ${character}`,
  deliveredNote: 'Quà đã vào túi đồ của nhân vật. Chúc bạn chơi vui!',
  refunded: 'Gói quà trước không vào được game nên TCoin đã về ví. Bạn có thể chọn lại.',
  unknownPackage: 'Gói quà của bạn không còn được bán.',
} as const
