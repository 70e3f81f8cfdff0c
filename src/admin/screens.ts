import type { ComponentType } from 'react'
import type { ScreenIcon } from '#admin/kit/drawings.tsx'
import type { AlarmName } from '#contract/operator/alarms.ts'
import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import type { Permission } from '#contract/operator/roles.ts'
import type { ScreenPath } from '#contract/operator/screen-paths.ts'

/** What can be done on a screen, as the search box finds it. */
export type ScreenAct = {
  label: string
  /** Needed besides that of the screen. */
  permission?: Permission
  /** The words on the button of the screen that begins it; left out: it is done on a row of the screen. */
  button?: string
}

export type Screen = {
  path: ScreenPath
  title: string
  /** Without one of these the screen is not offered, and every call it makes is refused. */
  permission: Permission | readonly Permission[] | null
  /** In which group of the menu it is listed; none: it is reached from another screen. */
  group?: keyof typeof groups
  /** Beside its title in the menu. */
  icon?: ScreenIcon
  /** What people also call it, for the search box. */
  words?: string
  acts?: readonly ScreenAct[]
  /** How much of these waits is shown in the menu; it is dealt with here. */
  waits?: readonly AlarmName[]
  /** `g`, then this letter, opens it. */
  letter?: string
  load: () => Promise<{ Component: ComponentType }>
}

const screen = (
  path: ScreenPath,
  title: string,
  permission: Screen['permission'],
  more: Omit<Screen, 'path' | 'title' | 'permission'>,
): Screen => ({ path, title, permission, ...more })

export const groups = {
  work: 'Hằng ngày',
  money: 'Tiền',
  campaigns: 'Ưu đãi',
  players: 'Người chơi',
  content: 'Nội dung',
  operation: 'Vận hành',
} as const

/** Every screen of the console: routes, menu and keyboard follow from it. */
export const screens = {
  overview: screen('/', 'Tổng quan', null, {
    group: 'work',
    icon: 'home',
    words: 'trang chủ dashboard doanh thu số liệu thống kê',
    letter: 'o',
    load: () => import('#admin/features/overview/overview.page.tsx'),
  }),
  setupGuide: screen('/setup-guide', 'Chuẩn bị mở cổng', 'settings.money', {
    group: 'operation',
    icon: 'check',
    words: 'ngày đầu bắt đầu cài đặt việc cần làm danh sách',
    load: () => import('#admin/features/setup-guide/setup-guide.page.tsx'),
  }),
  users: screen('/users', 'Người chơi', 'users.read', {
    group: 'players',
    icon: 'people',
    words: 'tài khoản khách thành viên user',
    acts: [
      { label: 'Khóa tài khoản', permission: 'users.ban' },
      { label: 'Mở khóa tài khoản', permission: 'users.ban' },
      { label: 'Điều chỉnh số dư', permission: 'wallet.adjust' },
    ],
    letter: 'u',
    load: () => import('#admin/features/users/users.page.tsx'),
  }),
  user: screen('/users/:id', 'Người chơi', 'users.read', {
    load: () => import('#admin/features/users/user.page.tsx'),
  }),
  deletionRequests: screen('/deletion-requests', 'Yêu cầu xóa', 'users.read', {
    group: 'players',
    icon: 'person-gone',
    words: 'xóa tài khoản quyền riêng tư',
    letter: 'z',
    waits: ['due-deletions'],
    load: () => import('#admin/features/deletion-requests/deletions.page.tsx'),
  }),
  deletionRequest: screen('/deletion-requests/:id', 'Yêu cầu xóa', 'users.read', {
    load: () => import('#admin/features/deletion-requests/deletion.page.tsx'),
  }),
  rechargeOrders: screen('/recharge-orders', 'Đơn nạp', 'recharge-orders.read', {
    group: 'money',
    icon: 'receipt',
    words: 'nạp tiền hóa đơn thanh toán',
    letter: 'd',
    load: () => import('#admin/features/recharge-orders/orders.page.tsx'),
  }),
  rechargeOrder: screen('/recharge-orders/:code', 'Đơn nạp', 'recharge-orders.read', {
    load: () => import('#admin/features/recharge-orders/order.page.tsx'),
  }),
  bankTransfers: screen('/bank-transfers', 'Hộp tiền vào', 'bank-transfers.read', {
    group: 'money',
    icon: 'inbox',
    words: 'ngân hàng giao dịch tiền chưa ghép sao kê',
    acts: [{ label: 'Ghép khoản chuyển với đơn nạp', permission: 'bank-transfers.match' }],
    letter: 'h',
    waits: ['unmatched-transfers'],
    load: () => import('#admin/features/bank-inbox/inbox.page.tsx'),
  }),
  bankTransfer: screen('/bank-transfers/:id', 'Khoản chuyển', 'bank-transfers.read', {
    load: () => import('#admin/features/bank-inbox/transfer.page.tsx'),
  }),
  paymentEvents: screen('/payment-events', 'Thông báo tiền vào', 'bank-transfers.read', {
    group: 'money',
    icon: 'bell',
    words: 'webhook sepay momo báo có biến động số dư',
    letter: 't',
    waits: ['open-payment-events'],
    load: () => import('#admin/features/payment-events/events.page.tsx'),
  }),
  paymentEvent: screen('/payment-events/:id', 'Thông báo', 'bank-transfers.read', {
    load: () => import('#admin/features/payment-events/event.page.tsx'),
  }),
  gatewayRefunds: screen('/gateway-refunds', 'Hoàn qua MoMo', 'bank-transfers.read', {
    group: 'money',
    icon: 'return-money',
    words: 'hoàn tiền trả lại refund',
    letter: 'f',
    waits: ['failed-refunds', 'waiting-refunds'],
    load: () => import('#admin/features/gateway-refunds/refunds.page.tsx'),
  }),
  rechargeClaim: screen('/recharge-claims/:id', 'Yêu cầu kiểm tra', 'bank-transfers.read', {
    load: () => import('#admin/features/cases/claim.page.tsx'),
  }),
  cases: screen('/cases', 'Yêu cầu hỗ trợ', 'cases.read', {
    group: 'players',
    icon: 'lifebuoy',
    words: 'khiếu nại ticket hỗ trợ khách hàng trả lời',
    letter: 'y',
    waits: ['waiting-claims', 'waiting-cases'],
    load: () => import('#admin/features/cases/cases.page.tsx'),
  }),
  case: screen('/cases/:id', 'Yêu cầu hỗ trợ', 'cases.read', {
    load: () => import('#admin/features/cases/case.page.tsx'),
  }),
  answerTemplates: screen('/answer-templates', 'Mẫu trả lời', 'cases.read', {
    group: 'players',
    icon: 'written-answer',
    words: 'câu trả lời sẵn tin mẫu',
    acts: [{ label: 'Thêm mẫu trả lời', button: 'Thêm mẫu' }],
    load: () => import('#admin/features/cases/templates.page.tsx'),
  }),
  deliveries: screen('/deliveries', 'Giao hàng', 'deliveries.read', {
    group: 'money',
    icon: 'box',
    words: 'giao món vật phẩm lượng bị treo gửi lại',
    acts: [{ label: 'Gửi lại lượt giao bị treo', permission: 'deliveries.resolve' }],
    letter: 'g',
    waits: ['parked-deliveries', 'late-deliveries'],
    load: () => import('#admin/features/deliveries/deliveries.page.tsx'),
  }),
  delivery: screen('/deliveries/:id', 'Lượt giao', 'deliveries.read', {
    load: () => import('#admin/features/deliveries/delivery.page.tsx'),
  }),
  gameComparison: screen('/game-comparison', 'So với game', 'deliveries.read', {
    load: () => import('#admin/features/game-comparison/comparison.page.tsx'),
  }),
  ledgerTransfers: screen('/ledger-transfers', 'Sổ cái', 'ledger.read', {
    group: 'money',
    icon: 'book',
    words: 'bút toán giao dịch tcoin số dư',
    letter: 'l',
    load: () => import('#admin/features/ledger/ledger.page.tsx'),
  }),
  ledgerTransfer: screen('/ledger-transfers/:id', 'Dòng sổ cái', 'ledger.read', {
    load: () => import('#admin/features/ledger/transfer.page.tsx'),
  }),
  dailyCloses: screen('/daily-closes', 'Chốt ngày', 'bank-transfers.read', {
    group: 'money',
    icon: 'closed-day',
    words: 'đối soát sao kê ngày',
    letter: 'c',
    waits: ['red-closes', 'uncompared-closes'],
    load: () => import('#admin/features/daily-closes/closes.page.tsx'),
  }),
  dailyClose: screen('/daily-closes/:id', 'Chốt ngày', 'bank-transfers.read', {
    load: () => import('#admin/features/daily-closes/close.page.tsx'),
  }),
  promotions: screen('/promotions', 'Khuyến mãi', 'settings.prices', {
    group: 'campaigns',
    icon: 'percent',
    words: 'km sự kiện tặng thêm thưởng nạp',
    acts: [{ label: 'Lập khuyến mãi', button: 'Lập khuyến mãi' }],
    load: () => import('#admin/features/promotions/promotions.page.tsx'),
  }),
  milestones: screen('/milestones', 'Mốc nạp', 'settings.prices', {
    group: 'campaigns',
    icon: 'steps',
    words: 'tích nạp quà nạp tích lũy',
    acts: [{ label: 'Lập mốc nạp', button: 'Lập mốc nạp' }],
    load: () => import('#admin/features/promotions/milestones.page.tsx'),
  }),
  checkIn: screen('/check-in', 'Điểm danh', 'settings.read', {
    group: 'campaigns',
    icon: 'calendar',
    words: 'quà hằng ngày đăng nhập điểm danh',
    load: () => import('#admin/features/settings/check-in.page.tsx'),
  }),
  giftCodes: screen('/gift-codes', 'Mã quà', 'settings.prices', {
    group: 'campaigns',
    icon: 'ticket',
    words: 'giftcode code quà tặng mã',
    acts: [{ label: 'Tạo đợt mã quà', button: 'Tạo đợt mã' }],
    load: () => import('#admin/features/gift-codes/gift-codes.page.tsx'),
  }),
  giftCodeUses: screen('/gift-code-uses', 'Lượt dùng mã quà', 'settings.prices', {
    load: () => import('#admin/features/gift-codes/uses.page.tsx'),
  }),
  invitations: screen('/invitations', 'Lời mời bạn', 'ledger.read', {
    group: 'campaigns',
    icon: 'handshake',
    words: 'giới thiệu bạn bè mời',
    load: () => import('#admin/features/invitations/invitations.page.tsx'),
  }),
  campaignReport: screen('/campaign-reports/:kind/:id', 'Báo cáo chiến dịch', 'statistics.read', {
    load: () => import('#admin/features/campaign-reports/report.page.tsx'),
  }),
  budgets: screen('/budgets', 'Ngân sách', 'ledger.read', {
    group: 'campaigns',
    icon: 'purse',
    words: 'quỹ tcoin cấp tiền khuyến mãi',
    acts: [{ label: 'Lập ngân sách', permission: 'settings.money', button: 'Lập ngân sách' }],
    load: () => import('#admin/features/budgets/budgets.page.tsx'),
  }),
  reconciliation: screen('/reconciliation', 'Đối soát sổ sách', 'ledger.read', {
    group: 'money',
    icon: 'scales',
    words: 'kiểm tra sổ cái lệch',
    letter: 'q',
    waits: ['ledger-broken'],
    load: () => import('#admin/features/reconciliation/reconciliation.page.tsx'),
  }),
  downloads: screen('/downloads', 'Tải game', 'settings.links', {
    group: 'content',
    icon: 'download',
    words: 'apk ios java pc phiên bản liên kết tải',
    load: () => import('#admin/features/settings/downloads.page.tsx'),
  }),
  settings: screen('/settings', 'Cài đặt', 'settings.read', {
    group: 'operation',
    icon: 'sliders',
    words: 'cấu hình thiết lập setting',
    letter: 's',
    load: () => import('#admin/features/settings/settings.page.tsx'),
  }),
  settingsOfSection: screen('/settings/:section', 'Cài đặt', 'settings.read', {
    load: () => import('#admin/features/settings/settings.page.tsx'),
  }),
  plannedPrices: screen('/planned-prices', 'Lịch đổi giá', 'settings.prices', {
    group: 'operation',
    icon: 'planned-price',
    words: 'hẹn giờ giá tỉ lệ nạp',
    letter: 'j',
    load: () => import('#admin/features/settings/planned-prices.page.tsx'),
  }),
  proposals: screen('/proposals', 'Đề xuất', [...Object.values(PROPOSAL_PERMISSIONS), 'proposals.stop'], {
    group: 'work',
    icon: 'decision',
    words: 'duyệt chờ người thứ hai phê duyệt bác',
    letter: 'x',
    waits: ['waiting-credits', 'waiting-proposals'],
    load: () => import('#admin/features/proposals/proposals.page.tsx'),
  }),
  maintenance: screen('/maintenance', 'Bảo trì', 'maintenance.write', {
    group: 'operation',
    icon: 'wrench',
    words: 'đóng cổng tạm dừng nạp',
    acts: [{ label: 'Đóng một phần của cổng để bảo trì' }, { label: 'Mở lại phần đang bảo trì' }],
    letter: 'b',
    load: () => import('#admin/features/maintenance/maintenance.page.tsx'),
  }),
  staff: screen('/staff', 'Ban vận hành', 'staff.manage', {
    group: 'operation',
    icon: 'shield',
    words: 'nhân viên vai trò phân quyền admin',
    acts: [
      { label: 'Mời người vận hành mới', button: 'Mời người mới' },
      { label: 'Đổi vai trò của người vận hành' },
    ],
    letter: 'v',
    load: () => import('#admin/features/staff/staff.page.tsx'),
  }),
  actGuards: screen('/staff/acts', 'Điều kiện của thao tác', 'staff.manage', {
    load: () => import('#admin/features/staff/act-guards.page.tsx'),
  }),
  servers: screen('/servers', 'Máy chủ', 'servers.write', {
    group: 'operation',
    icon: 'server',
    words: 'máy chủ game thêm server',
    acts: [{ label: 'Thêm máy chủ', button: 'Thêm máy chủ' }],
    letter: 'm',
    load: () => import('#admin/features/servers/servers.page.tsx'),
  }),
  groups: screen('/groups', 'Nhóm xếp hạng', 'groups.write', {
    group: 'content',
    icon: 'ranking',
    words: 'bảng xếp hạng top',
    acts: [{ label: 'Thêm nhóm xếp hạng', button: 'Thêm nhóm' }],
    letter: 'r',
    load: () => import('#admin/features/groups/groups.page.tsx'),
  }),
  gameNames: screen('/game-names', 'Tên trong game', 'settings.read', {
    group: 'content',
    icon: 'tag',
    words: 'vật phẩm dịch tên item',
    load: () => import('#admin/features/game-names/names.page.tsx'),
  }),
  runbooks: screen('/runbooks', 'Sổ tay', null, {
    group: 'operation',
    icon: 'manual',
    words: 'hướng dẫn sự cố cách làm',
    letter: 'w',
    load: () => import('#admin/features/runbooks/runbooks.page.tsx'),
  }),
  runbook: screen('/runbooks/:name', 'Sổ tay', null, {
    load: () => import('#admin/features/runbooks/runbook.page.tsx'),
  }),
  audit: screen('/audit', 'Nhật ký vận hành', 'audit.read', {
    group: 'operation',
    icon: 'scroll',
    words: 'lịch sử thao tác ai đã làm log',
    letter: 'n',
    waits: ['audit-chain-broken'],
    load: () => import('#admin/features/audit/audit.page.tsx'),
  }),
  failedWork: screen('/failed-work', 'Việc làm không được', 'audit.read', {
    group: 'operation',
    icon: 'retry',
    words: 'lỗi máy chủ tác vụ thử lại',
    waits: ['failed-work'],
    load: () => import('#admin/features/failed-work/failed-work.page.tsx'),
  }),
  clientErrors: screen('/client-errors', 'Lỗi trình duyệt', 'client-errors.handle', {
    group: 'operation',
    icon: 'browser',
    words: 'lỗi trang javascript',
    waits: ['client-errors'],
    load: () => import('#admin/features/client-errors/client-errors.page.tsx'),
  }),
  clientError: screen('/client-errors/:id', 'Lỗi trình duyệt', 'client-errors.handle', {
    load: () => import('#admin/features/client-errors/client-error.page.tsx'),
  }),
  tournaments: screen('/tournaments', 'Giải đấu', 'tournaments.read', {
    group: 'content',
    icon: 'trophy',
    words: 'thi đấu giải giải thưởng',
    acts: [{ label: 'Tạo giải đấu', permission: 'tournaments.write', button: 'Tạo giải' }],
    letter: 'i',
    load: () => import('#admin/features/tournaments/tournaments.page.tsx'),
  }),
  tournament: screen('/tournaments/:id', 'Giải đấu', 'tournaments.read', {
    load: () => import('#admin/features/tournaments/tournament.page.tsx'),
  }),
  desk: screen('/tournaments/:id/desk', 'Bàn trọng tài', 'tournaments.write', {
    load: () => import('#admin/features/tournaments/desk.page.tsx'),
  }),
  posts: screen('/posts', 'Bài viết', 'posts.read', {
    group: 'content',
    icon: 'post',
    words: 'tin tức sự kiện thông báo viết bài',
    acts: [{ label: 'Viết bài mới', permission: 'posts.write', button: 'Viết bài' }],
    letter: 'p',
    load: () => import('#admin/features/posts/posts.page.tsx'),
  }),
  post: screen('/posts/:id', 'Bài viết', 'posts.write', {
    load: () => import('#admin/features/posts/post.page.tsx'),
  }),
  legalTexts: screen('/legal', 'Văn bản pháp lý', 'legal.write', {
    group: 'content',
    icon: 'law',
    words: 'điều khoản chính sách quy định',
    letter: 'k',
    load: () => import('#admin/features/posts/legal/legal-texts.page.tsx'),
  }),
  legalText: screen('/legal/:kind', 'Văn bản pháp lý', 'legal.write', {
    load: () => import('#admin/features/posts/legal/legal-text.page.tsx'),
  }),
  pictures: screen('/pictures', 'Ảnh', 'posts.read', {
    group: 'content',
    icon: 'picture',
    words: 'hình ảnh tải ảnh',
    acts: [{ label: 'Tải ảnh lên', permission: 'posts.write', button: 'Tải ảnh lên' }],
    letter: 'a',
    load: () => import('#admin/features/posts/pictures/pictures.page.tsx'),
  }),
  categories: screen('/categories', 'Chuyên mục', 'categories.read', {
    group: 'content',
    icon: 'folder',
    words: 'danh mục bài viết',
    acts: [{ label: 'Thêm chuyên mục', permission: 'categories.write', button: 'Thêm chuyên mục' }],
    letter: 'e',
    load: () => import('#admin/features/categories/categories.page.tsx'),
  }),
} satisfies Record<string, Screen>
