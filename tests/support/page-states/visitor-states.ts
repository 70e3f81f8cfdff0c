import { seedTournaments } from '#seeds/tournaments.ts'
import type { Page } from '@playwright/test'
import { frameStates } from './frame-states.ts'
import {
  answering,
  changing,
  follow,
  gameLimits,
  main,
  openMenu,
  type PageState,
  silence,
  silentWay,
  statesAt,
} from './page-state.ts'

const dialog = (page: Page) => page.getByRole('dialog')

/** Shows all errors of a form: every field is touched and left empty. */
async function touchFields(page: Page): Promise<void> {
  // The dialog is there before its fields.
  await dialog(page).getByRole('textbox').first().waitFor()
  for (const field of await dialog(page).getByRole('textbox').all()) {
    await field.focus()
    await field.blur()
  }
}

async function logIn(page: Page): Promise<void> {
  await dialog(page).getByLabel('Tên đăng nhập').fill('hoangtuan')
  await dialog(page).getByLabel('Mật khẩu').fill('khong-phai-the')
  await dialog(page).getByRole('button', { name: 'Đăng nhập' }).click()
}

const settings = (change: object) => changing('**/api/settings', (known) => ({ ...known, ...change }))

/** Waits until the service worker is installed, which a touch begins: interrupting its download would be another error. */
async function loseNetwork(page: Page): Promise<void> {
  // A touch before begins the scripts only.
  await page.locator('#root[data-ready]').waitFor()
  await page.keyboard.press('Shift')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await page.context().setOffline(true)
}

/** By its name: tests of the console add others. */
const openTournament = (name: string) => async (page: Page) => {
  await main(page).getByRole('link', { name }).click()
  await page.waitForURL(/\/tournament\//)
}

/** The five phases, in the order of the seeds. */
const phases: PageState[] = [
  ['announced', 'Mở đăng ký sau'],
  ['registering', 'Thi đấu sau'],
  ['drawing', 'Chờ chia cặp'],
  ['running', 'Đang đấu Tứ kết'],
  ['finished', 'Chung kết'],
].map(([phase, sees], place) => ({
  name: `tournament-${phase}`,
  route: '/tournament/:id',
  path: '/tournaments',
  prepare: openTournament(seedTournaments[place]?.name ?? ''),
  sees: sees ?? '',
}))

const pages: PageState[] = [
  ...statesAt({ route: '/home' })({
    home: { sees: 'Bài viết mới' },
    splash: { isStranger: true, sees: /Chào mừng bạn đến với/ },
    consent: { arrange: settings({ pixel_id: '1234567890123456' }), sees: 'Cho phép đo quảng cáo?' },
  }),
  { name: 'post', route: '/post/:id', path: '/home', prepare: follow('/post/'), sees: 'Bài viết khác' },
  {
    name: 'category',
    route: '/category/:id',
    path: '/home',
    prepare: follow('/category/'),
    sees: 'Chuyên mục khác',
  },
  {
    name: 'older-posts',
    route: '/home/:before',
    path: '/home',
    prepare: follow('/home/'),
    sees: 'Về bài mới nhất',
  },
  {
    name: 'older-posts-none',
    route: '/category/:id/:before',
    path: '/category/1/1',
    sees: 'Không còn bài nào cũ hơn.',
  },
  ...statesAt({ route: '/search/:words?' })({
    search: { path: '/search/den%20long', sees: /Kết quả cho “den long”/ },
    'search-none': { path: '/search/khongcotunay', sees: 'Không có bài viết nào chứa những từ này.' },
  }),
  {
    name: 'menu',
    route: '/home',
    prepare: openMenu,
    sees: /Chào bạn/,
  },
  { name: 'community', route: '/community', sees: 'Box Zalo 5' },
  ...statesAt({ route: '/download' })({
    download: { sees: 'Tải bản PC có auto' },
    'download-all': {
      prepare: (page) => page.getByRole('button', { name: 'Xem tất cả phiên bản' }).click(),
      sees: 'Chỉ xem phiên bản phù hợp',
    },
  }),
  { name: 'download-ios', route: '/download/ios', sees: 'Tin cậy nhà phát triển' },
  ...statesAt({ route: '/gem-calculator' })({
    'gem-calculator': { sees: 'Số ngọc cho từng cấp' },
    'gem-calculator-filled': { path: '/gem-calculator?from=2&to=9&gem=1500&server=100', sees: '13,275,000' },
    'gem-calculator-wrong': {
      path: '/gem-calculator?from=9&to=2&gem=0&server=0',
      sees: 'Cấp đích phải cao hơn cấp đang có',
    },
  }),
  ...statesAt({ route: '/tournaments' })({
    tournaments: { sees: 'Kiếm Hội Đêm Giao Mùa' },
    'tournaments-none': {
      path: '/download',
      arrange: answering('**/api/tournaments', 200, []),
      prepare: follow('/tournaments'),
      sees: 'Chưa có giải đấu nào được công bố.',
    },
  }),
  ...phases,
  ...statesAt({ route: '/tournament/:id' })({
    'tournament-followed': {
      path: '/tournaments',
      prepare: async (page) => {
        await openTournament('Tứ Hùng Trúc Lâm')(page)
        // Whoever is drawn first.
        const teams = page
          .getByRole('tabpanel')
          .or(page.getByRole('main'))
          .getByRole('listitem')
          .getByRole('button')
        await teams.filter({ visible: true }).first().click()
      },
      sees: 'Bỏ theo dõi',
    },
    'tournament-rules': {
      path: '/tournaments',
      prepare: async (page) => {
        await openTournament('Song Đấu Trăng Rằm')(page)
        await page.getByText('Thể lệ', { exact: true }).click()
      },
      sees: 'Bốc thăm phát trực tiếp',
    },
    'tournament-silent-organisers': {
      path: '/tournaments',
      arrange: changing('**/api/tournaments/brackets/*', (bracket: { tournament: object }) => ({
        ...bracket,
        tournament: { ...bracket.tournament, prize: '', how_to_register: '' },
      })),
      prepare: async (page) => {
        await page.waitForLoadState('networkidle')
        await openTournament('Song Đấu Trăng Rằm')(page)
      },
      sees: 'Đến trang Box Zalo',
    },
  }),
  ...statesAt({ route: '/terms/:version?' })({
    terms: { path: '/terms', sees: 'Bản 1, áp dụng từ' },
    'terms-old': {
      path: '/download',
      arrange: changing('**/api/legal/terms', (text) => ({ ...text, version: 2, current_version: 3 })),
      prepare: follow('/terms'),
      sees: 'không còn áp dụng',
    },
  }),
  { name: 'privacy', route: '/privacy/:version?', path: '/privacy', sees: 'Quyền của bạn' },
  { name: 'refunds', route: '/refunds/:version?', path: '/refunds', sees: 'Hoàn TCoin vào ví' },
  { name: 'exchange-visitor', route: '/exchange', sees: 'Đăng nhập để chọn nhân vật' },
  { name: 'not-found', route: '/404', sees: 'Trang bạn đang tìm không tồn tại' },
  {
    name: 'unknown-path',
    route: '*',
    path: '/khong-co-trang-nay',
    player: 'hoangtuan',
    sees: 'Trang bạn đang tìm không tồn tại',
  },
]

const doors: PageState[] = [
  ...statesAt({ route: '/login' })({
    login: { modal: 'login', sees: 'Chưa có tài khoản?' },
    'login-errors': { modal: 'login', prepare: touchFields, sees: 'Không được bỏ trống' },
    'login-refused': { modal: 'login', prepare: logIn, sees: 'Tên đăng nhập hoặc mật khẩu không chính xác' },
    'login-second-factor': {
      modal: 'login',
      arrange: answering('**/api/auth/login', 422, {
        code: 'SECOND_FACTOR_REQUIRED',
        message: 'Vui lòng nhập mã xác thực hai lớp',
        requestId: 'thu-1',
      }),
      prepare: logIn,
      sees: 'Mã xác thực hai lớp',
    },
  }),
  {
    name: 'login-for-ranking',
    route: '/ranking',
    modal: 'login',
    sees: 'Bảng xếp hạng dành cho người chơi',
  },
  ...statesAt({ route: '/register' })({
    register: { modal: 'register', sees: 'Đã có tài khoản?' },
    'register-game-limits': { modal: 'register', arrange: gameLimits, sees: '6–12 ký tự trong a–z' },
    'register-errors': { modal: 'register', prepare: touchFields, sees: 'Không được bỏ trống' },
  }),
]

const failures: PageState[] = [
  { name: 'home-failed', route: '/home', path: '/download', prepare: silentWay('/home'), sees: 'Thử lại' },
  { name: 'post-failed', route: '/post/:id', path: '/home', prepare: silentWay('/post/'), sees: 'Thử lại' },
  {
    name: 'category-failed',
    route: '/category/:id',
    path: '/home',
    prepare: silentWay('/category/'),
    sees: 'Thử lại',
  },
  {
    name: 'tournaments-failed',
    route: '/tournaments',
    path: '/download',
    prepare: silentWay('/tournaments'),
    sees: 'Thử lại',
  },
  {
    name: 'tournament-failed',
    route: '/tournament/:id',
    path: '/tournaments',
    prepare: silentWay('/tournament/'),
    sees: 'Thử lại',
  },
  {
    name: 'refunds-failed',
    route: '/refunds/:version?',
    path: '/download',
    prepare: silentWay('/refunds'),
    sees: 'Thử lại',
  },
  { name: 'exchange-failed', route: '/exchange', player: 'hoangtuan', arrange: silence, sees: 'Thử lại' },
  ...statesAt({ route: '/home' })({
    toast: { arrange: answering('**/api/settings', 500, {}), sees: 'Có lỗi xảy ra, vui lòng thử lại' },
    'offline-strip': { prepare: loseNetwork, sees: 'Bạn đang ngoại tuyến.' },
  }),
  {
    name: 'offline-page',
    route: '/community',
    path: '/home',
    prepare: async (page) => {
      await loseNetwork(page)
      await page.goto('/community')
    },
    sees: 'Không có kết nối mạng',
  },
]

export const visitorStates: PageState[] = [...pages, ...doors, ...failures, ...frameStates]
