import type { LegalKind } from '#contract/legal.ts'
import type { PageName } from '#contract/pages.ts'
import type { Page, PageSource } from '#web/page.ts'
import { notFoundPage } from '#web/parts/fallbacks/fallbacks.tsx'

const lazy = (load: () => Promise<{ page: Page }>, part?: string): PageSource => ({
  part,
  load: () => load().then(({ page }) => page),
})

const redirect = (
  name: 'login' | 'register' | 'forgot' | 'password' | 'unknown',
  opens?: string,
): PageSource => ({
  part: 'redirect-pages',
  ...(opens ? { opens } : {}),
  load: () => import('#web/features/redirects/redirect-pages.tsx').then((part) => part.redirectPages[name]),
})

const legal = (kind: LegalKind): PageSource => ({
  part: 'legal.page',
  load: () => import('#web/features/legal/legal.page.tsx').then((part) => part.legalPages[kind]),
})

const olderPosts = lazy(() => import('#web/features/posts/older.page.tsx'), 'older.page')

/**
 * Where the code of each page is, fetched when it is needed. The documents of open pages name the files of theirs, so
 * that these are fetched together with the entry.
 */
export const pageSources: Record<PageName, PageSource> = {
  home: lazy(() => import('#web/features/posts/home.page.tsx'), 'home.page'),
  post: lazy(() => import('#web/features/posts/post.page.tsx'), 'post.page'),
  category: lazy(() => import('#web/features/posts/category.page.tsx'), 'category.page'),
  search: lazy(() => import('#web/features/posts/search.page.tsx'), 'search.page'),
  olderPosts,
  olderInCategory: olderPosts,
  community: lazy(() => import('#web/features/community/community.page.tsx'), 'community.page'),
  download: lazy(() => import('#web/features/downloads/download.page.tsx'), 'download.page'),
  iosGuide: lazy(() => import('#web/features/downloads/ios-guide.page.tsx'), 'ios-guide.page'),
  tournaments: lazy(() => import('#web/features/tournaments/tournaments.page.tsx'), 'tournaments.page'),
  results: lazy(() => import('#web/features/tournaments/results.page.tsx'), 'results.page'),
  tournament: lazy(() => import('#web/features/tournaments/tournament.page.tsx'), 'tournament.page'),
  overlay: {
    ...lazy(() => import('#web/features/tournaments/overlay.page.tsx'), 'overlay.page'),
    isFrameless: true,
  },
  gemCalculator: lazy(() => import('#web/features/gems/gem-calculator.page.tsx'), 'gem-calculator.page'),
  terms: legal('terms'),
  privacy: legal('privacy'),
  refunds: legal('refunds'),
  exchange: lazy(() => import('#web/features/exchange/exchange.page.tsx'), 'exchange.page'),
  milestones: lazy(() => import('#web/features/rewards/milestones.page.tsx'), 'milestones.page'),
  checkIn: lazy(() => import('#web/features/rewards/check-in.page.tsx')),
  askForHelp: lazy(() => import('#web/features/help/ask.page.tsx'), 'ask.page'),
  sandbox: lazy(() => import('#web/features/sandbox/sandbox.page.tsx')),
  gift: lazy(() => import('#web/features/gifts/gift.page.tsx')),
  ranking: lazy(() => import('#web/features/ranking/ranking.page.tsx')),
  recharge: lazy(() => import('#web/features/recharge/recharge.page.tsx')),
  claim: lazy(() => import('#web/features/recharge/claim.page.tsx')),
  order: { ...lazy(() => import('#web/features/recharge/order.page.tsx')), isFocused: true },
  profile: lazy(() => import('#web/features/accounts/profile.page.tsx')),
  signIns: lazy(() => import('#web/features/accounts/sign-ins.page.tsx')),
  notices: lazy(() => import('#web/features/notices/notices.page.tsx')),
  invitations: lazy(() => import('#web/features/accounts/invitations.page.tsx')),
  help: lazy(() => import('#web/features/help/help.page.tsx')),
  consents: lazy(() => import('#web/features/consents/consents.page.tsx')),
  transactions: lazy(() => import('#web/features/statements/statement.page.tsx')),
  deliveries: lazy(() => import('#web/features/deliveries/deliveries.page.tsx')),
  transfer: lazy(() => import('#web/features/transfers/transfer.page.tsx')),
  login: redirect('login', 'login-modal'),
  register: redirect('register', 'register-modal'),
  forgot: redirect('forgot', 'password-modals'),
  password: redirect('password', 'password-modals'),
  notFound: { page: notFoundPage },
  unknown: redirect('unknown'),
}
