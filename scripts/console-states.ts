import type { APIRequestContext, Page } from '@playwright/test'
import { withDatabase } from '#tests/e2e/player/portal-database.ts'
import { callerOf, type ConsoleRows, drawnTournament } from '#tests/e2e/admin/console-rows.ts'
import type { GameName } from '#contract/operator/game/names.ts'
import { answering, changing } from '#tests/support/page-states/page-state.ts'
import { appCode } from '#tests/support/players.ts'
import { withFigures, withReport } from './console-figures.ts'

export type Arranging = { rows: ConsoleRows; calls: APIRequestContext; dataDir: string }

/** What a screen of the console shows after somebody did something there. */
export type ConsoleState = {
  name: string
  path: string | ((rows: ConsoleRows) => string)
  /** Brings about the state, once for all pictures. */
  arrange?: (arranging: Arranging) => Promise<void>
  /** Before the screen is opened. */
  before?: (page: Page) => Promise<void>
  prepare?: (page: Page) => Promise<void>
}

const userPath = ({ samples }: ConsoleRows) => `/users/${samples['/users/:id']}`
const deskPath = ({ samples }: ConsoleRows) => `/tournaments/${samples['/tournaments/:id/desk']}/desk`
const transferPath = ({ samples }: ConsoleRows) => `/bank-transfers/${samples['/bank-transfers/:id']}`

const closePath = ({ samples }: ConsoleRows) => `/daily-closes/${samples['/daily-closes/:id']}`

const reportPath = ({ samples }: ConsoleRows) => `/campaign-reports/${samples['/campaign-reports/:kind/:id']}`

const dialogOf = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

async function choose(page: Page, count: number): Promise<void> {
  const boxes = page.getByRole('checkbox', { name: /^Chọn dòng này/ })
  await boxes.first().waitFor()
  for (let nth = 0; nth < count; nth += 1) await boxes.nth(nth).click()
}

async function banTwo(page: Page): Promise<void> {
  await choose(page, 2)
  await press(page, 'Khóa các người chơi đã chọn')
  await dialogOf(page).getByLabel('Khóa gì').selectOption('Giao dịch')
  await dialogOf(page).getByLabel('Lý do').fill('Dùng phần mềm tự động đánh quái')
}

/** Good for five minutes. */
const stepUp = async ({ rows, calls }: Arranging): Promise<void> => {
  await calls.post('/api/operator/step-up', {
    headers: { authorization: `Bearer ${rows.viewer.token}` },
    data: { otp: appCode(rows.viewer.secret, 1) },
  })
}

const saveFilters = async ({ rows, calls }: Arranging): Promise<void> => {
  for (const [name, status] of [
    ['Đơn chờ tiền', 'pending'],
    ['Đơn ACB đã hủy trong tháng này', 'cancelled'],
    ['Đã trả', 'paid'],
  ]) {
    await calls.post('/api/operator/saved-filters', {
      headers: { authorization: `Bearer ${rows.viewer.token}` },
      data: {
        list: 'recharge-orders',
        name,
        query: { sort: '["created_at","DESC"]', filter: JSON.stringify({ status }) },
      },
    })
  }
}

/** Money that another owner proposed to send back by MoMo, above the limit. */
const proposeRefund = ({ rows, dataDir }: Arranging): Promise<void> =>
  withDatabase(async (database) => {
    await database.query(
      `INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
       SELECT 'bank-transfer', id::text,
         jsonb_build_object('act', 'refund-at-gateway', 'user_id', NULL, 'amount', amount, 'coins', amount),
         'Khách chuyển nhầm, xin hoàn lại', (SELECT min(proposed_by) FROM proposal)
       FROM bank_transaction WHERE id = $1::bigint ON CONFLICT DO NOTHING`,
      [rows.samples['/bank-transfers/:id']],
    )
  }, dataDir)

/** The name of the account that the visitor of `askForAccount` says is theirs. */
let askedFor = ''

/** A visitor asks about an account that came over from a game with the phone they have proved. */
const askForAccount = ({ rows, dataDir }: Arranging): Promise<void> =>
  withDatabase(async (database) => {
    const userId = rows.samples['/users/:id']
    const player = await database.query<{ username: string }>(
      `WITH hint AS (
         INSERT INTO contact_hint (user_id, phone, email) VALUES ($1::bigint, '84912345678', 'tuan@thu.test')
         ON CONFLICT DO NOTHING)
       SELECT username FROM users WHERE id = $1::bigint`,
      [userId],
    )
    const asked = await database.query<{ case_id: string }>(
      `WITH asked AS (
         INSERT INTO help_case (about_kind, about_id, about_title, messages)
         VALUES ('sign-in', '-', 'Không đăng nhập được', 1) RETURNING id),
       visitor AS (
         INSERT INTO help_visitor (case_id, channel, contact) SELECT id, 'phone', '84912345678' FROM asked)
       INSERT INTO help_message (case_id, is_staff, text)
       SELECT id, false, 'Tôi quên mật khẩu, game cũng không vào được. Tài khoản có nhân vật cấp 60.' FROM asked
       RETURNING case_id`,
    )
    askedFor = player.rows[0]?.username ?? ''
    rows.samples['case of a visitor'] = asked.rows[0]?.case_id ?? ''
  }, dataDir)

/** As a game that describes its items has them. */
const withToldItems = changing<GameName[]>(/\/operator\/game-names\?/, (rows) => [
  ...['Wooden sword', 'Scroll of the hidden leaf, third part'].map((told_name, index) => ({
    ...rows[0],
    id: `item:${index + 120}`,
    code: String(index + 120),
    name: null,
    told_name,
    is_described: true,
    is_used: false,
    updated_at: null,
  })),
  ...rows,
])

const NEW_YEAR = '2026-01-01T00:00:00.000Z'

/** As a game that has boards which no group shows. */
const withNewBoards = changing<GameName[]>(/\/operator\/game-names\?/, (rows) =>
  ['level', 'luong', 'clan-points'].map((code) => ({
    ...rows[0],
    id: `board:${code}`,
    kind: 'board',
    code,
    name: null,
    is_described: true,
    is_used: false,
  })),
)

export const consoleStates: readonly ConsoleState[] = [
  {
    name: 'user-view-as',
    path: userPath,
    async prepare(page) {
      await press(page, 'Xem như người chơi')
      await dialogOf(page).getByLabel('Lý do').fill('Người chơi gọi hỏi đơn nạp')
      await dialogOf(page).getByRole('button', { name: 'Xem', exact: true }).click()
      await page.getByRole('region', { name: /^Như .* thấy$/ }).waitFor()
    },
  },
  {
    name: 'daily-close-file',
    path: closePath,
    async prepare(page) {
      await press(page, 'Gửi tệp sao kê')
      await dialogOf(page)
        .getByLabel('Tệp sao kê')
        .setInputFiles({
          name: 'sao-ke.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(
            'Ngày giao dịch,Số tham chiếu,Ghi nợ,Ghi có,Số dư,Nội dung\n05/03/2025,FT1,,"50,000",,nap\n07/03/2025,FT2,"9,000",,,phi\n',
          ),
        })
      await dialogOf(page).getByRole('table').waitFor()
    },
  },
  {
    name: 'categories-unsent',
    path: '/categories',
    async prepare(page) {
      await press(page, 'Thêm chuyên mục')
      await dialogOf(page).getByLabel('Tên').fill('Cẩm nang')
      await page.keyboard.press('Escape')
      await page.getByRole('alertdialog').waitFor()
    },
  },
  { name: 'daily-close-figures', path: closePath, prepare: (page) => press(page, 'Đối chiếu bằng tay') },
  {
    name: 'desk-offline',
    path: deskPath,
    async prepare(page) {
      await page.context().setOffline(true)
      await page
        .getByRole('button', { name: /^Thêm một ván/ })
        .first()
        .click()
      await page.getByText('1 thao tác chờ gửi').click()
    },
  },
  {
    name: 'tournament-live-draw',
    path: ({ samples }) => `/tournaments/${samples['live-draw']}`,
    async arrange({ rows, calls }) {
      const { post } = callerOf(calls, rows.viewer.token)
      const teams = ['Bạch Vân', 'Hắc Phong', 'Thanh Long', 'Xích Diễm']
      rows.samples['live-draw'] = await drawnTournament(post, { teams, mode: 0 })
    },
    async prepare(page) {
      const isStarted = await page.getByText('Đã công bố 0/4 đội').isVisible()
      if (isStarted) await press(page, 'Công bố đội tiếp theo')
      await page.getByText('Đã công bố 1/4 đội').waitFor()
    },
  },
  { name: 'desk-undo', path: deskPath, prepare: (page) => press(page, 'Hoàn tác') },
  {
    name: 'tournament-edit',
    path: (rows) => deskPath(rows).replace(/\/desk$/, ''),
    prepare: (page) => press(page, 'Sửa thông tin'),
  },
  { name: 'users-ban-many', path: '/users', prepare: banTwo },
  {
    name: 'users-ban-results',
    path: '/users',
    arrange: stepUp,
    async prepare(page) {
      await banTwo(page)
      await press(page, 'Thực hiện với 2 dòng')
      await page.getByRole('dialog', { name: /kết quả$/ }).waitFor()
    },
  },
  {
    name: 'bankTransfers-match-many',
    path: '/bank-transfers',
    async prepare(page) {
      await choose(page, 2)
      await press(page, 'Ghép các khoản đã chọn theo gợi ý')
      await dialogOf(page).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'deliveries-retry-many',
    path: '/deliveries',
    async prepare(page) {
      await choose(page, 2)
      await press(page, 'Gửi lại các lượt đã chọn')
    },
  },
  { name: 'rechargeOrders-saved-filters', path: '/recharge-orders', arrange: saveFilters },
  {
    name: 'rechargeOrders-saved-filters-edited',
    path: '/recharge-orders',
    arrange: saveFilters,
    prepare: (page) => press(page, 'Sửa bộ lọc đã lưu'),
  },
  { name: 'bankTransfer-refund-proposed', path: transferPath, arrange: proposeRefund },
  { name: 'proposals-refund', path: '/proposals', arrange: proposeRefund },
  {
    name: 'gameNames-changed',
    path: '/game-names?kind=item',
    before: withToldItems,
    async prepare(page) {
      await page.getByRole('button', { name: 'Lấy tên Wooden sword' }).click()
      await page.getByRole('textbox', { name: 'Tên của vật phẩm pet' }).fill('x'.repeat(61))
    },
  },
  {
    name: 'gameNames-save',
    path: '/game-names',
    async prepare(page) {
      await page.getByRole('textbox', { name: 'Tên ngắn của trường 1' }).fill('K.khách')
      await press(page, 'Lưu thay đổi')
      await dialogOf(page).getByText('K.khách').waitFor()
    },
  },
  {
    name: 'gameNames-paste',
    path: '/game-names?kind=item',
    async prepare(page) {
      await press(page, 'Nhập danh sách')
      await dialogOf(page).getByLabel('Danh sách').fill('120,Kiếm gỗ\n121')
      await press(page, 'Đưa vào trang')
    },
  },
  {
    name: 'servers-of-game',
    path: '/servers',
    before: answering(/\/operator\/game-servers/, 200, [
      { id: '1', name: 'Trúc Lâm', position: 0, present: { name: 'Máy chủ 1', updated_at: NEW_YEAR } },
      { id: '12', name: 'Thung lũng sương mù phía bắc', position: 1, present: null },
    ]),
    prepare: (page) => press(page, 'Lấy máy chủ của game'),
  },
  {
    name: 'groups-proposed',
    path: '/groups',
    before: withNewBoards,
    prepare: (page) => press(page, 'Tạo nhóm theo bảng của game'),
  },
  {
    name: 'case-return',
    path: ({ samples }) => `/cases/${samples['case of a visitor']}`,
    arrange: askForAccount,
    async prepare(page) {
      await press(page, 'Trả lại tài khoản')
      await dialogOf(page).getByLabel('Tên đăng nhập của tài khoản').fill(askedFor)
      await press(page, 'Xem tài khoản')
      await dialogOf(page).getByText('Liên hệ game ghi').waitFor()
    },
  },
  { name: 'gameNames-heads', path: '/game-names?kind=head' },
  { name: 'overview-figures', path: '?period=30', before: withFigures },
  {
    name: 'campaignReport-promotion',
    path: reportPath,
    before: withReport('promotions', 'Nạp vàng cuối tuần, thưởng 20 %'),
  },
  {
    name: 'campaignReport-milestones',
    path: reportPath,
    before: withReport('milestones', 'Mốc nạp mừng sinh nhật máy chủ'),
  },
  { name: 'campaignReport-invitations', path: reportPath, before: withReport('invitations', null) },
  { name: 'runbook-section', path: '/runbooks/deliveries#parked-deliveries' },
  { name: 'runbook-engineer', path: '/runbooks/deliveries?part=engineer' },
]
