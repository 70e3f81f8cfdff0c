import type { Page } from '@playwright/test'
import { type Transaction, TRANSACTION_TYPES } from '#contract/transactions.ts'
import { answering, changing, main, openMenu, silence, statesAt, type PageState } from './page-state.ts'

/** Who is there, changed. */
const user = (change: object) => changing('**/api/auth/verify', (known) => ({ ...known, ...change }))
const settings = (change: object) => changing('**/api/settings', (known) => ({ ...known, ...change }))

const nothing = { data: [], payload: { pagination: { page: 1, items_per_page: 20, total: 0, last_page: 1 } } }

const openActivation = (page: Page) => page.getByRole('button', { name: 'Kích hoạt' }).first().click()

/** One line of every kind, in every state a purchase may have. */
const transactions = TRANSACTION_TYPES.map((type, index): Transaction => {
  const isPurchase = type === 'exchange' || type === 'gift'
  return {
    id: String(1_000 + index),
    created_at: new Date(Date.UTC(2026, 10, 20, 8, index)).toISOString(),
    type,
    amount: ['recharge', 'transfer_in', 'refund'].includes(type) ? 1_250_000 : -99_999,
    balance_after: 12_450_000 - index * 99_999,
    description: 'Chuyển TCoin cho ngocanh95',
    status: isPurchase
      ? type === 'gift'
        ? 'delivered'
        : 'pending'
      : type === 'refund'
        ? 'refunded'
        : 'completed',
    reference: index % 2 === 0 ? 'TCX7K2QF9XAMM' : '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1',
  }
})

const recentPayees = answering('**/api/user/transfer/payees', 200, [
  { username: 'ngocanh95', activated: true, character: { name: 'ngo***', head: 9 } },
  { username: 'tranquochuynh199820', activated: true, character: null },
  { username: 'minhchau', activated: false, character: { name: 'cun***', head: 17 } },
])

const statement: PageState[] = [
  ...statesAt({ route: '/user/transactions', player: 'hoangtuan' })({
    transactions: { sees: 'Phí kích hoạt tài khoản' },
    'transactions-all-kinds': {
      arrange: answering(/\/api\/user\/transactions\?/, 200, {
        data: transactions,
        payload: { pagination: { page: 1, items_per_page: 20, total: 1_234, last_page: 62 } },
      }),
      sees: '1,234 giao dịch',
    },
    'transactions-filters': {
      path: '/user/transactions?type=activation',
      prepare: async (page) => page.getByRole('button', { name: 'Lọc (1)' }).click(),
      sees: 'Loại giao dịch',
    },
    'transactions-empty': { player: 'thuylinh', sees: 'Chưa có giao dịch nào.' },
    'transactions-nothing-found': {
      path: '/user/transactions?search=khongcoai&type=transfer_in&sort=amount-desc',
      sees: 'Không có giao dịch nào phù hợp với bộ lọc.',
    },
    'transactions-reversed': {
      path: '/user/transactions?from=2026-11-20&to=2026-11-02',
      sees: 'Ngày bắt đầu phải trước ngày kết thúc',
    },
    'transactions-failed': { arrange: silence, sees: 'Thử lại' },
  }),
]

async function fillTransfer(page: Page): Promise<void> {
  await page.getByLabel('Tên đăng nhập người nhận').fill('giabao2k')
  await page.getByLabel('Số TCoin').fill('50000')
  await page.getByLabel('Kích hoạt giúp người nhận').check()
  await main(page).getByRole('button', { name: 'Tiếp tục' }).click()
}

const confirmTransfer = async (page: Page) => {
  await fillTransfer(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
}

const transfer: PageState[] = [
  ...statesAt({ route: '/user/transfer', player: 'hoangtuan' })({
    transfer: { sees: 'Tiếp tục' },
    'transfer-errors': {
      prepare: async (page) => {
        await page.getByLabel('Số TCoin').fill('900000')
        await main(page).getByRole('button', { name: 'Tiếp tục' }).click()
      },
      sees: 'Bạn còn thiếu: 270,000',
    },
    'transfer-confirm': { prepare: fillTransfer, sees: 'Xác nhận chuyển TCoin' },
    'transfer-unknown-payee': {
      prepare: async (page) => {
        await page.getByLabel('Tên đăng nhập người nhận').fill('khongcoai99')
        await page.getByLabel('Tên đăng nhập người nhận').blur()
      },
      sees: 'Không tìm thấy người nhận',
    },
    'transfer-payee': {
      arrange: recentPayees,
      prepare: async (page) => page.getByRole('button', { name: 'tranquochuynh199820' }).click(),
      sees: 'Đã kích hoạt',
    },
    'transfer-recent': { arrange: recentPayees, sees: 'Người nhận gần đây' },
    'transfer-sent': {
      arrange: answering('**/api/user/transfer', 200, { balance: 580_000 }),
      prepare: confirmTransfer,
      sees: 'Đã chuyển 50,000 TCoin cho giabao2k.',
    },
    'transfer-banned': { player: 'ducmanh99', sees: 'Bạn chuyển được TCoin sau khi' },
    'transfer-not-activated': {
      player: 'giabao2k',
      sees: 'Vui lòng kích hoạt tài khoản để sử dụng tính năng giao dịch',
    },
    'transfer-disabled': {
      arrange: settings({ transfer_enabled: '0' }),
      sees: 'Chuyển TCoin đang tạm ngừng',
    },
  }),
]

const NOTHING_RANKED = {
  updated_at: null,
  first_day: null,
  has_previous: false,
  classes: [],
  rows: [],
  own: { state: 'none', character: null },
}

const ENTRIES_OF_A_DAY = /\/api\/groups\/\d+\/entries\?day=/

const BEYOND = {
  name: 'tranhuyenlongtruclam',
  server_id: '1',
  class_id: 1,
  class_name: 'Kiếm',
  class_short_name: 'Kiếm',
  level: 12,
  head: 5,
  head_name: null,
}

type Ranked = { rows: { rank: number }[] }

/** The rankings, changed; with the ranks of the day before some rows rose, others fell, and one is new. */
const ranked = (change: object) =>
  changing('**/api/groups/*/entries', (known) => ({
    ...known,
    rows: (known as Ranked).rows.map((row) => ({
      ...row,
      previous_rank: [row.rank, row.rank + 3, Math.max(1, row.rank - 2), null][row.rank % 4],
    })),
    ...change,
  }))

/** All that a home of one's own may show at once. */
export const ownHome = changing('**/api/home', () => ({
  character: {
    name: 'HoangTuan',
    head: 16,
    head_name: null,
    level: 92,
    place: { ranking: 'Cao thủ', rank: 12, previous_rank: 15 },
  },
  order: { code: 'TCX7K2QF9XAMM', amount: 50_000 },
  deliveries: {
    open: 2,
    newest: { id: '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1', character_name: 'HoangTuan' },
  },
  match: { tournament_id: '4', tournament: 'Tứ Hùng Trúc Lâm', opponent: 'Hắc Long', is_called: true },
  game: {
    at: new Date(Date.now() - 120_000).toISOString(),
    servers: [
      { id: '1', name: 'Làng Lá', online: 1_204 },
      { id: '2', name: 'Làng Cát', online: 873 },
    ],
  },
}))

const account: PageState[] = [
  ...statesAt({ route: '/home', player: 'hoangtuan' })({
    'home-player': { sees: 'Bài viết mới' },
    'home-own': { arrange: ownHome, sees: 'Gặp Hắc Long' },
    'menu-player': {
      arrange: user({ username: 'tranquochuynh199820', balance: 1_234_567_890 }),
      prepare: openMenu,
      sees: /^Chào bạn ở máy chủ/,
    },
    'home-not-activated': { player: 'giabao2k', sees: /^Tài khoản chưa kích hoạt\./ },
    'home-newcomer': { player: 'thuylinh', sees: /^Tài khoản chưa kích hoạt\. Nạp đủ/ },
    'home-banned': { player: 'ducmanh99', sees: 'Tài khoản bị khóa giao dịch đến' },
  }),
  ...statesAt({ route: '/user/profile', player: 'hoangtuan' })({
    activate: { modal: 'active', player: 'giabao2k', prepare: openActivation, sees: 'Phí kích hoạt' },
    'activate-missing-coins': {
      modal: 'active',
      player: 'thuylinh',
      prepare: openActivation,
      sees: 'Bạn còn thiếu: 20,000',
    },
    profile: { sees: 'Thiết bị này' },
    'profile-verified': {
      arrange: user({
        email: 'n***************g@truonglangtruclam.example',
        email_verified: true,
        phone_verified: true,
      }),
      sees: 'Đã xác thực',
    },
    'profile-banned': { player: 'ducmanh99', sees: 'Bị khóa đến' },
    'profile-not-activated': { player: 'giabao2k', sees: 'Chưa kích hoạt' },
    'profile-failed': { arrange: silence, sees: 'Thử lại' },
    'profile-ranking-name': {
      path: '/user/profile#ranking-name',
      prepare: (page) => page.getByLabel('Hiện tên tôi trên bảng xếp hạng nạp').check(),
      sees: 'Biệt danh',
    },
    'server-silent': {
      arrange: answering('**/api/auth/verify', 503, {}),
      sees: 'Máy chủ chưa trả lời, đang thử lại…',
    },
  }),
  ...statesAt({ route: '/ranking', player: 'hoangtuan' })({
    ranking: { sees: 'thienlongkiem' },
    'ranking-not-in-it': { player: 'quochung', sees: 'Bạn chưa có tên trong bảng này.' },
    'ranking-of-a-server': { path: '/ranking?server=3', sees: 'Bạn chưa có tên trong bảng này.' },
    'ranking-of-a-class': { path: '/ranking?class=1', sees: 'kiemgia' },
    'ranking-compared': { arrange: ranked({ has_previous: true, first_day: '2026-08-28' }), sees: '▲ 3' },
    'ranking-of-a-day': {
      arrange: answering(ENTRIES_OF_A_DAY, 200, { ...NOTHING_RANKED, first_day: '2026-08-28' }),
      path: '/ranking?day=2026-11-20',
      sees: 'Không có ai phù hợp.',
    },
    'ranking-counts': {
      arrange: changing<object[]>('**/api/groups', (groups) =>
        groups.map((group) => ({ ...group, counts: { of: 'account', waiting: true } })),
      ),
      path: '/ranking?group=3',
      sees: /^Lượng đang có của cả tài khoản, gồm cả phần đang chờ vào game/,
    },
    'ranking-late': {
      arrange: ranked({ updated_at: '2026-11-20T18:30:00.000Z' }),
      sees: /^Chưa lấy được dữ liệu mới/,
    },
    'ranking-beyond': {
      arrange: ranked({ mine: undefined, own: { state: 'beyond', character: BEYOND } }),
      sees: 'Ngoài 5,000 hạng đầu',
    },
    'ranking-excluded': {
      arrange: ranked({ mine: undefined, own: { state: 'excluded', character: null } }),
      sees: 'Tài khoản này không được xếp hạng.',
    },
    'ranking-hidden': { path: '/ranking?group=4', sees: 'Bạn chưa hiện tên trên bảng này.' },
    'ranking-empty': {
      arrange: answering('**/api/groups/*/entries', 200, NOTHING_RANKED),
      sees: 'Bảng này chưa có ai.',
    },
    'ranking-none': { arrange: answering('**/api/groups', 200, []), sees: 'Hiện chưa có bảng xếp hạng nào.' },
    'ranking-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  {
    name: 'sandbox-none',
    route: '/sandbox',
    player: 'hoangtuan',
    arrange: answering(/\/api\/recharge\/orders\?/, 200, nothing),
    sees: 'Không có đơn nào đang chờ.',
  },
]

export const playerStates: PageState[] = [...account, ...statement, ...transfer]
