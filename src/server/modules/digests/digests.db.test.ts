import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aTransfer, openAccounts } from '#tests/support/bank.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { promotionFields } from '#tests/support/promotions.ts'
import { sendDigests } from './digests.service.ts'
import { failedWork, retryNow } from '#tests/support/poisoned-row.ts'

const portal = useTestApp({ environment: { TWO_PEOPLE: '0' } })
const { owner, cashier } = useOperators(portal, { owner: 'owner', cashier: 'cashier' })
beforeAll(async () => {
  await openAccounts(portal)
  await giveVerifiedEmail(portal, owner.id, 'chu@thu.test')
  await giveVerifiedEmail(portal, cashier.id, 'thu-ngan@thu.test')
})

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** So many hours after the day in Vietnam began that follows today. */
const tomorrowAt = (hour: number) => {
  const inVietnam = new Date(Date.now() + 7 * HOUR_MS)
  const midnight = Date.parse(inVietnam.toISOString().slice(0, 10)) - 7 * HOUR_MS
  return { now: () => new Date(midnight + DAY_MS + hour * HOUR_MS) }
}
const at = (hour: number) => ({ ...portal.deps, clock: tomorrowAt(hour) })

const act = ({ token }: TestOperator, method: 'POST' | 'PUT', path: string, body: object) =>
  portal.call(method, `/api/operator${path}`, { token, body: { reason: 'Kiểm tra', ...body } })

const digests = async (address: string) =>
  (await lettersTo(portal, address)).filter(({ kind }) => kind === 'daily-digest')

test('on a day without such acts no owner gets a letter', async () => {
  const yesterday = { ...portal.deps, clock: { now: () => new Date(tomorrowAt(7).now().getTime() - DAY_MS) } }
  await sendDigests(yesterday)
  expect(await digests('chu@thu.test')).toEqual([])
})

test('what operators did is listed by operator, in words; other acts by their number', async () => {
  const player = await aPlayer(portal)
  for (const amount of [300_000, 200_000]) {
    const id = await aTransfer(portal, { transferAmount: amount })
    expect((await act(cashier, 'POST', `/bank-transfers/${id}/credit`, { user_id: player.id })).status).toBe(
      200,
    )
  }
  await act(owner, 'POST', `/users/${player.id}/adjustment`, { amount: -50_000 })
  await act(owner, 'POST', `/users/${player.id}/notes`, { note: 'Đã gọi' })
  await changeSettings(portal, { token: owner.token, values: { exchange_bonus: '25' } })
  await changeSettings(portal, {
    token: owner.token,
    values: { android_auto: 'https://play.google.com/thn' },
  })
  await changeSettings(portal, { token: owner.token, values: { text_hosts: 'bao.example\ntiktok.com' } })
  await changeSettings(portal, { token: owner.token, values: { site_name: 'Tên khác' } })
  await act(owner, 'PUT', `/staff/${player.id}/roles`, { roles: ['support'] })
  const { body, status } = await portal.call('GET', '/api/operator/digest', { token: owner.token })
  expect(status).toBe(200)
  const linesOf = ({ id }: { id: string }) =>
    body.operators.find(({ operator }: { operator: { id: string } | null }) => operator?.id === id)?.lines
  expect(linesOf(cashier)).toEqual(['Cộng 2 khoản chuyển: 500,000 TCoin'])
  expect(linesOf(owner)).toEqual([
    'Điều chỉnh giảm 1 lần: 50,000 TCoin',
    'Đổi “Khuyến mãi đổi lượng (%)”: 10 → 25',
    'Đổi “Android”: (trống) → https://play.google.com/thn',
    'Đổi “Trang được dẫn tới trong bài viết”: youtube.com · youtu.be · tiktok.com · online.gov.vn → bao.example · tiktok.com',
    `Vai trò của ${player.username}: (trống) → Hỗ trợ`,
    'Ghi chú về người chơi: 1 lần',
  ])
  expect((await portal.call('GET', '/api/operator/digest', { token: cashier.token })).status).toBe(403)
  const wrong = await portal.call('GET', '/api/operator/digest?day=2026-02-31', { token: owner.token })
  expect(wrong.status).toBe(422)
})

test('budgets by their sums, and campaigns by their titles with their terms', async () => {
  const maker = await anOperator(portal, 'owner')
  const { body: budget } = await act(maker, 'POST', '/budgets', { title: 'Quà tháng mười hai' })
  for (const amount of [100_000, 50_000, -20_000])
    expect((await act(maker, 'POST', `/budgets/${budget.id}/fund`, { amount })).status).toBe(200)
  const terms = promotionFields({ budget_id: budget.id, cap_per_player: 10_000, cap_total: 100_000 })
  const promotion = await act(maker, 'POST', '/promotions', terms)
  for (const step of ['start', 'stop'])
    expect((await act(maker, 'POST', `/promotions/${promotion.body.id}/${step}`, {})).status).toBe(200)
  const { body } = await portal.call('GET', '/api/operator/digest', { token: maker.token })
  const own = body.operators.find(({ operator }: any) => operator?.id === maker.id)
  expect(own.lines).toEqual([
    'Cấp cho ngân sách 2 lần: 150,000 TCoin',
    'Rút khỏi ngân sách 1 lần: 20,000 TCoin',
    expect.stringMatching(
      /^Chạy khuyến mãi “Cuối tuần”: Điều kiện: Tặng thêm 20% .*; Tốn nhiều nhất: 100,000 TCoin ≈ 100,000 đ /,
    ),
    'Dừng khuyến mãi “Cuối tuần”',
    'Lập ngân sách: 1 lần',
  ])
})

test('somebody who did more than is read hides nobody, and the digest says so with all their numbers', async () => {
  const busy = await anOperator(portal, 'owner')
  const later = await anOperator(portal, 'cashier')
  await sql`
    SELECT audit_append('operator', ${busy.id}::bigint, 'users.adjust', 'user', ${later.id}, 'Kiểm tra', '{"amount": 1}',
                        NULL, NULL, NULL)
      FROM generate_series(1, 2005)`.execute(portal.db)
  const id = await aTransfer(portal, { transferAmount: 70_000 })
  const player = await aPlayer(portal)
  expect((await act(later, 'POST', `/bank-transfers/${id}/credit`, { user_id: player.id })).status).toBe(200)
  const { body } = await portal.call('GET', '/api/operator/digest', { token: owner.token })
  const linesOf = ({ id }: TestOperator) =>
    body.operators.find(({ operator }: any) => operator?.id === id).lines
  expect(linesOf(busy)).toEqual([
    'Quá nhiều việc để đọc hết: chỉ 2,000 việc đầu trong ngày được cộng và nêu ở dưới. Đủ cả ngày:',
    'Điều chỉnh số dư: 2,005 lần',
    'Điều chỉnh tăng 2000 lần: 2,000 TCoin',
  ])
  expect(linesOf(later)).toEqual(['Cộng 1 khoản chuyển: 70,000 TCoin'])
})

test('every owner gets one letter of a day, from six in the morning on, once also after a failure half-way', async () => {
  await sendDigests(at(5))
  expect(await digests('chu@thu.test')).toEqual([])
  const vault = { ...portal.deps.vault, seal: () => Promise.reject(new Error('killed here')) }
  await sendDigests({ ...at(7), vault })
  expect(await failedWork(portal)).toMatchObject([{ job: 'daily digests', error: 'killed here' }])
  await retryNow(portal)
  await Promise.all([sendDigests(at(7)), sendDigests(at(7)), sendDigests(at(8))])
  await sendDigests(at(9))
  const letters = await digests('chu@thu.test')
  expect(letters).toHaveLength(1)
  expect(letters[0]?.paragraphs).toEqual(
    expect.arrayContaining([`${cashier.username}:`, '– Cộng 2 khoản chuyển: 500,000 TCoin']),
  )
  expect(await digests('thu-ngan@thu.test')).toEqual([])
})

test('of a day that a clock a day ahead took for over another letter comes when it is over', async () => {
  const clerk = await anOperator(portal, 'owner')
  await giveVerifiedEmail(portal, clerk.id, 'muon@thu.test')
  await sendDigests(at(7))
  const player = await aPlayer(portal)
  await act(clerk, 'POST', `/users/${player.id}/notes`, { note: 'Đã gọi' })
  await sendDigests({
    ...portal.deps,
    clock: { now: () => new Date(tomorrowAt(7).now().getTime() - DAY_MS) },
  })
  await sendDigests(at(7))
  await sendDigests(at(8))
  const letters = await digests('muon@thu.test')
  expect(letters.map(({ paragraphs }) => paragraphs.includes(`${clerk.username}:`))).toEqual([false, true])
})
