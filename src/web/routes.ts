import type { PageName } from '#contract/pages.ts'
import type { PageSource } from '#web/page.ts'
import { notFoundPage } from '#web/parts/page-states/not-found.tsx'
import type { doors } from '#web/shell/guest-door.tsx'

const door = (name: keyof typeof doors): PageSource => ({
  part: 'guest-door',
  load: () => import('#web/shell/guest-door.tsx').then((part) => part.doors[name]),
})

const olderPosts: PageSource = {
  part: 'post-pages',
  load: () => import('#web/features/posts/older.page.tsx').then((part) => part.olderPage),
}

/**
 * Where the code of each page is, fetched when it is wanted. The documents of open pages name the files of theirs, so
 * that these come beside the entry; those of posts are one part.
 */
export const pageSources: Record<PageName, PageSource> = {
  home: {
    part: 'home.page',
    load: () => import('#web/features/posts/home.page.tsx').then((part) => part.homePage),
  },
  post: {
    part: 'post-pages',
    load: () => import('#web/features/posts/post.page.tsx').then((part) => part.postPage),
  },
  category: {
    part: 'post-pages',
    load: () => import('#web/features/posts/category.page.tsx').then((part) => part.categoryPage),
  },
  olderPosts,
  olderInCategory: olderPosts,
  community: {
    part: 'community.page',
    load: () => import('#web/features/community/community.page.tsx').then((part) => part.communityPage),
  },
  download: {
    part: 'download.page',
    load: () => import('#web/features/downloads/download.page.tsx').then((part) => part.downloadPage),
  },
  iosGuide: {
    part: 'ios-guide.page',
    load: () => import('#web/features/downloads/ios-guide.page.tsx').then((part) => part.iosGuidePage),
  },
  tournaments: {
    part: 'tournaments.page',
    load: () => import('#web/features/tournaments/tournaments.page.tsx').then((part) => part.tournamentsPage),
  },
  tournament: {
    part: 'tournament.page',
    load: () => import('#web/features/tournaments/tournament.page.tsx').then((part) => part.tournamentPage),
  },
  gemCalculator: {
    part: 'gem-calculator.page',
    load: () => import('#web/features/gems/gem-calculator.page.tsx').then((part) => part.gemCalculatorPage),
  },
  exchange: {
    part: 'exchange.page',
    load: () => import('#web/features/exchange/exchange.page.tsx').then((part) => part.exchangePage),
  },
  sandbox: {
    load: () => import('#web/features/sandbox/sandbox.page.tsx').then((part) => part.sandboxPage),
  },
  gift: { load: () => import('#web/features/gifts/gift.page.tsx').then((part) => part.giftPage) },
  ranking: { load: () => import('#web/features/ranking/ranking.page.tsx').then((part) => part.rankingPage) },
  recharge: {
    load: () => import('#web/features/recharge/recharge.page.tsx').then((part) => part.rechargePage),
  },
  claim: { load: () => import('#web/features/recharge/claim.page.tsx').then((part) => part.claimPage) },
  order: { load: () => import('#web/features/recharge/order.page.tsx').then((part) => part.orderPage) },
  profile: { load: () => import('#web/features/accounts/profile.page.tsx').then((part) => part.profilePage) },
  signIns: {
    load: () => import('#web/features/accounts/sign-ins.page.tsx').then((part) => part.signInsPage),
  },
  transactions: {
    load: () => import('#web/features/statements/statement.page.tsx').then((part) => part.statementPage),
  },
  deliveries: {
    load: () => import('#web/features/deliveries/deliveries.page.tsx').then((part) => part.deliveriesPage),
  },
  transfer: {
    load: () => import('#web/features/transfers/transfer.page.tsx').then((part) => part.transferPage),
  },
  login: door('login'),
  register: door('register'),
  forgot: door('forgot'),
  password: door('reset'),
  notFound: { page: notFoundPage },
  unknown: door('unknown'),
}
