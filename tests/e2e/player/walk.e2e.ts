import type { APIRequestContext, Locator, Page } from '@playwright/test'
import { MODAL_FADE_MS, REFERRAL_COOKIE_SECONDS, REFERRAL_NAME } from '#contract/constants.ts'
import { pages } from '#contract/pages.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { openMenu } from '#tests/support/page-states/page-state.ts'
import { buyLuong } from './accounts.ts'
import { expect, signIn, test, order, sendLogin } from './fixtures.ts'
import { reportedRecharge } from './reports.ts'
import { expectOneName } from './page-names.ts'
import { settled } from './measures.ts'
import { expectVietnamese } from './vietnamese.ts'
import { expectAccessible, expectAccessibleInBothSchemes, inScheme } from '../accessible.ts'
import { expectReadableInLargeLetters } from '../layout.ts'
import { expectValidAsServed } from '../valid-html.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

/** The narrowest screen the portal is made for. */
const NARROW = { width: 320, height: 640 }
/** Taken together, since to ask where each led would cost more than the steps. */
const TAB_STEPS = 15
const TAB_STEPS_MAX = 90

type Stop = {
  route: string
  /** The real address when it has to be looked up first. */
  find?: (request: APIRequestContext, token: string) => Promise<string>
  isFocused?: boolean
  /** Nothing on it is for the keyboard, nor has it the frame's names. */
  isFrameless?: boolean
  /** Without one the page is called like its heading. */
  title?: string
  /** The main element of the page. */
  action: (page: Page) => Locator
}

const isForPlayers = (route: string) =>
  Object.values(pages).some(({ path, access }) => path === route && access === 'player')

const main = (page: Page) => page.getByRole('main')
/** Of those that are shown: some suit another device. */
const firstLink = (start: string) => (page: Page) =>
  main(page).locator(`a[href^="${start}"]`).filter({ visible: true }).first()

async function firstId(request: APIRequestContext, path: string): Promise<string> {
  const [first] = (await (await request.get(path)).json()) as { id: string }[]
  return first?.id ?? ''
}

const stops: Stop[] = [
  { route: '/home', title: '', action: firstLink('/post/') },
  { route: '/post/:id', find: (request) => firstId(request, '/api/posts'), action: firstLink('/category/') },
  {
    route: '/category/:id',
    find: (request) => firstId(request, '/api/categories'),
    action: firstLink('/post/'),
  },
  { route: '/home/:before', find: (request) => firstId(request, '/api/posts'), action: firstLink('/post/') },
  {
    route: '/category/:id/:before',
    find: async (request) => `1/${await firstId(request, '/api/posts')}`,
    action: firstLink('/post/'),
  },
  { route: '/search/:words?', find: async () => 'den%20long', action: firstLink('/post/') },
  { route: '/community', action: firstLink('https://') },
  { route: '/download', action: firstLink('https://') },
  { route: '/download/ios', action: (page) => main(page).getByRole('link').first() },
  { route: '/gem-calculator', action: (page) => main(page).getByRole('textbox').first() },
  { route: '/tournaments', action: firstLink('/tournament/') },
  { route: '/tournaments/results', action: (page) => main(page).getByRole('link', { name: /Giải đấu$/ }) },
  {
    route: '/tournament/:id',
    find: (request) => firstId(request, '/api/tournaments'),
    action: firstLink('/tournaments'),
  },
  {
    route: '/tournament/:id/overlay',
    find: async (request) => `${await firstId(request, '/api/tournaments')}/overlay`,
    isFrameless: true,
    action: (page) => main(page).locator('.overlay-box'),
  },
  { route: '/exchange', action: (page) => main(page).getByRole('button', { name: 'Đăng nhập' }).first() },
  { route: '/terms/:version?', find: async () => '1', action: firstLink('/privacy') },
  { route: '/privacy/:version?', find: async () => '1', action: firstLink('/refunds') },
  { route: '/refunds/:version?', find: async () => '1', action: firstLink('/terms') },
  { route: '/404', action: firstLink('/home') },
  { route: '/milestones', action: firstLink('/recharge') },
  {
    route: '/check-in',
    action: (page) => main(page).getByRole('radio').first(),
  },
  { route: '/gift', action: (page) => main(page).getByRole('radio').first() },
  { route: '/ranking', action: (page) => main(page).getByRole('tab', { selected: true }) },
  { route: '/recharge', action: (page) => main(page).getByRole('button', { name: 'Tạo mã QR' }) },
  { route: '/recharge/claim', action: (page) => main(page).getByRole('button', { name: 'Gửi yêu cầu' }) },
  {
    route: '/recharge/:code',
    find: async (request, token) => (await order(request, token, { channel: 3, amount: 20_000 })).code,
    isFocused: true,
    action: (page) => main(page).getByRole('button', { name: 'Sao chép số tiền' }),
  },
  { route: '/sandbox', action: (page) => main(page).getByRole('button', { name: 'Gửi tin nhắn' }) },
  {
    route: '/user/profile',
    action: (page) =>
      main(page)
        .getByRole('button', { name: /^Đăng xuất/ })
        .first(),
  },
  { route: '/user/sign-ins', action: (page) => main(page).getByRole('link', { name: /Về hồ sơ/ }) },
  {
    route: '/user/notices',
    action: (page) => main(page).getByRole('checkbox', { name: 'Bảo mật tài khoản' }),
  },
  {
    route: '/user/invitations',
    action: (page) => main(page).getByRole('link', { name: '← Về hồ sơ' }),
  },
  { route: '/help', action: (page) => main(page).getByLabel('Bạn cần giúp về việc gì?') },
  {
    route: '/user/help/:id?',
    find: reportedRecharge,
    action: (page) => main(page).getByRole('button', { name: 'Gửi', exact: true }),
  },
  { route: '/user/consents', action: (page) => main(page).getByRole('link', { name: 'Đọc' }).first() },
  {
    route: '/user/transactions',
    action: (page) => main(page).getByRole('button', { name: 'Lọc', exact: true }),
  },
  {
    route: '/user/deliveries/:id?',
    find: buyLuong,
    action: (page) => main(page).getByRole('button', { name: 'Sao chép mã biên nhận' }),
  },
  { route: '/user/transfer', action: (page) => main(page).getByRole('button', { name: 'Tiếp tục' }) },
]

/** The same page, or the same part of a list, as another stop. */
const ALIKE = ['/home/:before', '/category/:id/:before', '/privacy/:version?', '/refunds/:version?']

/** Addresses that redirect at once; the tests at the end check them. */
const DOORS = ['/login', '/register', '/forgot', '/password/:token?', '*']

/** Every second one of those that are not alike: the others have tests of their own, which look at the same. */
const isWalked = ({ route }: Stop) => hasAllCases || !ALIKE.includes(route)
const walked = everyNth(stops.filter(isWalked), 2, 1)

for (const [index, { route, find, isFocused, isFrameless, title, action }] of walked.entries()) {
  test(
    `${route} is complete: one heading, a title, nothing but Vietnamese, accessible, keyboard use, no sideways scrolling`,
    { tag: '@phone' },
    async ({ page, request, trader, consoleErrors }) => {
      if (route === '/404') consoleErrors.expect(/status of 404/)
      if (isForPlayers(route)) await signIn(page, trader.token)
      const path = route.replace(/:.*$/, (await find?.(request, trader.token)) ?? '')
      await page.goto(path)
      // A form is disabled until React handles it, and then changes its colours.
      await expect(action(page)).toBeEnabled()
      const heading = page.getByRole('heading', { level: 1 })
      await expect(heading).toHaveCount(1)
      const text = await heading.innerText()
      const { site_name } = (await (await request.get('/api/settings')).json()) as { site_name: string }
      const name = title ?? text
      await expect(page).toHaveTitle(name === '' ? site_name : `${name} — ${site_name}`)
      expect(new URL(page.url()).pathname).toBe(path)
      await expectVietnamese(page)
      // Otherwise half of the pages in each scheme: colours, and HTML as it is served, are those of parts that are on many.
      const isDark = index % 2 === 1
      if (hasAllCases || !isDark) await expectValidAsServed(page, request)
      if (hasAllCases) await expectAccessibleInBothSchemes(page)
      else {
        if (isDark) await inScheme(page, 'dark')
        await expectAccessible(page)
      }
      if (!isFocused && !isFrameless) await expectOneName(page)
      if (!isFrameless) await tabTo(page, action(page))
      if (!isFrameless && (hasAllCases || index % 4 === 0)) await expectReadableInLargeLetters(page)
      await page.setViewportSize(NARROW)
      await expect(action(page)).toBeVisible()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
    },
  )
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  await page.evaluate(() => {
    const focused = new WeakSet<Element>()
    Object.assign(globalThis, { focused })
    document.addEventListener('focusin', ({ target }) => focused.add(target as Element))
  })
  for (let steps = 0; steps < TAB_STEPS_MAX; steps += TAB_STEPS) {
    await Promise.all(Array.from({ length: TAB_STEPS }, () => page.keyboard.press('Tab')))
    // Located again each time: hydration may replace the element.
    const isReached = await target.evaluate((element) =>
      (globalThis as unknown as { focused: WeakSet<Element> }).focused.has(element),
    )
    if (isReached) return
  }
  throw new Error(`${TAB_STEPS_MAX} steps with the Tab key do not lead to the page's main action`)
}

test('every route of the portal is walked', { tag: '@phone' }, () => {
  const routes = Object.values(pages).map(({ path }) => path)
  const listed = [...stops.map(({ route }) => route), ...DOORS]
  expect(listProblems({ found: routes, listed }, '`stops` of tests/e2e/player/walk.e2e.ts')).toEqual([])
})

test('/ leads to the home page', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL(/\/home$/)
})

test(
  'an invitation is stored for seven days and opens the registration',
  { tag: '@phone' },
  async ({ page, context }) => {
    await page.goto('/register?referral_id=ban-cua-toi')
    await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
    const cookie = (await context.cookies()).find(({ name }) => name === REFERRAL_NAME)
    expect(cookie?.value).toBe('ban-cua-toi')
    const days = ((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400
    expect(days).toBeCloseTo(REFERRAL_COOKIE_SECONDS / 86_400, 1)
  },
)

test(
  'one modal at a time: the login leads to the registration and back',
  { tag: '@phone' },
  async ({ page }) => {
    await page.goto('/login')
    const modals = page.locator('dialog[open]')
    await page.getByRole('dialog', { name: 'Đăng nhập' }).getByRole('button', { name: 'Đăng ký' }).click()
    await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()
    await expect(modals).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Đăng nhập' }).click()
    await expect(page.getByRole('dialog', { name: 'Đăng nhập' })).toBeVisible()
    await expect(modals).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Quên mật khẩu?' }).click()
    await expect(page.getByRole('dialog', { name: 'Quên mật khẩu' })).toBeVisible()
    await expect(modals).toHaveCount(1)
    await page.getByRole('dialog').getByRole('button', { name: 'Đăng ký' }).click()
    await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()
    await expect(modals).toHaveCount(1)
  },
)

test('a modal fades for 300 ms, and is gone after it', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/home')
  await page.getByRole('banner').getByRole('link', { name: 'Đăng nhập' }).click()
  const modal = page.getByRole('dialog', { name: 'Đăng nhập' })
  await expect(modal).toBeVisible()
  const fade = await modal.evaluate((element) => getComputedStyle(element).transitionDuration)
  expect(fade.split(', ')).toContain(`${MODAL_FADE_MS / 1_000}s`)
  // Since the click: a busy browser may show that the modal leaves long after its timer has started.
  const leaving = modal.evaluate(
    (element) =>
      new Promise<{ ms: number; isMarked: boolean }>((resolve) => {
        let [clickedAt, isMarked] = [Number.NaN, false]
        element.addEventListener('click', () => (clickedAt = performance.now()), { capture: true })
        new MutationObserver(() => {
          isMarked ||= element.hasAttribute('data-leaving')
          if (!element.isConnected) resolve({ ms: performance.now() - clickedAt, isMarked })
        }).observe(document.body, { attributeFilter: ['data-leaving'], childList: true, subtree: true })
      }),
  )
  await modal.getByRole('button', { name: 'Đóng' }).click()
  const { ms, isMarked } = await leaving
  expect(isMarked).toBe(true)
  expect(ms).toBeGreaterThan(MODAL_FADE_MS - 1)
})

test('the frame shows logo, greeting, download button and age notice', async ({ page, newcomer }) => {
  await page.goto('/community')
  const banner = page.getByRole('banner')
  // The letters beside it are as wide as they will be.
  await settled(page)
  const box = await banner.getByRole('img').boundingBox()
  expect(box?.width).toBeGreaterThan(100)
  expect(box?.width).toBeLessThanOrEqual(180)
  await openMenu(page)
  await expect(banner.getByRole('link', { name: 'Tải game' })).toHaveAttribute('href', '/download')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('contentinfo')).toContainText('từ 12 tuổi')
  await expect(page.getByRole('contentinfo')).toContainText('180 phút')
  await banner.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/home$/)

  await banner.getByRole('link', { name: 'Đăng nhập' }).click()
  const login = page.getByRole('dialog', { name: 'Đăng nhập' })
  await expect(login.getByLabel('Tên đăng nhập')).toHaveAttribute('placeholder', 'Nhập tên đăng nhập')
  await sendLogin(login, newcomer)
  await expect(banner).toContainText(`Chào bạn ở máy chủ Trúc Lâm${newcomer.username}`)
  await openMenu(page)
  await banner.getByRole('link', { name: 'Hồ sơ' }).click()
  await expect(page).toHaveURL(/\/user\/profile$/)
  // The shared session is left alone: this one is the login's own.
  await openMenu(page)
  await banner.getByRole('button', { name: 'Đăng xuất' }).click()
  await expect(banner.getByRole('link', { name: 'Đăng ký' })).toBeVisible()
})

test('a visitor is led from the pages of players to the login', { tag: '@phone' }, async ({ page }) => {
  const ofPlayers = stops.filter(({ route }) => isForPlayers(route))
  for (const { route } of everyNth(ofPlayers, 6)) {
    await page.goto(route.replace(/:\w+$/, 'NT000000'))
    await expect(page.getByRole('dialog', { name: 'Đăng nhập' }), route).toBeVisible()
    await expect(page).toHaveURL(/\/home$/)
  }
})
