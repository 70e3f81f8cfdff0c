import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { ATTEMPT_STORAGE_KEY, SESSION_STORAGE_KEY } from '#contract/constants.ts'
import { stateOf } from '#tests/support/page-states/all-states.ts'
import { main, type PageState } from '#tests/support/page-states/page-state.ts'

/** How a lazy part of the player site comes to be shown, and what its place says without its code. */
export type Opening = {
  state: PageState
  /** What brings it about in that state, and what is seen then. */
  tap?: (page: Page) => Promise<void>
  sees?: PageState['sees']
  /** Words that follow the tap. Otherwise a button “Thử lại” or “Tải lại …” stands in the place of the part. */
  told?: string
  /** Why nothing is said: then the page is as it is without the part. */
  quiet?: string
}

const press = (name: string) => (page: Page) => main(page).getByRole('button', { name }).click()

const EXTRA = 'an extra: the page is whole without it'

/** Once opened it stays open. */
const checkDraw = async (page: Page) => {
  const repeat = main(page).getByRole('button', { name: 'Tính lại trên máy này' })
  if (await repeat.isHidden()) await page.getByText('Kiểm tra bốc thăm').click()
  await repeat.waitFor()
}

const repeatDraw = async (page: Page) => {
  await checkDraw(page)
  await press('Tính lại trên máy này')(page)
}

const agree = async (page: Page) => {
  // Nothing is asked of Meta.
  await page.route(/facebook/, (route) => route.abort())
  await page.getByRole('button', { name: 'Đồng ý', exact: true }).click()
}

/** A recharge without an answer, which the server will refuse. */
async function leaveUnanswered(page: Page): Promise<void> {
  const stored = await page.evaluate((key) => localStorage.getItem(key), SESSION_STORAGE_KEY)
  const answer = await page.request.post('/api/auth/verify', { data: JSON.parse(stored ?? '{}') })
  const { id: playerId } = (await answer.json()) as { id: string }
  const input = { body: { channel: 2, amount: 1 }, idempotencyKey: randomUUID() }
  const attempts = [{ kind: 'recharge', playerId, at_ms: Date.now(), input }]
  await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [
    ATTEMPT_STORAGE_KEY,
    JSON.stringify(attempts),
  ] as const)
}

/** As after a reload of a page whose session no storage kept. */
const loseSession = async (page: Page) => {
  await page.evaluate(() => history.replaceState({ ...history.state, isUnkept: true }, ''))
  await page.reload()
}

/** Of the parts that are no page, and of the pages that are not shown by the state of their name. */
export const openings: Record<string, Opening> = {
  'src/contract/draw-proof.ts': {
    state: stateOf('tournament-finished'),
    tap: repeatDraw,
    sees: /^Khớp: /,
    told: 'Chưa tải được phần tính lại',
  },
  'src/web/features/accounts/personal-data-forms.tsx': { state: stateOf('download-data') },
  'src/web/features/accounts/register-modal.tsx': { state: stateOf('register') },
  'src/web/features/accounts/second-factor-qr.ts': { state: stateOf('second-factor') },
  'src/web/features/deliveries/purchase-message.tsx': {
    state: stateOf('exchange-done'),
    told: 'Thực hiện thành công',
    quiet: 'a plain message says that it was bought',
  },
  'src/web/features/downloads/ios-guide.page.tsx': { state: stateOf('download-ios') },
  'src/web/features/legal/legal.page.tsx': { state: stateOf('terms') },
  'src/web/features/notices/push-switch.tsx': { state: stateOf('notices') },
  'src/web/features/passwords/password-modals.tsx': { state: stateOf('forgot') },
  'src/web/features/posts/older.page.tsx': { state: stateOf('older-posts') },
  'src/web/features/posts/own-cards.tsx': { state: stateOf('home-own') },
  'src/web/features/recharge/order-purchase.tsx': { state: stateOf('order-not-bought') },
  'src/web/features/recharge/promotion-note.tsx': { state: stateOf('recharge-promotion') },
  'src/web/features/redirects/redirect-pages.tsx': { state: stateOf('login') },
  'src/web/features/sessions/login-modal.tsx': { state: stateOf('login') },
  'src/web/features/statements/statement.page.tsx': { state: stateOf('transactions') },
  'src/web/features/tournaments/draw-check.tsx': {
    state: stateOf('tournament-finished'),
    tap: checkDraw,
    sees: 'Tính lại trên máy này',
  },
  'src/web/features/tournaments/overlay.page.tsx': { state: stateOf('overlay-bracket') },
  'src/web/features/tournaments/own-team.tsx': { state: stateOf('tournament-team') },
  'src/web/features/tournaments/results.page.tsx': { state: stateOf('results-own') },
  'src/web/features/tournaments/tournament-pictures.ts': {
    state: stateOf('tournament-finished'),
    tap: press('Chia sẻ ảnh nhánh đấu'),
    sees: 'Đang tải tệp về máy',
    told: 'Không tạo được ảnh',
  },
  'src/web/features/tournaments/tournament.page.tsx': { state: stateOf('tournament-finished') },
  'src/web/features/transfers/active-modal.tsx': { state: stateOf('activate') },
  'src/web/parts/consents/record-consent.ts': { state: stateOf('consents') },
  'src/web/parts/consents/text-notice.tsx': { state: stateOf('text-notice'), quiet: EXTRA },
  'src/web/parts/install/install-hint.tsx': { state: stateOf('install-hint'), quiet: EXTRA },
  'src/web/parts/install/install.ts': { state: stateOf('install-hint'), quiet: EXTRA },
  'src/web/parts/pixel/choose-pixel.ts': { state: stateOf('consent'), quiet: EXTRA },
  'src/web/parts/pixel/consent-bar.tsx': { state: stateOf('consent'), quiet: EXTRA },
  'src/web/parts/pixel/load-pixel.ts': {
    state: stateOf('consent'),
    tap: agree,
    sees: 'Bài viết mới',
    quiet: EXTRA,
  },
  'src/web/parts/progress/progress-picture.ts': {
    state: stateOf('order-credited'),
    tap: press('Chia sẻ ảnh'),
    sees: 'Đang tải tệp về máy',
    told: 'Không tạo được ảnh',
  },
  'src/web/parts/purchase/pay-missing.tsx': { state: stateOf('exchange-missing-coins') },
  'src/web/parts/rewards/milestone-card.tsx': { state: stateOf('profile-milestones'), quiet: EXTRA },
  'src/web/parts/sending/resume-call.ts': {
    state: { ...stateOf('home-player'), arrange: leaveUnanswered, sees: 'Thất bại' },
    quiet: 'what was not answered stays stored, and is sent again by the next document',
  },
  'src/web/parts/splash/splash.tsx': { state: stateOf('splash'), quiet: EXTRA },
  'src/web/shell/bell-watch.tsx': { state: stateOf('notices-panel') },
  'src/web/shell/message.tsx': {
    state: stateOf('exchange-field-errors'),
    told: 'Mệnh giá này không còn được mở',
    quiet: 'a short message says the same',
  },
  'src/web/shell/player-frame.tsx': { state: stateOf('home-player') },
  'src/web/shell/tell-keeping.ts': {
    state: stateOf('home'),
    tap: loseSession,
    sees: /^Trình duyệt không cho lưu phiên đăng nhập/,
    quiet: 'the next document tells it',
  },
}

/** Of a page the state of its name. */
export function openingOf(source: string): Opening | undefined {
  const [, page] = /\/([a-z-]+)\.page\.tsx$/.exec(source) ?? []
  return openings[source] ?? (page === undefined ? undefined : { state: stateOf(page) })
}
