import type { RouteEntry } from '#web/router.tsx'
import type { doors } from '#web/shell/guest-door.tsx'
import { notFoundPage } from '#web/parts/page-states/not-found.tsx'

const door = (name: keyof typeof doors) => ({
  part: 'guest-door',
  load: () => import('#web/shell/guest-door.tsx').then((part) => part.doors[name]),
})

/**
 * Every page of the portal, each fetched when it is wanted. The documents of open pages name the files of theirs, so
 * that these come beside the entry; posts, their home and their categories are one part, without a wait between them.
 */
export const routeTable: readonly RouteEntry[] = [
  {
    path: '/home',
    access: 'open',
    title: 'Trang chủ',
    part: 'posts',
    load: () => import('#web/features/posts/home.page.tsx').then((part) => part.homePage),
  },
  {
    path: '/post/:id',
    access: 'open',
    title: 'Bài viết',
    part: 'posts',
    load: () => import('#web/features/posts/post.page.tsx').then((part) => part.postPage),
  },
  {
    path: '/category/:id',
    access: 'open',
    title: 'Chuyên mục',
    part: 'posts',
    load: () => import('#web/features/posts/category.page.tsx').then((part) => part.categoryPage),
  },
  {
    path: '/community',
    access: 'open',
    title: 'Cộng đồng',
    part: 'community.page',
    load: () => import('#web/features/community/community.page.tsx').then((part) => part.communityPage),
  },
  {
    path: '/download',
    access: 'open',
    title: 'Tải game',
    part: 'download.page',
    load: () => import('#web/features/downloads/download.page.tsx').then((part) => part.downloadPage),
  },
  {
    path: '/download/ios',
    access: 'open',
    title: 'Cài game trên iPhone, iPad',
    part: 'ios-guide.page',
    load: () => import('#web/features/downloads/ios-guide.page.tsx').then((part) => part.iosGuidePage),
  },

  {
    path: '/exchange',
    access: 'open',
    title: 'Đổi lượng',
    part: 'exchange.page',
    load: () => import('#web/features/exchange/exchange.page.tsx').then((part) => part.exchangePage),
  },
  {
    path: '/tournaments',
    access: 'open',
    title: 'Giải đấu',
    part: 'tournaments.page',
    load: () => import('#web/features/tournaments/tournaments.page.tsx').then((part) => part.tournamentsPage),
  },
  {
    path: '/tournament/:id',
    access: 'open',
    title: 'Giải đấu',
    part: 'tournament.page',
    load: () => import('#web/features/tournaments/tournament.page.tsx').then((part) => part.tournamentPage),
  },
  {
    path: '/gem-calculator',
    access: 'open',
    title: 'Bảng tính nâng ngọc',
    part: 'gem-calculator.page',
    load: () => import('#web/features/gems/gem-calculator.page.tsx').then((part) => part.gemCalculatorPage),
  },
  {
    path: '/gift',
    access: 'player',
    title: 'Quà tân thủ',
    load: () => import('#web/features/gifts/gift.page.tsx').then((part) => part.giftPage),
  },
  {
    path: '/ranking',
    access: 'player',
    title: 'Bảng xếp hạng',
    load: () => import('#web/features/ranking/ranking.page.tsx').then((part) => part.rankingPage),
  },
  {
    path: '/recharge',
    access: 'player',
    title: 'Nạp TCoin',
    load: () => import('#web/features/recharge/recharge.page.tsx').then((part) => part.rechargePage),
  },
  {
    path: '/recharge/claim',
    access: 'player',
    title: 'Nạp TCoin',
    load: () => import('#web/features/recharge/claim.page.tsx').then((part) => part.claimPage),
  },
  {
    path: '/recharge/:code',
    access: 'player',
    title: 'Đơn nạp',
    load: () => import('#web/features/recharge/order.page.tsx').then((part) => part.orderPage),
  },
  {
    path: '/sandbox',
    access: 'open',
    title: 'Ngân hàng và điện thoại thử',
    load: () => import('#web/features/sandbox/sandbox.page.tsx').then((part) => part.sandboxPage),
  },
  {
    path: '/user/profile',
    access: 'player',
    title: 'Hồ sơ',
    load: () => import('#web/features/accounts/profile.page.tsx').then((part) => part.profilePage),
  },
  {
    path: '/user/sign-ins',
    access: 'player',
    title: 'Lịch sử đăng nhập',
    load: () => import('#web/features/accounts/sign-ins.page.tsx').then((part) => part.signInsPage),
  },
  {
    path: '/user/transactions',
    access: 'player',
    title: 'Lịch sử giao dịch',
    load: () => import('#web/features/statements/statement.page.tsx').then((part) => part.statementPage),
  },
  {
    path: '/user/deliveries/:id?',
    access: 'player',
    title: 'Món đã mua',
    load: () => import('#web/features/deliveries/deliveries.page.tsx').then((part) => part.deliveriesPage),
  },
  {
    path: '/user/transfer',
    access: 'player',
    title: 'Chuyển TCoin',
    load: () => import('#web/features/transfers/transfer.page.tsx').then((part) => part.transferPage),
  },

  { path: '/login', access: 'guest', title: 'Đăng nhập', ...door('login') },
  { path: '/register', access: 'guest', title: 'Đăng ký', ...door('register') },
  { path: '/forgot', access: 'guest', title: 'Quên mật khẩu', ...door('forgot') },
  { path: '/password/:token?', access: 'guest', title: 'Đặt lại mật khẩu', ...door('reset') },

  { path: '/404', access: 'open', title: 'Không tìm thấy trang', status: 404, page: notFoundPage },
  { path: '*', access: 'open', title: 'Không tìm thấy trang', status: 404, ...door('unknown') },
]
