import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { startTestApp, useTestApp } from '#tests/support/app.ts'
import { aBuyer, makeDue, workOnce, buyLuongFor, luongOf } from '#tests/support/purchases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { balanceOf, expectReconciled } from '#tests/support/ledger.ts'
import type { DeliveryFilter } from './operator.queries.ts'
import { listOperatorDeliveries } from './operator.service.ts'

const portal = useTestApp()
let cashier: TestOperator
beforeAll(async () => {
  cashier = await anOperator(portal, 'cashier')
})

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

const actionsOn = (id: string) =>
  portal.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'reason', 'details'])
    .where('subject_id', '=', id)
    .orderBy('seq')
    .execute()

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

  test('reads by index, whatever it is filtered by, among very many', async () => {
    const crowded = await startTestApp()
    const [player, whale] = [await aPlayer(crowded), await aPlayer(crowded)]
    const owner = new pg.Client({ connectionString: crowded.ownerUrl })
    await owner.connect()
    // All states are there, open ones rarely.
    await owner.query(
      `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods,
                             state, created_at, settled_at)
       SELECT gen_random_uuid(), 'exchange', CASE WHEN n % 500 = 0 THEN $1::bigint ELSE $2::bigint END, 1, '1', 'x', 'c' || n, 'x',
              '[]', CASE WHEN n % 400 = 0 THEN 'parked' ELSE 'delivered' END, now() - n * interval '1 minute',
              CASE WHEN n % 400 = 0 THEN NULL ELSE now() END
         FROM generate_series(1, 20000) n`,
      [player.id, whale.id],
    )
    await owner.query('ANALYZE delivery')
    const sent: CompiledQuery[] = []
    const pool = new pg.Pool({ connectionString: crowded.appUrl, max: 1 })
    const db = new Kysely<DB>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void sent.push(query),
    })
    const page = { order: 'desc', from: 0, to: 24 } as const
    const filters: DeliveryFilter[] = [
      {},
      { state: 'parked' },
      { state: 'delivered' },
      { open: true },
      { user_id: player.id },
      { user_id: whale.id },
      { older_than_seconds: 600 },
    ]
    for (const filter of filters) {
      sent.length = 0
      const { rows, total } = await listOperatorDeliveries(db, filter, page)
      const [asked] = sent
      expect(rows).toHaveLength(25)
      expect(typeof total === 'number' ? total : await total()).toBeLessThanOrEqual(10_000)
      const plan = await owner.query(`EXPLAIN ${asked!.sql}`, [...asked!.parameters])
      const text = plan.rows.map((row) => row['QUERY PLAN'] as string).join('\n')
      // The page's own rows are put in order once more; nothing else is sorted.
      expect(text, JSON.stringify(filter)).not.toMatch(/Seq Scan|(?:^|-> +)Sort +\((?!\S+ rows=25 )/m)
    }
    await db.destroy()
    await owner.end()
    await crowded.close()
  })
})

describe('an operator’s act', () => {
  test('refunds: the game is made to refuse it, and asking again is no second refund', async () => {
    const { player, character, id } = await aBuyer(portal)
    const first = await act(id, 'refund')
    expect([first.status, first.body.state]).toEqual([200, 'refunded'])
    expect((await act(id, 'refund')).body).toEqual(first.body)
    expect(await balanceOf(portal.db, player.walletId)).toBe(10_000)
    expect(await luongOf(portal.db, character)).toBe(0)
    expect(await actionsOn(id)).toEqual([
      { action: 'deliveries.refund', actor_id: cashier.id, reason, details: expect.anything() },
    ])
    await expectReconciled(portal)
  })

  test('is done once for its key: the repeat is answered alike, another delivery under it is not asked about', async () => {
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

  test('marks a parked one as delivered, with its evidence, when the game too says so', async () => {
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
