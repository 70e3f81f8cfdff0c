import { describe, expect, test } from 'vitest'
import { AUDIT_ACTIONS, type AuditAction, changeText, describeAct, sentenceText } from './sentences.ts'
import type { Thing } from './parts.ts'

const NAMES: Record<string, string> = {
  'user 7': 'tuan',
  'user 8': 'thuquy',
  'user 9': 'lan',
  'bank_transaction 3': 'khoản chuyển 50,000 đ (mã FT26)',
  'delivery d1': 'lượt giao 5,000 TCoin cho nhân vật Gió',
  'post 4': '“Sự kiện tháng 12”',
  'server 1': 'Hồng Nguyệt',
  'tournament 2': '“Cúp mùa đông”',
  'team 11': 'đội Bạch Vân',
  'category 6': '“Sự kiện”',
}
const nameOf = ({ type, id }: Thing) => NAMES[`${type} ${id}`]

type Example = [AuditAction, [type: string, id: string], Record<string, unknown>, string, string[]]

const EXAMPLES: Example[] = [
  [
    'game-accounts.change',
    ['game-accounts', 'game'],
    { before: true, after: false },
    'Ghi nhận game nay không giữ tài khoản: ai cũng đăng ký được tên của game',
    [],
  ],
  [
    'users.import',
    ['game-table', 'player'],
    { accounts: 1200, coins: 5000000 },
    'Chuyển 1,200 tài khoản với 5,000,000 TCoin từ bảng “player” của game',
    [],
  ],
  [
    'settings.update',
    ['setting', 'exchange_bonus'],
    { before: '10', after: '37' },
    'Đổi cài đặt “Khuyến mãi đổi lượng (%)”',
    ['10 → 37'],
  ],
  [
    'settings.update',
    ['setting', 'active_fee'],
    { before: '20000', after: '1500000' },
    'Đổi cài đặt “Phí kích hoạt (TCoin)”',
    ['20,000 → 1,500,000'],
  ],
  [
    'settings.update',
    ['setting', 'logo_center'],
    { before: '0', after: '1' },
    'Đổi cài đặt “Căn giữa logo”',
    ['Tắt → Bật'],
  ],
  [
    'settings.update',
    ['setting', 'bank_account_vietcombank'],
    { before: '', after: '{"bin":"970436","number":"123","name":"CTY A"}' },
    'Đổi cài đặt “Tài khoản nhận Vietcombank”',
    ['(trống) → BIN: 970436 · Số tài khoản: 123 · Chủ tài khoản: CTY A'],
  ],
  [
    'proposals.approve',
    ['adjustment', '7'],
    { proposal_id: '5', proposed_by: '8', before: '', after: '-1200000' },
    'Duyệt đề xuất của thuquy: trừ 1,200,000 TCoin của tuan',
    [],
  ],
  [
    'proposals.take-effect',
    ['roles', '7'],
    { proposed_by: '8', before: 'editor', after: 'owner,editor' },
    'Thực hiện đề xuất của thuquy sau thời gian chờ: đổi vai trò của tuan',
    ['Vai trò: Biên tập → Chủ sở hữu, Biên tập'],
  ],
  [
    'users.adjust',
    ['user', '7'],
    { amount: 2500, before: { balance: 1000, debt: 500 }, after: { balance: 3000, debt: 0 } },
    'Cộng 2,500 TCoin cho tuan',
    ['Số dư: 1,000 TCoin → 3,000 TCoin', 'Nợ: 500 TCoin → 0 TCoin'],
  ],
  [
    'users.ban',
    ['user', '7'],
    {
      scope: 'sign-in',
      before: { until: null },
      after: { until: '2026-12-01T03:00:00.000Z' },
      sessions_ended: 2,
    },
    'Khóa đăng nhập của tuan, kết thúc 2 phiên',
    ['Khóa: không khóa → đến 01/12/2026 10:00'],
  ],
  [
    'users.ban',
    ['user', '7'],
    { until: '9999-12-31T00:00:00.000Z' },
    'Khóa giao dịch của tuan vĩnh viễn',
    [],
  ],
  [
    'users.lift-ban',
    ['user', '7'],
    { scope: 'trading', before: { until: '9999-12-31T00:00:00.000Z' }, after: { until: null } },
    'Mở khóa giao dịch cho tuan',
    ['Khóa: vĩnh viễn → không khóa'],
  ],
  [
    'staff.set-roles',
    ['user', '7'],
    { before: { roles: [] }, after: { roles: ['cashier', 'support'] }, chain: ['8'] },
    'Đổi vai trò của tuan',
    ['Vai trò: không có vai trò → Thủ quỹ, Hỗ trợ'],
  ],
  [
    'bank-transfers.match',
    ['bank_transaction', '3'],
    {
      order_code: 'THNABCDEFGH12',
      user_id: '7',
      rate: 1,
      coins: 50_000,
      before: { state: 'review', reason: 'no-code', credited: 0 },
      after: { state: 'credited', reason: null, credited: 50_000 },
    },
    'Ghép khoản chuyển 50,000 đ (mã FT26) với đơn nạp THNABCDEFGH12, cộng 50,000 TCoin cho tuan',
    [
      'Trạng thái: Chờ kiểm tra → Đã cộng',
      'Vì sao: Không có mã đơn trong nội dung → (trống)',
      'Đã cộng: 0 TCoin → 50,000 TCoin',
    ],
  ],
  [
    'bank-transfers.propose',
    ['bank_transaction', '3'],
    { order_code: null, user_id: '9', coins: 9_000_000, proposed: 'credit' },
    'Đề xuất cộng 9,000,000 TCoin của khoản chuyển 50,000 đ (mã FT26) cho lan, chờ người thứ hai duyệt',
    [],
  ],
  [
    'bank-transfers.approve',
    ['bank_transaction', '3'],
    { user_id: null, coins: 50_000, amount: 50_000, proposed: 'refund-at-gateway', proposed_by: '8' },
    'Duyệt đề xuất của thuquy: hoàn 50,000 đ của khoản chuyển 50,000 đ (mã FT26) qua MoMo',
    [],
  ],
  [
    'bank-transfers.refund-at-gateway-failed',
    ['bank_transaction', '3'],
    { refund_order: 'HT1', amount: 50_000, asked_by: '8', result_code: 99 },
    'Ghi nhận MoMo không hoàn được 50,000 đ của khoản chuyển 50,000 đ (mã FT26) (mã 99)',
    [],
  ],
  [
    'deliveries.refund',
    ['delivery', 'd1'],
    { before: 'parked', after: 'refunded', amount: 5_000 },
    'Hoàn 5,000 TCoin của lượt giao 5,000 TCoin cho nhân vật Gió',
    ['Trạng thái: Bị treo → Đã hoàn'],
  ],
  [
    'recharge-claims.answer',
    ['recharge_claim', '12'],
    { before: 'open', after: 'settled', amount: 50_000, user_id: '7', bank_transaction_id: '3' },
    'Trả lời yêu cầu kiểm tra số 12 của tuan về 50,000 đ, đã tìm thấy khoản chuyển 50,000 đ (mã FT26)',
    ['Trạng thái: Chờ trả lời → Đã giải quyết'],
  ],
  [
    'posts.update',
    ['post', '4'],
    {
      before: { title: 'Cũ', pinned: false, category_ids: [], publish_at: '2026-11-25T01:00:00.000Z' },
      after: { title: 'Mới', pinned: true, category_ids: ['6'], publish_at: '2026-11-25T01:00:00.000Z' },
    },
    'Sửa bài “Sự kiện tháng 12”',
    ['Tiêu đề: Cũ → Mới', 'Ghim: không → có', 'Chuyên mục: (trống) → “Sự kiện”'],
  ],
  [
    'posts.delete',
    ['post', '99'],
    { before: { title: 'Bài cũ', pinned: false }, after: null },
    'Xóa bài “Bài cũ”',
    [],
  ],
  [
    'servers.update',
    ['server', '1'],
    {
      before: { id: '1', name: 'Nguyệt', position: 1 },
      after: { id: '1', name: 'Hồng Nguyệt', position: 2 },
    },
    'Sửa máy chủ Hồng Nguyệt',
    ['Tên: Nguyệt → Hồng Nguyệt', 'Thứ tự: 1 → 2'],
  ],
  [
    'maintenance.update',
    ['maintenance', 'exchange,gift'],
    {
      before: { all: null, exchange: null, gift: { message: 'Nghỉ', until: null } },
      after: {
        all: null,
        exchange: { message: 'Bảo trì game', until: '2026-11-26T05:00:00.000Z' },
        gift: null,
      },
    },
    'Đóng để bảo trì: Đổi lượng; mở lại: Quà tân thủ',
    [
      'Đổi lượng: đang mở → đóng đến 26/11/2026 12:00: “Bảo trì game”',
      'Quà tân thủ: đóng đến khi mở lại: “Nghỉ” → đang mở',
    ],
  ],
  [
    'tournaments.results',
    ['tournament', '2'],
    {
      before: { round: 1, results: [{ match_id: '5', position: 3, winning_team_id: null }] },
      after: {
        round: 1,
        results: [
          {
            match_id: '5',
            position: 3,
            team1_win_count: 3,
            team2_win_count: 1,
            absent_side: null,
            winning_team_id: '11',
          },
        ],
      },
    },
    'Ghi kết quả 1 trận của giải “Cúp mùa đông”',
    ['Trận 3: (trống) → 3–1, thắng: đội Bạch Vân'],
  ],
  [
    'deletion-requests.send-back',
    ['user', '7'],
    { request_id: '3', open: { balance: 20_000, order: 1 } },
    'Trả lại yêu cầu xóa tài khoản số 3 của tuan để xem lại vì còn 20,000 TCoin trong ví, 1 đơn nạp đang chờ tiền',
    [],
  ],
  [
    'recharge-orders.export',
    ['recharge-orders', 'csv'],
    { filter: { status: 'paid' } },
    'Tải tệp CSV danh sách đơn nạp đã lọc',
    [],
  ],
]

test.each(EXAMPLES)('%s of %o with %o reads “%s”', (...example) => {
  const [action, [type, id], details, sentence, changes] = example
  const described = describeAct({ action, subject: { type, id }, details }, nameOf)
  expect(sentenceText(described)).toBe(sentence)
  expect(described.changes.map(changeText)).toEqual(changes)
})

test('what is named leads to its screen, what is gone does not', () => {
  const audited = (id: string) => ({
    action: 'posts.delete',
    subject: { type: 'post', id },
    details: { before: { title: 'Bài cũ' }, after: null },
  })
  expect(describeAct(audited('4'), nameOf).sentence).toEqual([
    { text: 'xóa bài ', thing: null },
    { text: '“Sự kiện tháng 12”', thing: { type: 'post', id: '4' } },
  ])
  expect(describeAct(audited('99'), nameOf).sentence).toEqual([{ text: 'xóa bài “Bài cũ”', thing: null }])
})

test('an action of another program is shown by its code', () => {
  const act = { action: 'users.dance', subject: { type: 'user', id: '7' }, details: {} }
  expect(sentenceText(describeAct(act, nameOf))).toBe('Thực hiện “users.dance” với tuan')
})

const BROKEN: Record<string, unknown>[] = [
  {},
  { before: null, after: null },
  { before: 'x', after: ['y'] },
  { before: { state: 5, roles: 7, results: {} }, after: { state: null, results: [null, 4] } },
  { before: { until: 'x' }, after: { until: 'y', version: -1 } },
  { until: 'x', scope: 'y' },
  { filter: [], amount: 'nhiều', coins: null, open: 3, differences: 'x' },
]

describe.each(AUDIT_ACTIONS)('%s', (action) => {
  test.each(BROKEN)('is a sentence also of %o', (details) => {
    const described = describeAct({ action, subject: { type: 'user', id: '7' }, details }, nameOf)
    const all = [sentenceText(described), ...described.changes.map(changeText)].join(' ')
    expect(sentenceText(described)).not.toBe('')
    expect(all).not.toMatch(/undefined|null|NaN|\[object/)
  })
})
