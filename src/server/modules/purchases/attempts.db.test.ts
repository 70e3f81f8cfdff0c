import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aBuyer, makeDue, rowOf, workOnce, luongOf } from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { eraseOldAttempts } from './attempts.service.ts'

const portal = useTestApp()
let cashier: TestOperator
beforeAll(async () => {
  cashier = await anOperator(portal, 'cashier')
})
afterEach(() => expectReconciled(portal))

const BASE = '/api/operator/deliveries'
const reason = 'Người chơi báo chưa nhận được'

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

describe('what the game was asked about a delivery', () => {
  test('is kept attempt by attempt, the newest first', async () => {
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

  test('changes nothing about the outcome when it cannot be kept', async () => {
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
    const kept = await get(`/deliveries/${id}/attempts`)
    expect([kept.length, kept[0].answer, kept[1].took_ms, kept.at(-1).took_ms]).toEqual([
      200,
      'applied',
      300,
      102,
    ])
    expect(await eraseOldAttempts(portal.deps)).toBe(false)
    expect(await get(`/deliveries/${id}/attempts`)).toHaveLength(1)
  })
})

describe('an operator', () => {
  test('asks the game about a delivery, which changes nothing and is written down', async () => {
    const { id } = await aBuyer(portal)
    const key = randomUUID()
    expect((await post(`${id}/ask`, { reason }, key)).body).toEqual({ known: 'not-applied' })
    await workOnce(portal.deps)
    // A repeat gets the first answer.
    expect((await post(`${id}/ask`, { reason }, key)).body).toEqual({ known: 'not-applied' })
    expect((await post(`${id}/ask`)).body).toEqual({ known: 'applied' })
    const kept = await get(`/deliveries/${id}/attempts`)
    expect(kept[0]).toMatchObject({ asked: 'status', answer: 'applied', operator: { id: cashier.id } })
    const audited = await portal.db
      .selectFrom('audit_log')
      .select(['action', 'reason'])
      .where('subject_id', '=', id)
      .execute()
    expect(audited).toEqual([
      { action: 'deliveries.ask', reason },
      { action: 'deliveries.ask', reason },
    ])
    expect((await post(`${randomUUID()}/ask`)).status).toBe(404)
  })

  test('sends several again at once, and hears of each', async () => {
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
    // The status is asked and answered each time; what counts is the delivery.
    expect(await get('/game-bridge')).toMatchObject({ breaker: 'open', queue: { unknown: 1 } })
    expect((await get('/game-bridge')).oldest_at).not.toBeNull()
    await makeDue(portal)
    await workOnce(portal.deps)
    expect((await get('/game-bridge')).breaker).toBe('closed')
  })
})
