import { type CaseKind, type CaseState, TOPIC_WORDS } from '../help/case-forms.ts'
import type { NotBought } from '../constants.ts'
import type { WaitingReason } from '../deliveries.ts'
import type { LegalKind } from '../legal.ts'
import type { MaintenanceSection } from './maintenance.ts'
import type { TournamentPhase } from '../tournament-phase.ts'
import type { LedgerTransfer } from './ledger-transfers.ts'
import type { BankTransfer, PaymentEvent } from './bank-transfers.ts'
import type { OperatorDailyClose } from './daily-closes.ts'
import type { OperatorDelivery } from './deliveries.ts'
import type { ListedRefund } from './gateway-refunds.ts'
import type { Sameness } from './help/account-returns.ts'
import type { Promotion } from './promotions.ts'
import type { OperatorClaim, OperatorOrder } from './recharge.ts'
import type { Role } from './roles.ts'

/** The words by which screens of the console and files for spreadsheets show states and kinds. */
const words = <Value extends string>(names: Record<Value, string>): Record<Value, string> => names

/** How money comes in, by the channel's number. */
export const CHANNEL_WORDS: Record<number, string> = { 1: 'MoMo', 2: 'Vietcombank', 3: 'ACB' }

export const DIRECTION_WORDS = words<BankTransfer['direction']>({ in: 'Tiền vào', out: 'Tiền ra' })

export const TRANSFER_WORDS = words<BankTransfer['state']>({
  review: 'Chờ kiểm tra',
  credited: 'Đã cộng',
  refunded: 'Đã hoàn',
  ignored: 'Bỏ qua',
})

export const EVENT_WORDS = words<PaymentEvent['status']>({
  new: 'Đang xử lý',
  applied: 'Đã cộng',
  review: 'Cần xem',
  duplicate: 'Báo trùng',
  stale: 'Quá hạn',
  ignored: 'Đã bỏ qua',
  unreadable: 'Không đọc được',
})

export const REFUND_WORDS = words<ListedRefund['state']>({
  asked: 'Chờ MoMo trả lời',
  done: 'Đã hoàn',
  failed: 'Không hoàn được',
})

export const CLAIM_WORDS = words<OperatorClaim['status']>({
  answered: 'Đã trả lời',
  open: 'Chờ trả lời',
  settled: 'Đã giải quyết',
  rejected: 'Từ chối',
})

export const CASE_WORDS = words<CaseState>({
  open: 'Chờ trả lời',
  answered: 'Đã trả lời',
  closed: 'Đã đóng',
})

export const CASE_KIND_WORDS = words<CaseKind>({
  transaction: 'Giao dịch',
  order: 'Đơn nạp',
  delivery: 'Món đã mua',
  claim: 'Khoản chuyển chưa được cộng',
  ...TOPIC_WORDS,
})

export const ORDER_WORDS = words<OperatorOrder['status']>({
  pending: 'Chờ tiền',
  paid: 'Đã nhận đủ',
  paid_under: 'Nhận thiếu',
  paid_over: 'Nhận thừa',
  expired: 'Hết hạn',
  cancelled: 'Đã hủy',
  review: 'Chờ kiểm tra',
})

/** Why an order that was paid did not buy what it was meant to. */
export const NOT_BOUGHT_WORDS = words<NotBought>({
  'price-changed': 'Giá đổi lượng đã thay đổi',
  'character-gone': 'Không còn tìm thấy nhân vật',
  banned: 'Người chơi bị khóa giao dịch',
  'not-activated': 'Tài khoản chưa kích hoạt',
  'coins-missing': 'Ví không đủ TCoin',
  cancelled: 'Đơn bị hủy trước khi tiền đến',
  late: 'Tiền đến quá muộn',
})

export const DELIVERY_WORDS = words<OperatorDelivery['state']>({
  pending: 'Chờ gửi',
  sending: 'Đang gửi',
  unknown: 'Chưa rõ, sẽ hỏi lại',
  parked: 'Bị treo',
  delivered: 'Game đã nhận',
  refunded: 'Đã hoàn',
})

/** Why goods that the game has applied are not with their character. */
export const WAITING_WORDS = words<WaitingReason>({
  offline: 'Chờ vào game',
  'bag-full': 'Hành trang đầy',
  'over-limit': 'Vượt mức tối đa',
  'unknown-item': 'Game chưa biết vật phẩm',
})

export const LEDGER_WORDS = words<LedgerTransfer['kind']>({
  recharge: 'Nạp',
  p2p: 'Chuyển cho người chơi',
  activation: 'Kích hoạt',
  exchange_hold: 'Giữ để đổi lượng',
  exchange_settle: 'Đổi lượng xong',
  exchange_refund: 'Hoàn đổi lượng',
  gift_hold: 'Giữ để mua quà',
  gift_settle: 'Mua quà xong',
  gift_refund: 'Hoàn mua quà',
  adjustment: 'Điều chỉnh',
  reversal: 'Thu hồi',
  debt: 'Ghi nợ',
  debt_settle: 'Trả nợ',
  opening: 'Số dư từ cổng cũ',
  budget: 'Cấp ngân sách',
  bonus_hold: 'Giữ cho thưởng nạp',
  bonus: 'Thưởng nạp',
  bonus_release: 'Trả thưởng nạp về ngân sách',
  gift_code_hold: 'Giữ cho mã quà',
  gift_code: 'Mã quà',
  gift_code_release: 'Trả mã quà về ngân sách',
  invitation: 'Thưởng mời bạn',
})

/** What caused a movement of TCoin. */
export const SOURCE_WORDS: Record<string, string> = {
  delivery: 'Lượt giao',
  bank_transaction: 'Khoản chuyển',
  transfer: 'Chuyển TCoin',
  ledger_transfer: 'Dòng sổ cái',
  user: 'Tài khoản',
  operator: 'Người vận hành',
  adjustment: 'Điều chỉnh',
  proposal: 'Đề xuất',
  seed: 'Dữ liệu mẫu',
  stripe: 'Dồn ngăn',
  game_account: 'Tài khoản game',
  budget: 'Ngân sách',
  order_bonus: 'Thưởng của đơn nạp',
  gift_code_batch: 'Đợt mã quà',
  gift_code_use: 'Lượt dùng mã quà',
  invitation: 'Lời mời bạn',
}

export const ACCOUNT_WORDS: Record<string, string> = {
  user_wallet: 'Ví',
  receivable: 'Nợ',
  house_recharge: 'Tiền nạp',
  house_revenue: 'Doanh thu',
  house_gift: 'Quà tặng',
  delivery_hold: 'Đang giữ cho lượt giao',
  suspense: 'Treo',
  promotion: 'Khuyến mãi',
  adjustment: 'Điều chỉnh',
  opening: 'Số dư từ cổng cũ',
  promotion_hold: 'Đang giữ cho thưởng nạp và mã quà',
  budget: 'Ngân sách',
}

export const PROMOTION_WORDS = words<Promotion['state']>({
  planned: 'Chưa chạy',
  running: 'Đang chạy',
  stopped: 'Đã dừng',
})

export const PHASE_WORDS = words<TournamentPhase>({
  announced: 'Sắp mở đăng ký',
  registering: 'Đang đăng ký',
  drawing: 'Chờ bốc thăm',
  running: 'Đang đấu',
  finished: 'Đã kết thúc',
  cancelled: 'Đã hủy',
})

export const CLOSE_WORDS = words<OperatorDailyClose['status']>({
  green: 'Khớp',
  red: 'Không khớp',
  'not-compared': 'Chưa đối chiếu',
  empty: 'Không có tiền',
})

/** What does not agree on a day. */
export const DIFFERENCE_WORDS: Record<string, string> = {
  'bank-more': 'Ngân hàng có nhiều khoản hơn sổ',
  'bank-less': 'Sổ có nhiều khoản hơn ngân hàng',
  'bank-amounts': 'Cùng số khoản nhưng khác số tiền',
  'bank-outgoing': 'Tiền ra khác với sao kê',
  'bank-unreadable': 'Có dòng sao kê không đọc được',
  untold: 'Có khoản không có thông báo đúng số tiền',
  'without-reason': 'Có khoản bị để riêng mà không có lý do',
  unaccounted: 'Tiền đến khác với tổng những gì đã xử lý',
  coins: 'TCoin đã cộng khác với tiền theo tỉ lệ',
  orders: 'Đơn và cộng trực tiếp khác với sổ cái',
  'open-events': 'Còn thông báo chưa quyết định',
}

/** What the console calls the roles, wherever it names one. */
export const ROLE_WORDS = words<Role>({
  owner: 'Chủ sở hữu',
  editor: 'Biên tập',
  cashier: 'Thủ quỹ',
  referee: 'Trọng tài',
  support: 'Hỗ trợ',
})

/** What can be closed for players. */
export const SECTION_WORDS = words<MaintenanceSection>({
  all: 'Toàn bộ cổng',
  recharge: 'Nạp TCoin',
  exchange: 'Đổi lượng',
  gift: 'Quà tân thủ',
  transfer: 'Chuyển TCoin',
})

export const LEGAL_WORDS = words<LegalKind>({
  terms: 'Điều khoản sử dụng',
  privacy: 'Chính sách quyền riêng tư',
  refunds: 'Chính sách hoàn tiền',
})

/** A visitor's contact against what the game has of an account. */
export const GAME_CONTACT_WORDS = words<Sameness>({
  same: 'Trùng với liên hệ của khách',
  other: 'Không trùng với liên hệ của khách',
  none: 'Game không ghi liên hệ nào',
})

/** A visitor's contact against what an account has without a proof. */
export const UNPROVED_CONTACT_WORDS = words<Sameness>({
  same: 'Trùng với liên hệ của khách',
  other: 'Có, không trùng với liên hệ của khách; sẽ bị gỡ',
  none: 'Không có',
})

/** Kinds of things that acts are about, as the audit trail names them. */
export const THING_WORDS: Readonly<Record<string, string>> = {
  'game-table': 'Bảng của game',
  setting: 'Cài đặt',
  'planned-price': 'Lịch đổi giá',
  user: 'Tài khoản',
  adjustment: 'Điều chỉnh TCoin',
  'second-factor': 'Xác thực hai lớp',
  'account-return': 'Trả lại tài khoản',
  roles: 'Vai trò',
  invite: 'Lời mời chờ duyệt',
  'give-again': 'Lần giao lại',
  'game-comparison': 'Lần so với game',
  budget: 'Ngân sách',
  promotion: 'Khuyến mãi',
  milestones: 'Mốc nạp',
  'gift-codes': 'Đợt mã quà',
  'staff-invite': 'Lời mời',
  maintenance: 'Bảo trì',
  server: 'Máy chủ',
  'game-name': 'Tên trong game',
  'game-accounts': 'Tài khoản trong game',
  class: 'Trường',
  'ranking-group': 'Bảng xếp hạng',
  post: 'Bài viết',
  category: 'Chuyên mục',
  picture: 'Ảnh',
  legal_text: 'Văn bản pháp lý',
  tournament: 'Giải đấu',
  team: 'Đội',
  bank_transaction: 'Khoản chuyển',
  payment_event: 'Thông báo tiền vào',
  recharge_claim: 'Yêu cầu kiểm tra',
  case: 'Yêu cầu hỗ trợ',
  'answer-template': 'Mẫu trả lời',
  'client-error': 'Lỗi trình duyệt',
  delivery: 'Lượt giao',
  daily_close: 'Chốt ngày',
  reconciliation: 'Lần đối soát',
  payment_order: 'Đơn nạp',
  deletion_request: 'Yêu cầu xóa tài khoản',
  'demo-world': 'Dữ liệu mẫu',
}

/** Why a transfer at the bank is where it is, in the operators' words. Unknown reasons (a provider's own) are shown as they are. */
const TRANSFER_REASONS = {
  'no-code': 'Không có mã đơn trong nội dung',
  'two-codes': 'Có nhiều mã đơn trong nội dung',
  'unknown-code': 'Mã đơn không tồn tại',
  'wrong-account': 'Chuyển vào tài khoản khác với đơn',
  'wrong-request': 'Thanh toán MoMo không khớp yêu cầu của đơn',
  'wrong-amount': 'Thanh toán MoMo khác số tiền của đơn',
  'order-already-paid': 'Đơn đã được thanh toán trước đó',
  'order-cancelled': 'Đơn đã hủy',
  'order-in-review': 'Đơn đang chờ kiểm tra',
  'user-deleted': 'Người chơi không còn tồn tại',
  'user-banned': 'Người chơi đang bị khóa giao dịch',
  'too-late': 'Chuyển quá muộn so với đơn',
  'rate-changed': 'Tỉ giá đã thay đổi sau khi đơn hết hạn',
  'below-minimum': 'Số tiền dưới mức nạp tối thiểu',
  'above-maximum': 'Số tiền trên mức nạp tối đa',
  'foreign-account': 'Tài khoản nhận không phải tài khoản của cổng',
  'reference-conflict': 'Trùng mã giao dịch ngân hàng với một khoản đã có, chưa chắc có phải cùng một khoản',
  'changed-notice': 'Nguồn báo gửi lại cùng mã nhưng nội dung khác',
  'unreadable-notice': 'Thông báo không đọc được',
  'unreadable-row': 'Một dòng thông báo không đọc được',
  repeated: 'Nguồn báo gửi lại thông báo đã có',
  'same-transfer': 'Khoản này đã được báo bởi thông báo khác',
  'test-ping': 'Thông báo thử của nguồn báo',
  authorised: 'MoMo đã giữ tiền nhưng chưa thu',
  pending: 'Thanh toán đang chờ hoàn tất',
  'payment-failed': 'Thanh toán không thành công',
  'unknown-result': 'Kết quả thanh toán chưa rõ, cần hỏi lại MoMo',
  outgoing: 'Tiền ra khỏi tài khoản',
  'bank-reversal': 'Ngân hàng thu hồi một khoản đã nhận',
  'reversed-by-bank': 'Đã bị ngân hàng thu hồi',
  'credit-undone': 'Đã hủy lần cộng trước, chờ xử lý lại',
  'refunded-by-hand': 'Đã hoàn lại cho người chuyển',
  'refunded-at-momo': 'Đã hoàn qua MoMo',
  'ignored-by-hand': 'Đã bỏ qua',
  'accepted-notice': 'Tạo từ thông báo được xác nhận bằng tay',
  'dismissed-notice': 'Thông báo đã bị bác',
} as const

export type TransferReason = keyof typeof TRANSFER_REASONS

const isKnown = (reason: string): reason is TransferReason => Object.hasOwn(TRANSFER_REASONS, reason)

export const describeReason = (reason: string | null): string | null =>
  reason !== null && isKnown(reason) ? TRANSFER_REASONS[reason] : reason
