import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aBuyer, makeDue, workOnce, rowOf, buyLuongFor, luongOf } from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { eraseOldAttempts } from './worker.service.ts'

const portal = useTestApp()
const { cashier } = useOperators(portal, { cashier: 'cashier' })

const BASE = '/api/operator/deliveries'
const reason = 'Người chơi báo chưa nhận được'

const act = (id: string, what: string, body: object = { reason }) =>
  portal.call('POST', `${BASE}/${id}/${what}`, { token: cashier.token, body })

async function list(query: Record<string, unknown>) {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, JSON.stringify(value)] as [string, string]),
  )
  const answer = await portal.call('GET', `${BASE}?${search}`, { token: cashier.token })
  const ids = Array.isArray(answer.body) ? answer.body.map(({ id }: { id: string }) => id) : []
  return { ...answer, ids, range: answer.headers['content-range'] }
}

const park = (id: string) => asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [id])

const actionsOn = (id: string) => trailRows(portal, { id })

afterEach(() => expectReconciled(portal))

const get = async (path: string) =>
  (await portal.call('GET', `/api/operator${path}`, { token: cashier.token })).body

const post = (path: string, body: object = { reason }, key: string = randomUUID()) =>
  portal.call('POST', `${BASE}/${path}`, {
    token: cashier.token,
    body,
    headers: { 'idempotency-key': key },
  })

const withGame = (game: Partial<GameBridge>) => ({ ...portal.deps, game: { ...portal.deps.game, ...game } })

const silent = () =>
  withGame({ deliver: async () => ({ kind: 'unknown', cause: 'HTTP 500 \u0000 sau 10 s' }) as const })

describe('the calls to the game about a delivery', () => {
  test('are stored attempt by attempt, the newest first', async () => {
    const { id, character } = await aBuyer(portal)
    await workOnce(silent())
    await makeDue(portal)
    await workOnce(portal.deps)
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect(await get(`/deliveries/${id}/attempts`)).toMatchObject([
      { asked: 'deliver', answer: 'applied', note: null, operator: null },
      { asked: 'status', answer: 'not-applied', operator: null },
      { asked: 'deliver', answer: 'unknown', note: 'HTTP 500  sau 10 s', operator: null },
    ])
  })

  test('costs one statement, after the outcome', async () => {
    const { id } = await aBuyer(portal)
    const sent = await statementsOf(() => workOnce(portal.deps))
    const at = (pattern: RegExp) => sent.flatMap((sql, place) => (pattern.test(sql) ? [place] : []))
    expect(at(/delivery_attempt/)).toHaveLength(1)
    expect(at(/delivery_attempt/)[0]).toBeGreaterThan(at(/^commit/i).at(-1) ?? Infinity)
    expect((await rowOf(portal, id)).state).toBe('delivered')
  })

  test('change nothing about the outcome when they cannot be stored', async () => {
    const { id, character } = await aBuyer(portal)
    await asOwner(portal, 'ALTER TABLE delivery_attempt ADD CONSTRAINT nothing CHECK (false) NOT VALID', [])
    try {
      await workOnce(portal.deps)
      expect((await rowOf(portal, id)).state).toBe('delivered')
      expect(await luongOf(portal.db, character)).toBe(3_300)
      expect(await get(`/deliveries/${id}/attempts`)).toEqual([])
    } finally {
      await asOwner(portal, 'ALTER TABLE delivery_attempt DROP CONSTRAINT nothing', [])
    }
  })

  test('is at most 200 rows of one delivery, and none after 90 days', async () => {
    const { id } = await aBuyer(portal)
    await asOwner(
      portal,
      `INSERT INTO delivery_attempt (delivery_id, asked, answer, took_ms, asked_at)
       SELECT $1, 'deliver', 'unknown', n, now() - interval '91 days' FROM generate_series(1, 300) n`,
      [id],
    )
    await workOnce(portal.deps)
    const attempts = await get(`/deliveries/${id}/attempts`)
    expect([attempts.length, attempts[0].answer, attempts[1].took_ms, attempts.at(-1).took_ms]).toEqual([
      200,
      'applied',
      300,
      102,
    ])
    expect(await eraseOldAttempts(portal.deps)).toBe(true)
    expect(await get(`/deliveries/${id}/attempts`)).toHaveLength(1)
  })
})

describe('an operator', () => {
  test('queries the game about a delivery, which changes nothing and is in the audit trail', async () => {
    const { id } = await aBuyer(portal)
    const key = randomUUID()
    expect((await post(`${id}/ask`, { reason }, key)).body).toEqual({ known: 'not-applied' })
    await workOnce(portal.deps)
    // A repeat gets the first answer.
    expect((await post(`${id}/ask`, { reason }, key)).body).toEqual({ known: 'not-applied' })
    expect((await post(`${id}/ask`)).body).toEqual({ known: 'applied' })
    const attempts = await get(`/deliveries/${id}/attempts`)
    expect(attempts[0]).toMatchObject({ asked: 'status', answer: 'applied', operator: { id: cashier.id } })
    expect(await actionsOn(id)).toMatchObject([
      { action: 'deliveries.ask', reason },
      { action: 'deliveries.ask', reason },
    ])
    expect((await post(`${randomUUID()}/ask`)).status).toBe(404)
  })

  test('sends several again at once, and gets the result of each', async () => {
    const [parked, other] = [await aBuyer(portal), await aBuyer(portal)]
    await asOwner(portal, `UPDATE delivery SET state = 'parked' WHERE id = $1`, [parked.id])
    const nobody = randomUUID()
    const key = randomUUID()
    const ids = [parked.id, other.id, nobody]
    const first = await post('retry', { ids, reason }, key)
    expect(first.body.results).toEqual([
      { id: parked.id, status: 'done' },
      {
        id: other.id,
        status: 'refused',
        code: 'CONFLICT',
        message: expect.stringMatching(/đang chờ người vận hành/),
      },
      { id: nobody, status: 'refused', code: 'NOT_FOUND', message: expect.any(String) },
    ])
    expect((await post('retry', { ids, reason }, key)).body).toEqual(first.body)
    expect((await rowOf(portal, parked.id)).state).toBe('unknown')
    await makeDue(portal)
    await workOnce(portal.deps)
    expect(await luongOf(portal.db, parked.character)).toBe(3_300)
    expect((await post('retry', { ids: Array.from({ length: 51 }, randomUUID), reason })).status).toBe(422)
    expect((await post('retry', { ids: [], reason })).status).toBe(422)
    expect((await post('retry', { ids: ['x'], reason })).status).toBe(422)
  })

  test('sees whether the game answers, and what waits for it', async () => {
    const fresh = await get('/game-bridge')
    expect(fresh).toMatchObject({ breaker: 'closed', queue: { pending: 0, parked: 0 }, oldest_at: null })
    expect(fresh.last_answered_at).not.toBeNull()
    await aBuyer(portal)
    for (let count = 0; count < 5; count++) {
      await makeDue(portal)
      await workOnce(silent())
    }
    // The status is queried and answered each time; what counts is the delivery.
    expect(await get('/game-bridge')).toMatchObject({ breaker: 'open', queue: { unknown: 1 } })
    expect((await get('/game-bridge')).oldest_at).not.toBeNull()
    await makeDue(portal)
    await workOnce(portal.deps)
    expect((await get('/game-bridge')).breaker).toBe('closed')
  })
})

describe('the list', () => {
  test('shows deliveries by age, filtered by state, openness, player and age, a range at a time', async () => {
    const { player, character, id: first } = await aBuyer(portal, 30_000)
    await workOnce(portal.deps)
    const second = await buyLuongFor(portal, { player, character })
    const third = await buyLuongFor(portal, { player, character })
    await park(third)
    const mine = { user_id: player.id }
    const all = await list({ filter: mine })
    expect([all.ids, all.range]).toEqual([[first, second, third], 'deliveries 0-2/3'])
    expect(all.body[0]).toMatchObject({
      kind: 'exchange',
      user_id: player.id,
      account: player.username,
      amount: 10_000,
      state: 'delivered',
      attempt: 1,
    })
    expect((await list({ filter: mine, sort: ['created_at', 'DESC'], range: [0, 1] })).ids).toEqual([
      third,
      second,
    ])
    expect((await list({ filter: mine, range: [1, 1] })).range).toBe('deliveries 1-1/3')
    expect((await list({ filter: { ...mine, state: 'parked' } })).ids).toEqual([third])
    expect((await list({ filter: { user: player.username } })).ids).toEqual([first, second, third])
    expect((await list({ filter: { user: 'khongcoai' } })).ids).toEqual([])
    expect((await list({ filter: { user: player.username, user_id: '999999' } })).ids).toEqual([])
    expect((await list({ filter: { ...mine, open: true } })).ids).toEqual([second, third])
    expect((await list({ filter: { id: [first, third] } })).ids).toEqual([first, third])
    await asOwner(portal, `UPDATE delivery SET created_at = now() - interval '10 minutes' WHERE id = $1`, [
      second,
    ])
    expect((await list({ filter: { ...mine, older_than_seconds: 300 } })).ids).toEqual([second])
    const one = await portal.call('GET', `${BASE}/${third}`, { token: cashier.token })
    expect(one.body).toEqual(all.body[2] && { ...all.body[2], state: 'parked' })
  })

  test.each<[string, Record<string, unknown>]>([
    ['a state there is not', { filter: { state: 'lost' } }],
    ['openness that is no yes', { filter: { open: false } }],
    ['a player by name', { filter: { user_id: 'hoangtuan' } }],
    ['an age before all time', { filter: { older_than_seconds: -1 } }],
    ['an id of another form', { filter: { id: ["'; --"] } }],
    ['a column that is not sorted by', { sort: ['amount', 'ASC'] }],
    ['rows that lie too deep', { range: [10_000, 10_010] }],
  ])('refuses %s', async (_, query) => {
    expect((await list(query)).status).toBe(422)
  })
})

describe('an operator’s act', () => {
  test('refunds: the game is made to refuse it, and a repeat is no second refund', async () => {
    const { player, character, id } = await aBuyer(portal)
    const first = await act(id, 'refund')
    expect([first.status, first.body.state]).toEqual([200, 'refunded'])
    expect((await act(id, 'refund')).body).toEqual(first.body)
    await workOnce(portal.deps)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    expect(await luongOf(portal.db, character)).toBe(0)
    expect(await actionsOn(id)).toEqual([
      expect.objectContaining({
        action: 'deliveries.refund',
        actor_id: cashier.id,
        reason,
        details: { before: 'pending', after: 'refunded', amount: 10_000 },
      }),
    ])
    await expectReconciled(portal)
  })

  test('is done once for its key: the repeat is answered alike, another delivery under it is not queried', async () => {
    const { player, id } = await aBuyer(portal)
    const other = await aBuyer(portal)
    const key = randomUUID()
    const refund = (of: string) =>
      portal.call('POST', `${BASE}/${of}/refund`, {
        token: cashier.token,
        headers: { 'idempotency-key': key },
        body: { reason },
      })
    const first = await refund(id)
    expect((await refund(id)).body).toEqual(first.body)
    expect((await refund(other.id)).body.code).toBe('KEY_REUSED')
    expect(await portal.deps.game.deliveryStatus(other.id)).toBe('unknown')
    expect(await actionsOn(id)).toHaveLength(1)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    await act(other.id, 'refund')
  })

  test('sends a parked one again, and nothing that is not parked', async () => {
    const { character, id } = await aBuyer(portal)
    expect((await act(id, 'retry')).status).toBe(409)
    await park(id)
    expect((await act(id, 'retry')).body.state).toBe('unknown')
    await makeDue(portal)
    await workOnce(portal.deps)
    expect(await luongOf(portal.db, character)).toBe(3_300)
    expect((await actionsOn(id)).map(({ action }) => action)).toEqual(['deliveries.retry'])
  })

  test('marks a parked one as delivered, with its evidence, when the game confirms it', async () => {
    const { player, character, id } = await aBuyer(portal)
    const evidence = 'Ảnh chụp túi đồ của nhân vật'
    const settle = () => act(id, 'settle', { reason, evidence })
    const game = portal.deps.game
    // The game knows the id with other goods, so its own repeat is a conflict.
    const goods = [{ kind: 'yen', quantity: 5 }] as const
    await game.deliver({ id, serverId: '1', account: player.username, characterId: character, goods })
    expect((await settle()).status).toBe(409)
    await workOnce(portal.deps)
    expect((await settle()).body.state).toBe('delivered')
    expect((await settle()).status).toBe(200)
    expect(await actionsOn(id)).toMatchObject([{ action: 'deliveries.settle', details: { evidence } }])
    expect(await balanceOf(portal.db, player.walletId)).toBe(0)
    await expectReconciled(portal)
  })

  test('marks nothing as delivered that the game never applied, or cancelled', async () => {
    const { id } = await aBuyer(portal)
    await park(id)
    const settle = () => act(id, 'settle', { reason, evidence: 'Lời kể của người chơi' })
    expect((await settle()).body.message).toContain('chưa từng giao')
    await portal.deps.game.cancel(id)
    expect((await settle()).body.message).toContain('đã hủy')
    expect(await actionsOn(id)).toEqual([])
    expect((await act(id, 'refund')).body.state).toBe('refunded')
  })

  test('needs its reason, and a delivery', async () => {
    const { id } = await aBuyer(portal)
    for (const body of [{}, { reason: ' x ' }, { reason: 'x'.repeat(501) }, { reason: 'a\u0000bc' }])
      expect((await act(id, 'refund', body)).status, JSON.stringify(body)).toBe(422)
    expect((await act(id, 'settle')).status).toBe(422)
    for (const what of ['retry', 'refund', 'settle']) {
      const body = { reason, evidence: reason }
      expect((await act(randomUUID(), what, body)).status).toBe(404)
      expect((await act('x', what, body)).status).toBe(404)
    }
    expect((await portal.call('GET', `${BASE}/x`, { token: cashier.token })).status).toBe(404)
    await act(id, 'refund')
  })
})
