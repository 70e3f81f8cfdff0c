import type { RechargeOrder } from '#contract/recharge.ts'

const MINUTE_SECONDS = 60

/** `8 giây`, `3 phút`; never less than the true time. */
const durationText = (seconds: number) =>
  seconds < 2 * MINUTE_SECONDS ? `${seconds} giây` : `${Math.ceil(seconds / MINUTE_SECONDS)} phút`

/** The texts of the page of one order. */
export const orderCopy = {
  purchaseFailed: 'Chưa tải được món mua cùng đơn này',
  bonus: 'Thưởng nạp',
  bonusPromised: (coins: string, title: string) =>
    `Trả tiền trước khi mã hết hạn, bạn được thưởng thêm ${coins} TCoin (${title}). Chuyển ít hơn thì thưởng tính theo số tiền đã đến.`,
  bonusLate: (coins: string) => `Nếu bạn đã trả đúng hạn, đơn này vẫn được thưởng ${coins} TCoin.`,
  bonusGiven: (coins: string, title: string) => `Đã thưởng thêm ${coins} TCoin: ${title}.`,
  receipt: 'Biên nhận',
  facts: 'Thông tin đơn nạp',
  code: 'Mã đơn nạp',
  orderAmount: 'Số tiền của đơn',
  arrived: 'Số tiền đã đến',
  channel: 'Kênh nạp',
  createdAt: 'Tạo đơn lúc',
  arrivedAt: 'Tiền đến lúc',
  creditedAt: 'Vào ví lúc',
  notCreditedYet: 'Đang chờ kiểm tra',
  bankReference: 'Mã tham chiếu ngân hàng',
  order: (code: string) => `Đơn nạp ${code}`,
  credited: 'Đã cộng vào ví',
  moneyArrived: 'Đã nhận tiền',
  staffChecks: 'Đội vận hành kiểm tra',
  coinsAdded: 'Đã cộng TCoin',
  buys: (luong: string, character: string, coins: string) =>
    `Tiền đến là ${coins} TCoin tự đổi thành ${luong} lượng cho nhân vật ${character}, bạn không cần bấm gì thêm.`,
  goods: 'Lượng vào nhân vật',
  goodsRefused: 'Chưa đổi được lượng',
  goodsRefunded: 'Game không nhận, TCoin về ví',
  bought: (luong: string, character: string) => `${luong} lượng cho nhân vật ${character}`,
  buying: 'Đang đổi, trang tự cập nhật.',
  notBought: (luong: string, character: string) => `Chưa đổi được ${luong} lượng cho nhân vật ${character}.`,
  coinsKept: 'TCoin của đơn này ở trong ví.',
  toReceipt: 'Xem biên nhận',
  stamp: 'Đã cộng',
  newBalance: 'Số dư ví',
  qrAlt: (amount: string, memo: string) => `Mã VietQR: chuyển ${amount} VND với nội dung ${memo}`,
  saveQr: 'Lưu mã QR',
  qrDownloading: 'Đang tải mã QR về máy. Không thấy ảnh? Hãy nhấn giữ vào mã QR để lưu.',
  holdQr: 'Nhấn giữ vào mã QR rồi chọn lưu ảnh.',
  scanWith: 'Quét bằng mọi ứng dụng ngân hàng',
  saveQrFailed: 'Không lưu được mã QR, bạn có thể chụp màn hình',
  share: 'Chia sẻ',
  shareFailed: 'Không chia sẻ được mã QR, bạn có thể lưu rồi gửi ảnh',
  samePhone: 'Trả tiền ngay trên điện thoại này',
  steps: ['Lưu mã QR vào máy', 'Mở ứng dụng ngân hàng, bấm quét mã', 'Chọn ảnh vừa lưu rồi xác nhận'],
  usually: (seconds: number) => `TCoin thường được cộng sau ${durationText(seconds)} kể từ lúc bạn chuyển.`,
  scanAtMomo: 'Bấm “Mở ứng dụng MoMo” nếu MoMo có trên điện thoại này, hoặc quét mã bằng MoMo trên máy khác.',
  waitingAtMomo: {
    title: 'Đang chờ bạn thanh toán',
    text: 'Thanh toán trong ứng dụng MoMo, TCoin vào ví ngay sau đó.',
  },
  openMomo: 'Mở ứng dụng MoMo',
  momoQrAlt: (amount: string) => `Mã QR của MoMo: thanh toán ${amount} VND`,
  byHand: 'Hoặc chuyển khoản thủ công',
  help: 'Cần giúp?',
  contactStaff: 'Hỏi đội vận hành trong Box Zalo',
  memoHint: 'Giữ đúng nội dung chuyển khoản để TCoin vào ví của bạn.',
  bank: 'Ngân hàng',
  accountNumber: 'Số tài khoản',
  accountName: 'Chủ tài khoản',
  transferAmount: 'Số tiền',
  memo: 'Nội dung chuyển khoản',
  minutesLeft: (minutes: number) => `Mã QR còn hiệu lực ${minutes} phút`,
  noMinuteLeft: 'Mã QR chỉ còn hiệu lực dưới một phút',
  watching: 'Đang chờ tiền đến. Trang tự cập nhật, bạn không cần tải lại.',
  newOrder: 'Tạo đơn mới',
  missing: (amount: string) => `Đơn này còn thiếu ${amount} VND. `,
  payMissing: (amount: string) => `Nạp thêm ${amount} VND`,
  toExchange: 'Đổi lượng',
  toStatement: 'Xem lịch sử giao dịch',
  demoTitle: 'Đây là bản dùng thử',
  demoText:
    'Không có ngân hàng nào ở phía sau: đừng chuyển tiền thật. Hãy dùng trang chuyển khoản thử để thấy tiền đến.',
  demoLink: 'Chuyển khoản thử',
} as const

/** What the state of an order means for the player. */
export const orderStateTexts: Record<RechargeOrder['status'], { title: string; text: string }> = {
  pending: {
    title: 'Đang chờ bạn chuyển khoản',
    text: 'Quét mã QR hoặc chuyển khoản đúng số tiền và nội dung bên dưới.',
  },
  paid: {
    title: 'Nạp TCoin thành công',
    text: 'Tiền đã đến đủ và TCoin đã vào ví của bạn, dùng được ngay.',
  },
  paid_under: {
    title: 'Đã nhận ít hơn số tiền của đơn',
    text: 'Ví của bạn đã được cộng đúng số tiền đã đến, dùng được ngay. Muốn nạp đủ, bạn tạo đơn mới cho phần còn thiếu.',
  },
  paid_over: {
    title: 'Đã nhận nhiều hơn số tiền của đơn',
    text: 'Ví của bạn được cộng toàn bộ số tiền đã đến, bạn không cần làm gì thêm.',
  },
  expired: {
    title: 'Mã QR đã hết hạn',
    text: 'Vui lòng không chuyển tiền theo mã này nữa. Nếu bạn đã chuyển, TCoin vẫn được cộng khi ngân hàng báo tiền đến.',
  },
  cancelled: {
    title: 'Đơn nạp đã hủy',
    text: 'Nếu bạn lỡ chuyển tiền theo đơn này, đội vận hành sẽ kiểm tra và xử lý khoản tiền đó.',
  },
  review: {
    title: 'Đội vận hành đang kiểm tra khoản tiền',
    text: 'Tiền đã đến nhưng cần người kiểm tra trước khi cộng vào ví. Bạn không cần chuyển lại; trang tự cập nhật khi có kết quả.',
  },
}
