/** Who may open a page: everybody, players only, or only those who are not signed in. */
export type PageAccess = 'open' | 'player' | 'guest'

export type PageEntry = {
  path: string
  access: PageAccess
  /** Its name in the browser's title, unless the page itself knows a better one. */
  title: string
  /** Search engines may index it; without parameters it is listed in the sitemap. */
  isListed?: true
  /** The advertiser's pixel may load here. Never on wallet pages, nor where codes and new passwords are shown. */
  hasPixel?: true
  /** Its parameter is free text that a visitor typed, not a row of the database: such pages are not cached. */
  isSearch?: true
  /** It shows nothing of use without scripts, though it is open to everybody; all others than open pages do so anyway. */
  needsScripts?: true
  /** Answer status when it is not 200. */
  status?: number
}

/** Open to everybody, to search engines and to the pixel. */
const PUBLIC = { access: 'open', isListed: true, hasPixel: true } as const

/**
 * Every page of the portal, and the only place where its address is written. Routes, links, mails, the sitemap, robots.txt,
 * the counting of views and the pixel follow from it.
 */
export const pages = {
  home: { path: '/home', title: 'Trang chủ', ...PUBLIC },
  post: { path: '/post/:id', title: 'Bài viết', ...PUBLIC },
  category: { path: '/category/:id', title: 'Chuyên mục', ...PUBLIC },
  olderPosts: { path: '/home/:before', title: 'Bài cũ hơn', ...PUBLIC },
  olderInCategory: { path: '/category/:id/:before', title: 'Bài cũ hơn', ...PUBLIC },
  search: { path: '/search/:words?', access: 'open', title: 'Tìm bài viết', isSearch: true },
  community: { path: '/community', title: 'Box Zalo', ...PUBLIC },
  download: { path: '/download', title: 'Tải game', ...PUBLIC },
  iosGuide: { path: '/download/ios', title: 'Cài game trên iPhone, iPad', ...PUBLIC },
  tournaments: { path: '/tournaments', title: 'Giải đấu', ...PUBLIC },
  results: {
    path: '/tournaments/results',
    access: 'open',
    title: 'Kết quả thi đấu',
    needsScripts: true,
  },
  tournament: { path: '/tournament/:id', title: 'Giải đấu', ...PUBLIC },
  overlay: {
    path: '/tournament/:id/overlay',
    access: 'open',
    title: 'Giải đấu trên sóng',
    needsScripts: true,
  },
  gemCalculator: { path: '/gem-calculator', title: 'Tính nâng ngọc', ...PUBLIC },
  terms: { path: '/terms/:version?', access: 'open', title: 'Điều khoản sử dụng', isListed: true },
  privacy: { path: '/privacy/:version?', access: 'open', title: 'Chính sách quyền riêng tư', isListed: true },
  refunds: { path: '/refunds/:version?', access: 'open', title: 'Chính sách hoàn tiền', isListed: true },
  exchange: { path: '/exchange', access: 'open', title: 'Đổi lượng', needsScripts: true },
  milestones: { path: '/milestones', access: 'open', title: 'Mốc nạp', needsScripts: true },
  askForHelp: { path: '/help', access: 'open', title: 'Nhờ hỗ trợ', needsScripts: true },
  sandbox: { path: '/sandbox', access: 'open', title: 'Ngân hàng và điện thoại thử', needsScripts: true },
  gift: { path: '/gift', access: 'player', title: 'Quà tân thủ' },
  checkIn: { path: '/check-in', access: 'player', title: 'Điểm danh hằng ngày' },
  ranking: { path: '/ranking', access: 'player', title: 'Bảng xếp hạng' },
  recharge: { path: '/recharge', access: 'player', title: 'Nạp TCoin' },
  claim: { path: '/recharge/claim', access: 'player', title: 'Tôi đã chuyển nhưng chưa được cộng' },
  order: { path: '/recharge/:code', access: 'player', title: 'Đơn nạp' },
  profile: { path: '/user/profile', access: 'player', title: 'Hồ sơ' },
  signIns: { path: '/user/sign-ins', access: 'player', title: 'Lịch sử đăng nhập' },
  notices: { path: '/user/notices', access: 'player', title: 'Thông báo' },
  invitations: { path: '/user/invitations', access: 'player', title: 'Mời bạn bè' },
  help: { path: '/user/help/:id?', access: 'player', title: 'Hỗ trợ' },
  consents: { path: '/user/consents', access: 'player', title: 'Sự đồng ý của bạn' },
  transactions: { path: '/user/transactions', access: 'player', title: 'Lịch sử giao dịch' },
  deliveries: { path: '/user/deliveries/:id?', access: 'player', title: 'Món đã mua' },
  transfer: { path: '/user/transfer', access: 'player', title: 'Chuyển TCoin' },
  login: { path: '/login', access: 'guest', title: 'Đăng nhập' },
  register: { path: '/register', access: 'guest', title: 'Đăng ký' },
  forgot: { path: '/forgot', access: 'guest', title: 'Quên mật khẩu' },
  password: { path: '/password/:token?', access: 'guest', title: 'Đặt lại mật khẩu' },
  notFound: { path: '/404', access: 'open', title: 'Trang bạn đang tìm không tồn tại', status: 404 },
  unknown: { path: '*', access: 'open', title: 'Trang bạn đang tìm không tồn tại', status: 404 },
} as const satisfies Record<string, PageEntry>

/** The title of the page `olderInCategory`, of one category. */
export const olderTitle = (category: string) => `${category}: bài cũ hơn`

export type PageName = keyof typeof pages

/** The address of a page without parameters; else a function that makes it of the values of its parameters. */
type Address<Path extends string> = Path extends `${string}/:${string}?`
  ? (value?: string) => string
  : Path extends `${string}/:${string}/:${string}`
    ? (first: string, second: string) => string
    : Path extends `${string}/:${string}`
      ? (value: string) => string
      : Path

/** The address of each page, by its name. */
export const paths = Object.fromEntries(
  Object.entries(pages).map(([name, { path }]) => [
    name,
    path.includes(':') ? (...values: string[]) => addressOf(path, values) : path,
  ]),
) as { [Name in PageName]: Address<(typeof pages)[Name]['path']> }

function addressOf(path: string, values: readonly string[]): string {
  const left = values.values()
  return path.replace(/\/:\w+\??/g, () => {
    const { value } = left.next()
    return value === undefined ? '' : `/${value}`
  })
}

/** Matches the addresses of a page whose parameters are numbers of the database. */
export const patternOf = ({ path }: PageEntry) => path.replace(/:\w+/g, '([1-9]\\d{0,17})')

const withPixel = Object.values<PageEntry>(pages).filter(({ hasPixel }) => hasPixel)
const PIXEL_PATHS = new RegExp(`^(${withPixel.map(patternOf).join('|')})$`)

/** Whether the advertiser's pixel may load in the document at this path. */
export function isPixelPath(path: string): boolean {
  return PIXEL_PATHS.test(path)
}

/** The version of the question about the pixel. A later version is shown to everybody again. */
export const PIXEL_QUESTION_VERSION = 1

export const PIXEL_SCRIPT_ORIGIN = 'https://connect.facebook.net'

export const PIXEL_REPORT_ORIGIN = 'https://www.facebook.com'

/** So many characters of a search count. */
export const POST_SEARCH_MAX = 60

/** The canonical form of a search, in its address and in the server's cache keys. */
export const postSearch = (typed: string): string =>
  [
    ...typed
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, POST_SEARCH_MAX)
    .join('')
    .trim()
