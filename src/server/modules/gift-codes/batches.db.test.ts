import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { asOwner as withOwner } from '#server/platform/db/owner.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { aPlayer } from '#tests/support/players.ts'
import { fundedBudget } from '#tests/support/promotions.ts'
import { gameTakes } from '#tests/support/rewards.ts'
import { inHours } from '#tests/support/settings.ts'
import { onBudgets } from '#tests/support/budgets.ts'

const portal = useTestApp()
const { owner, second, cashier } = useOperators(portal, {
  owner: 'owner',
  second: 'owner',
  cashier: 'cashier',
})
afterEach(() => expectReconciled(portal))

const reason = 'Sự kiện Tết'
const act = (path: string, body: object, { by = owner, headers = {} } = {}) =>
  portal.call('POST', `/api/operator/gift-code-batches${path}`, {
    token: by.token,
    headers,
    body: { reason, ...body },
  })
const terms = async (change: object = {}) => ({
  title: 'Mã Tết',
  coins: 500,
  budget_id: await fundedBudget(portal, 5_000),
  goods: null,
  starts_at: inHours(-1),
  ends_at: inHours(48),
  codes: 1,
  uses_per_code: 10,
  per_player: 1,
  server_id: null,
  ...change,
})
const made = async (change: object = {}) => {
  const answer = await act('', await terms(change))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return { ...answer.body.batch, codes: (answer.body.csv as string).trim().split('\r\n') }
}
const approve = (id: string) =>
  portal.call('POST', `/api/operator/proposals/${id}/approve`, { token: second.token, body: { reason } })
const redeem = async (code: string | undefined) =>
  portal.call('POST', '/api/gift-codes/redeem', {
    token: (await aPlayer(portal, { isActivated: true })).token,
    body: { code },
  })
const budgets = async (id: string) =>
  (await portal.call('GET', `/api/operator/budgets?filter={"id":"${id}"}`, { token: owner.token })).body[0]
const list = (path: string, filter: object) =>
  portal.call('GET', `/api/operator/${path}?filter=${JSON.stringify(filter)}`, { token: owner.token })

const running = async (change: object = {}) => {
  const batch = await made(change)
  const waiting = await act(`/${batch.id}/start`, {})
  expect(waiting.status, JSON.stringify(waiting.body)).toBe(202)
  expect((await approve(waiting.body.proposal.id)).status).toBe(200)
  return batch
}

describe('a batch', () => {
  test('gives nothing until another owner agrees; its whole cost is held then, and goes back at the stop', async () => {
    const { id, budget_id, codes } = await made()
    expect((await redeem(codes[0])).body.code).toBe('CODE_INVALID')
    const waiting = await act(`/${id}/start`, {})
    expect(waiting).toMatchObject({
      status: 202,
      body: { proposal: { kind: 'gift-codes', subject: id, subject_name: 'Mã Tết' } },
    })
    expect(await budgets(budget_id)).toMatchObject({ balance: 5_000, held: 0 })
    expect((await approve(waiting.body.proposal.id)).status).toBe(200)
    expect(await budgets(budget_id)).toMatchObject({ balance: 0, held: 5_000, given: 0 })
    expect((await redeem(codes[0])).status).toBe(200)
    expect(await budgets(budget_id)).toMatchObject({ balance: 0, held: 4_500, given: 500 })
    expect((await list('gift-code-batches', { id })).body).toMatchObject([
      { state: 'running', uses: 1, held: 4_500 },
    ])
    expect((await list('gift-code-uses', { batch_id: id })).body).toMatchObject([
      { batch_id: id, user: { username: expect.any(String) }, delivery: null },
    ])
    expect((await act(`/${id}/stop`, {})).body).toMatchObject({ state: 'stopped', held: 0, uses: 1 })
    expect(await budgets(budget_id)).toMatchObject({ balance: 4_500, held: 0, given: 500 })
    expect((await redeem(codes[0])).body.code).toBe('CODE_ENDED')
    expect((await act(`/${id}/stop`, {})).body.code).toBe('CONFLICT')
    expect((await act(`/${id}/start`, {})).body.code).toBe('CONFLICT')
  })

  test('shows its codes once, and stores none of them', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = await terms({ codes: 200, uses_per_code: 1, coins: 1 })
    const first = await act('', body, { headers })
    const codes: string[] = first.body.csv.trim().split('\r\n')
    expect(new Set(codes).size).toBe(200)
    expect(codes[0]).toMatch(/^[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}-[A-HJKMNP-Z2-9]{4}$/)
    const again = await act('', body, { headers })
    expect(again.body).toEqual({ batch: first.body.batch, csv: null, proposal: null })
    const plain = codes[0]?.replaceAll('-', '') ?? ''
    const rows = await portal.db.selectFrom('idempotency_key').select('response').execute()
    const trail = await portal.db.selectFrom('audit_log').select('details').execute()
    for (const stored of [rows, trail]) {
      expect(JSON.stringify(stored)).not.toContain(codes[0])
      expect(JSON.stringify(stored)).not.toContain(plain)
    }
  })

  test('shows no codes but those that it made: of two calls with one key at once one has them', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const body = await terms({ codes: 3, uses_per_code: 1, coins: 1 })
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_locks l JOIN pg_stat_activity a USING (pid)
         WHERE NOT l.granted AND a.datname = current_database()`.execute(portal.db)
      return rows[0]?.count
    }
    const answers = await withOwner(portal.ownerUrl, async (holder) => {
      await holder.query('BEGIN; LOCK TABLE gift_code_batch IN EXCLUSIVE MODE')
      const both = Promise.all([act('', body, { headers }), act('', body, { headers })])
      await expect.poll(waiting).toBe(2)
      await holder.query('COMMIT')
      return both
    })
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0].body.batch).toEqual(answers[1].body.batch)
    expect(answers.filter((answer) => answer.body.csv !== null)).toHaveLength(1)
  })

  test('is not started when its budget holds less than its cost, now or when it is approved', async () => {
    const poor = await made({ uses_per_code: 11 })
    expect((await act(`/${poor.id}/start`, {})).body).toMatchObject({ code: 'CONFLICT' })
    const { id, budget_id } = await made()
    const waiting = await act(`/${id}/start`, {})
    expect((await onBudgets(portal, owner, `/${budget_id}/fund`, { amount: -1 })).status).toBe(200)
    expect((await approve(waiting.body.proposal.id)).body.code).toBe('CONFLICT')
    expect((await list('gift-code-batches', { id })).body).toMatchObject([{ state: 'planned', held: 0 }])
  })

  test('is not started after its end', async () => {
    const { id } = await made()
    await asOwner(
      portal,
      `UPDATE gift_code_batch SET starts_at = now() - interval '2 hours', ends_at = now() - interval '1 second'
        WHERE id = $1`,
      [id],
    )
    expect((await act(`/${id}/start`, {})).body).toMatchObject({
      code: 'CONFLICT',
      message: 'Thời gian của đợt mã này đã qua hết',
    })
  })

  test('of two that cost what a budget holds, one is started', async () => {
    const budget_id = await fundedBudget(portal, 5_000)
    const batches = [await made({ budget_id }), await made({ budget_id, title: 'Mã thứ hai' })]
    const waiting = await Promise.all(batches.map(({ id }) => act(`/${id}/start`, {})))
    const decided = await Promise.all(waiting.map(({ body }) => approve(body.proposal.id)))
    expect(decided.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await budgets(budget_id)).toMatchObject({ balance: 0, held: 5_000 })
  })

  test('of goods costs no TCoin, is started once, and shows who got which delivery', async () => {
    await gameTakes(portal, { pet: 1 })
    const goods = [{ kind: 'item', code: 'pet', quantity: 1, days: 7 }]
    const batch = await running({ coins: null, budget_id: null, goods })
    expect((await act(`/${batch.id}/start`, {})).body.code).toBe('CONFLICT')
    const player = await aPlayer(portal, { isActivated: true })
    const { body } = await portal.call('GET', '/api/exchange', player)
    const redeemed = await portal.call('POST', '/api/gift-codes/redeem', {
      token: player.token,
      body: { code: batch.codes[0], character_id: body.characters[0].id },
    })
    expect(redeemed.status).toBe(200)
    expect((await list('gift-code-uses', { user_id: player.id })).body).toMatchObject([
      { delivery: { id: redeemed.body.delivery.id, state: expect.any(String) } },
    ])
  })

  test.for([
    [{ coins: null }, 'coins'],
    [{ goods: [{ kind: 'luong', quantity: 1 }] }, 'coins'],
    [{ budget_id: null }, 'budget_id'],
    [{ coins: null, goods: [{ kind: 'luong', quantity: 1 }] }, 'budget_id'],
    [{ budget_id: '999999' }, 'budget_id'],
    [{ coins: null, budget_id: null, goods: [] }, 'goods'],
    [{ codes: 2, uses_per_code: 2 }, 'uses_per_code'],
    [{ codes: 10_001, uses_per_code: 1 }, 'codes'],
    [{ per_player: 0 }, 'per_player'],
    [{ server_id: 'missing' }, 'server_id'],
    [{ ends_at: inHours(-2) }, 'ends_at'],
    [{ starts_at: inHours(-3), ends_at: inHours(-1) }, 'ends_at'],
    [{ title: '' }, 'title'],
  ] as const)('with %o is refused beside %s', async ([change, field]) => {
    const answer = await act('', await terms(change))
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toContain(field)
  })

  test('is for those who may change prices', async () => {
    expect((await act('', await terms(), { by: cashier })).status).toBe(403)
  })
})
