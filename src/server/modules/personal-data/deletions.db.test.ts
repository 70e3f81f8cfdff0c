import { sql } from 'kysely'
import { trailRows } from '#tests/support/trail-rows.ts'
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators } from '#tests/support/fixtures.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import {
  aDeletion,
  requestDeletion,
  aPlayer,
  type TestPlayer,
  appCode,
  turnOnSecondFactor,
} from '#tests/support/players.ts'
import { anOperator, anOperatorWithoutProof } from '#tests/support/operators.ts'
import { giveVerifiedEmail, lettersTo } from '#tests/support/mail.ts'
import { AS_IF_LARGE, mostRowsRead, openPlanner } from '#tests/support/plans.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { setSetting } from '#tests/support/settings.ts'
import { listDueDeletions, countStoredDeletions, listStoredDeletions } from './deletions.queries.ts'
const portal = useTestApp()
const test = testWith(portal)

const { owner } = useOperators(portal, { owner: 'owner' })
beforeAll(async () => {
  await openAccounts(portal)
})

const DAY_MS = 86_400_000

const deletionOf = async ({ token }: TestPlayer) =>
  (await portal.call('GET', '/api/user/deletion-request', { token })).body
const withdraw = ({ token }: TestPlayer) => portal.call('DELETE', '/api/user/deletion-request', { token })
const act = (id: string, name: string, body: object = {}) =>
  portal.call('POST', `/api/operator/deletion-requests/${id}/${name}`, {
    token: owner.token,
    key: randomUUID(),
    body: { reason: 'Theo yêu cầu', ...body },
  })
const list = async (query: string) =>
  (await portal.call('GET', `/api/operator/deletion-requests?${query}`, { token: owner.token })).body
const filterOf = (filter: object) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
const actionsOn = async (id: string) => (await trailRows(portal, { id })).map(({ action }) => action)

describe('a player', () => {
  test('sends a request, sees when it is due, gets mail, and withdraws it', async ({ player }) => {
    await giveVerifiedEmail(portal, player.id, 'xin.xoa@example.com')
    expect(await deletionOf(player)).toEqual({ days: 20, request: null })
    const { status, body } = await requestDeletion(portal, player)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      state: 'waiting',
      asked_at: expect.any(String),
      due_at: expect.any(String),
      given_up: 0,
      message: null,
      ended_at: null,
    })
    const days = (Date.parse(body.due_at) - Date.parse(body.asked_at)) / DAY_MS
    expect(days).toBeCloseTo(20, 3)
    expect(await deletionOf(player)).toEqual({ days: 20, request: body })
    expect((await lettersTo(portal, 'xin.xoa@example.com')).map(({ kind }) => kind)).toEqual([
      'deletion-asked',
    ])
    const ended = await withdraw(player)
    expect([ended.status, ended.body.state]).toEqual([200, 'withdrawn'])
    expect((await withdraw(player)).body.code).toBe('CONFLICT')
    expect((await deletionOf(player)).request).toMatchObject({
      state: 'withdrawn',
      ended_at: expect.any(String),
    })
    expect(await actionsOn(player.id)).toEqual(['deletion-requests.ask', 'deletion-requests.withdraw'])
    // And may send another.
    expect((await requestDeletion(portal, player)).status).toBe(201)
  })

  test('has one open request, also when two are sent at once', async ({ player }) => {
    const answers = await Promise.all([1, 2, 3].map(() => requestDeletion(portal, player)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const stored = portal.db.selectFrom('deletion_request').select('id').where('user_id', '=', player.id)
    expect(await stored.execute()).toHaveLength(1)
    const second = { user_id: player.id, due_at: new Date() }
    await expect(portal.db.insertInto('deletion_request').values(second).execute()).rejects.toThrow(
      /deletion_request_open/,
    )
  })

  test('needs the password, and a code where the second factor is on', async ({ player }) => {
    const wrong = await requestDeletion(portal, player, { current_password: 'sai-mat-khau' })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'INVALID_CREDENTIALS'])
    const { secret } = await turnOnSecondFactor(portal, player.token)
    expect((await requestDeletion(portal, player)).body.code).toBe('SECOND_FACTOR_REQUIRED')
    expect((await deletionOf(player)).request).toBe(null)
    expect((await requestDeletion(portal, player, { otp: appCode(secret, 1) })).status).toBe(201)
  })

  test('is shown what is open and what they can do, and nothing is stored', async () => {
    const player = await aPlayer(portal, { coins: 30_000, isActivated: true })
    const [character] = await charactersOf(portal, player)
    await buyLuongFor(portal, { player, character: character as string })
    await anOrder(portal, player)
    const { status, body } = await requestDeletion(portal, player)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.errors).toEqual({
      balance: [
        'Còn 20,000 TCoin trong ví: đổi lượng, mua quà, chuyển cho người khác, hoặc đánh dấu đồng ý bỏ số TCoin này',
      ],
      order: ['Còn 1 đơn nạp đang chờ tiền: hủy đơn, hoặc đợi đơn hết hạn'],
      delivery: ['Còn 1 món đang giao: đợi giao xong'],
    })
    // Fewer than there are are not enough; all of them leave the other matters.
    const fewer = await requestDeletion(portal, player, { given_up: 19_999 })
    expect(Object.keys(fewer.body.errors)).toEqual(['balance', 'order', 'delivery'])
    const all = await requestDeletion(portal, player, { given_up: 20_000 })
    expect(Object.keys(all.body.errors)).toEqual(['order', 'delivery'])
    expect((await deletionOf(player)).request).toBe(null)
  })

  test('gives coins up by their number', async () => {
    const player = await aPlayer(portal, { coins: 700 })
    const { status, body } = await requestDeletion(portal, player, { given_up: 700 })
    expect([status, body.given_up]).toEqual([201, 700])
  })

  test('who works for the portal is refused', async () => {
    const support = await anOperator(portal, 'support')
    const otp = appCode(support.secret, 1)
    const refused = await requestDeletion(portal, { ...support, token: support.playerToken }, { otp })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([409, ['role']])
  })

  test('the days until it is due are a setting; requests have their own', async () => {
    const [before, after] = [await aPlayer(portal), await aPlayer(portal)]
    const { body } = await requestDeletion(portal, before)
    await setSetting(portal, 'deletion_days', '7')
    const { body: later } = await requestDeletion(portal, after)
    expect((Date.parse(later.due_at) - Date.parse(later.asked_at)) / DAY_MS).toBeCloseTo(7, 3)
    expect((await deletionOf(before)).request.due_at).toBe(body.due_at)
    expect((await deletionOf(after)).days).toBe(7)
    await setSetting(portal, 'deletion_days', '20')
  })
})

describe('an operator', () => {
  test('lists requests by the moment they are due, by state and by player', async ({ player }) => {
    const id = await aDeletion(portal, player)
    await portal.db.deleteFrom('rate_limit').execute()
    const found = await list(filterOf({ user_id: player.id }))
    expect(found).toMatchObject([
      { id, state: 'waiting', user: { id: player.id, username: player.username }, decided_by: null },
    ])
    const due = (await list(`${filterOf({ state: 'waiting' })}&range=${encodeURIComponent('[0,99]')}`)) as {
      due_at: string
    }[]
    expect(due.length).toBeGreaterThan(2)
    expect(due.map(({ due_at }) => due_at)).toEqual(due.map(({ due_at }) => due_at).toSorted())
    expect(await list(filterOf({ state: 'carried-out' }))).toEqual([])
    const [first, second] = await list(filterOf({ state: 'waiting' }))
    const next = await list(`${filterOf({ state: 'waiting' })}&after=${first.id}`)
    expect(next[0]).toEqual(second)
  })

  test('refuses with words that the player reads, and the player may send another request', async ({
    player,
  }) => {
    await giveVerifiedEmail(portal, player.id, 'tu.choi@example.com')
    const id = await aDeletion(portal, player)
    const message = 'Tài khoản đang có khiếu nại, bạn gửi lại sau nhé.'
    const { status, body } = await act(id, 'refuse', { message })
    expect([status, body.state, body.decided_by]).toEqual([
      200,
      'refused',
      { id: owner.id, username: owner.username },
    ])
    expect((await deletionOf(player)).request).toMatchObject({ state: 'refused', message })
    const [, letter] = await lettersTo(portal, 'tu.choi@example.com')
    expect([letter?.kind, letter?.paragraphs.join(' ')]).toEqual([
      'deletion-refused',
      expect.stringContaining(message),
    ])
    expect((await act(id, 'carry-out')).body.code).toBe('CONFLICT')
    expect((await act(id, 'refuse', { message })).body.code).toBe('CONFLICT')
    expect((await requestDeletion(portal, player)).status).toBe(201)
    expect(await actionsOn(player.id)).toContain('deletion-requests.refuse')
  })

  test('carries out only with fresh proof and while nothing is open; the player gets a mail before', async ({
    player,
  }) => {
    await giveVerifiedEmail(portal, player.id, 'dong.y@example.com')
    const id = await aDeletion(portal, player)
    const other = await anOperatorWithoutProof(portal, 'owner')
    const path = `/api/operator/deletion-requests/${id}/carry-out`
    const stale = await portal.call('POST', path, { token: other.token, body: { reason: 'Theo yêu cầu' } })
    expect([stale.status, stale.body.code]).toEqual([409, 'STEP_UP_REQUIRED'])
    await anOrder(portal, player)
    const refused = await act(id, 'carry-out')
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Chưa thể xóa tài khoản này: còn 1 đơn nạp đang chờ tiền',
    ])
    const shown = await portal.call('GET', `/api/operator/deletion-requests/${id}`, { token: owner.token })
    expect(shown.body.open_matters).toEqual([{ matter: 'order', count: 1 }])
    await portal.db
      .updateTable('payment_order')
      .set({ status: 'expired' })
      .where('user_id', '=', player.id)
      .execute()
    const { status, body } = await act(id, 'carry-out')
    expect([status, body.state]).toEqual([200, 'approved'])
    const letters = await lettersTo(portal, 'dong.y@example.com')
    expect(letters.map(({ kind }) => kind)).toEqual(['deletion-asked', 'deletion-begins'])
    expect(await actionsOn(player.id)).toEqual(['deletion-requests.ask', 'deletion-requests.carry-out'])
    // Until a worker comes, the player may think better of it.
    expect((await withdraw(player)).body.state).toBe('withdrawn')
  })

  test('two operators decide once', async () => {
    const id = await aDeletion(portal)
    const answers = await Promise.all([act(id, 'carry-out'), act(id, 'refuse', { message: 'Chưa được' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

test('lists and the worker read what they show, however many requests there are', async () => {
  const { id } = await aPlayer(portal)
  const planner = await openPlanner(portal)
  await planner.owner.query(
    `INSERT INTO deletion_request (user_id, state, due_at, ended_at)
       SELECT ${id}, 'withdrawn', now() - n * interval '1 minute', now() FROM generate_series(1, 20000) n`,
  )
  await planner.owner.query('VACUUM ANALYZE deletion_request')
  await planner.owner.query(AS_IF_LARGE)
  const read = async (run: () => Promise<unknown>) => mostRowsRead((await planner.plansOf(run)).nodes)
  const page = { order: 'asc', from: 0, to: 24 } as const
  expect(await read(() => listStoredDeletions(planner.db, {}, page))).toBeLessThanOrEqual(25)
  expect(await read(() => listStoredDeletions(planner.db, { state: ['waiting'] }, page))).toBeLessThanOrEqual(
    25,
  )
  expect(await read(() => countStoredDeletions(planner.db, {}))).toBeLessThanOrEqual(10_000)
  expect(await read(() => listDueDeletions(planner.db, () => sql<boolean>`false`, 20))).toBeLessThanOrEqual(5)
  await planner.close()
})
