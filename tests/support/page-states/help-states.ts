import type { Case } from '#contract/help/cases.ts'
import { answering, silence, statesAt, type PageState } from './page-state.ts'

const about = { kind: 'transaction', id: '1204', title: 'Đổi lượng −50,000 TCoin, 20/11/2026 15:10' } as const

const shown: Case = {
  id: '12',
  about,
  state: 'answered',
  created_at: '2026-11-20T08:25:00.000Z',
  last_message_at: '2026-11-20T08:40:00.000Z',
  messages: [
    {
      id: '31',
      author: 'player',
      text: 'Tôi đổi 50,000 TCoin lúc 15 giờ mà vào game chưa thấy lượng.',
      pictures: [],
      created_at: '2026-11-20T08:25:00.000Z',
    },
    {
      id: '32',
      author: 'staff',
      text: 'Món đã tới game. Bạn hãy thoát hẳn game rồi vào lại đúng nhân vật nhé.',
      pictures: [],
      created_at: '2026-11-20T08:40:00.000Z',
    },
  ],
}

const { messages: _, ...row } = shown

const page = (data: object[]) => ({
  data,
  payload: { pagination: { page: 1, items_per_page: 10, total: data.length, last_page: 1 } },
})

const list = (data: object[]) => answering(/\/api\/cases\?/, 200, page(data))

const prepared = (change: object) =>
  answering(/\/api\/cases\/about\?/, 200, {
    title: about.title,
    answers: [
      {
        question: 'Tôi chưa nhận được lượng hoặc món đã mua',
        answer: 'Hành trang đầy: dọn chỗ trong hành trang rồi món sẽ vào nhân vật.',
        link: { label: 'Xem biên nhận', href: '/user/deliveries' },
      },
    ],
    case_id: null,
    ...change,
  })

const ROUTE = '/user/help/:id?'
const player = 'hoangtuan'
const report = `/user/help/new?kind=${about.kind}&id=${about.id}`

const ask = '/help'
const visitorCase = {
  ...shown,
  about: { kind: 'account', id: '-', title: 'Tài khoản' },
  token: `12.${'A'.repeat(43)}`,
}
const askCase = (change: object) => answering('**/api/help/cases/read', 200, { ...visitorCase, ...change })

export const helpStates: readonly PageState[] = [
  ...statesAt({ route: ask, path: ask })({
    ask: { sees: 'Bạn cần giúp về việc gì?' },
    'ask-phone': {
      prepare: (page) => page.getByRole('tab', { name: 'Số điện thoại' }).first().click(),
      sees: 'Lấy mã qua SMS',
    },
    'ask-again': {
      prepare: (page) => page.getByText('Mở lại yêu cầu đã gửi').click(),
      sees: 'Xác minh lại email hoặc số điện thoại',
    },
  }),
  ...statesAt({ route: ask, path: `${ask}#${visitorCase.token}` })({
    'ask-case': { arrange: askCase({}), sees: 'Hãy lưu đường dẫn' },
    'ask-case-closed': { arrange: askCase({ state: 'closed' }), sees: 'Yêu cầu này đã đóng.' },
    'ask-case-wrong': {
      arrange: answering('**/api/help/cases/read', 422, {
        code: 'TOKEN_INVALID',
        message: 'Sai',
        report: true,
      }),
      sees: 'Đường dẫn này không mở được yêu cầu nào.',
    },
  }),
  ...statesAt({ route: ROUTE, path: '/user/help', player })({
    help: {
      arrange: list([
        { ...row, id: '14', state: 'open', last_message_at: row.created_at },
        row,
        {
          ...row,
          id: '9',
          state: 'closed',
          about: { kind: 'order', id: 'TCX7K2QF9XAMM', title: 'Đơn nạp TCX7K2QF9XAMM' },
        },
      ]),
      sees: 'Chờ trả lời',
    },
    'help-empty': { arrange: list([]), sees: 'Bạn chưa báo vấn đề nào' },
    'help-failed': { arrange: silence, sees: 'Thử lại' },
  }),
  ...statesAt({ route: ROUTE, path: report, player })({
    report: { arrange: prepared({}), sees: 'Viết cho đội hỗ trợ' },
    'report-again': { arrange: prepared({ case_id: '12' }), sees: 'Mở yêu cầu đang chờ' },
    'report-topics': { path: '/user/help/new', sees: 'Bạn cần giúp về việc gì?' },
    'report-topic': {
      path: '/user/help/new?kind=account',
      arrange: prepared({ title: 'Tài khoản' }),
      sees: 'Viết cho đội hỗ trợ',
    },
    'report-nothing': { path: '/user/help/new?kind=x', sees: 'Trang bạn đang tìm không tồn tại' },
  }),
  ...statesAt({ route: ROUTE, path: '/user/help/12', player })({
    case: { arrange: answering('**/api/cases/12', 200, shown), sees: 'Đội hỗ trợ' },
    'case-closed': {
      arrange: answering('**/api/cases/12', 200, { ...shown, state: 'closed' }),
      sees: 'Yêu cầu này đã đóng.',
    },
    'case-missing': {
      arrange: answering('**/api/cases/12', 404, {
        code: 'NOT_FOUND',
        message: 'Không tìm thấy',
        report: true,
      }),
      sees: 'Trang bạn đang tìm không tồn tại',
    },
  }),
]
