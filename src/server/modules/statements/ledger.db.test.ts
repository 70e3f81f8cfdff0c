import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { Db } from '#server/platform/db/database.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aBuyer, workOnce } from '#tests/support/purchases.ts'
import { AS_IF_LARGE, mostRowsRead, openPlanner, type Planner } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { listLedger, type LedgerFilter } from './ledger.queries.ts'

const portal = useTestApp()
const { cashier } = useOperators(portal, { cashier: 'cashier' })

const read = (path: string) => portal.call('GET', `/api/operator${path}`, { token: cashier.token })
const list = (filter: object, more = '') =>
  read(`/ledger-transfers?filter=${encodeURIComponent(JSON.stringify(filter))}${more}`)

describe('the ledger as operators read it', () => {
  let player: TestPlayer
  let deliveryId: string
  beforeAll(async () => {
    ;({ player, id: deliveryId } = await aBuyer(portal, 30_000))
    await aBuyer(portal)
    await workOnce(portal.deps)
  })

  test('is filtered by player, kind, source, amount and day, and goes on behind a row', async () => {
    const own = await list({ user: player.username })
    expect(own.body.map(({ kind }: { kind: string }) => kind)).toContain('exchange_hold')
    expect(own.headers['content-range']).toBe(`ledger-transfers 0-${own.body.length - 1}/${own.body.length}`)
    const of = await list({ source: `delivery:${deliveryId}` })
    expect(of.body).toMatchObject([
      {
        kind: 'exchange_settle',
        amount: 10_000,
        debit: { kind: 'delivery_hold', user: null },
        credit: { kind: 'house_revenue' },
      },
      { kind: 'exchange_hold', debit: { kind: 'user_wallet', user: { id: player.id } } },
    ])
    const hold = of.body[1]
    expect((await list({ user: player.username, kind: 'exchange_hold', amount: 10_000 })).body).toEqual([
      hold,
    ])
    expect((await list({ user: player.username, source: `delivery:${deliveryId}` })).body).toEqual([hold])
    expect((await list({ id: hold.id })).body).toEqual([hold])
    const day = new Date(Date.parse(hold.created_at) + 7 * 3_600_000).toISOString().slice(0, 10)
    expect((await list({ user: player.username, from: day, to: day })).body).toEqual(own.body)
    expect((await list({ user: player.username, to: '2020-01-01' })).body).toEqual([])
    expect((await list({ user: 'khongcoai' })).body).toEqual([])
    const all = await list({})
    const [first, second] = all.body
    expect((await list({}, `&after=${first.id}&range=[0,0]`)).body).toEqual([second])
    expect((await list({ user: player.username }, `&after=${own.body[0].id}&range=[0,0]`)).body).toEqual([
      own.body[1],
    ])
    for (const wrong of [{ source: 'delivery' }, { kind: 'x' }, { amount: 0 }, { from: 'hôm qua' }])
      expect((await list(wrong)).status, JSON.stringify(wrong)).toBe(422)
  })

  test('shows both balances of one movement', async () => {
    const [hold] = (await list({ user: player.username, kind: 'exchange_hold' })).body
    const { body } = await read(`/ledger-transfers/${hold.id}`)
    expect(body).toMatchObject({ ...hold, reverses_id: null, reversed_by: null, operator: null })
    expect(body.entries).toEqual([
      {
        account_id: hold.debit.id,
        stripe: null,
        whole_balance: null,
        amount: -10_000,
        balance_before: 30_000,
        balance_after: 20_000,
      },
      expect.objectContaining({ account_id: hold.credit.id, amount: 10_000 }),
    ])
    const { entries } = (await read(`/ledger-transfers/${hold.id}`)).body
    const held = await portal.db
      .selectFrom('ledger_account')
      .select(['id', 'stripe', 'balance'])
      .where('kind', '=', 'delivery_hold')
      .execute()
    expect(entries[1]).toMatchObject({
      stripe: held.find(({ id }) => id === hold.credit.id)?.stripe,
      whole_balance: held.reduce((sum, { balance }) => sum + Number(balance), 0),
    })
    expect((await read('/ledger-transfers/999999999')).status).toBe(404)
  })
})

describe('among very many movements', () => {
  const ROWS = 30_000
  const PAGE = 25
  let planner: Planner
  let db: Db
  let accountId: string
  beforeAll(async () => {
    accountId = (await aPlayer(portal)).walletId
    planner = await openPlanner(portal)
    db = planner.db
    // Past the triggers: these movements only have to be many.
    await planner.owner.query('SET session_replication_role = replica')
    await planner.owner.query(`INSERT INTO ledger_transfer
        (kind, debit_account, credit_account, amount, source_type, source_id, created_at)
      SELECT CASE WHEN n % 100 = 0 THEN 'adjustment' ELSE 'recharge' END, 9000000000000007, ${accountId},
          1000 * (n % 50 + 1), 'many', n::text, now() - n * interval '1 min' FROM generate_series(1, ${ROWS}) n`)
    await planner.owner.query(`INSERT INTO ledger_entry
        (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
      SELECT ${accountId}, 1000000 - source_id::bigint, id, kind, amount, 0, amount, created_at
        FROM ledger_transfer WHERE source_type = 'many'`)
    await planner.owner.query('VACUUM ANALYZE ledger_transfer')
    await planner.owner.query('VACUUM ANALYZE ledger_entry')
    await planner.owner.query(AS_IF_LARGE)
  })
  afterAll(() => planner.close())

  const LITTLE = 4 * PAGE
  const filters = (): [what: string, LedgerFilter, rowsMax?: number][] => [
    ['everything', {}],
    ['a kind', { kind: 'adjustment' }],
    ['an amount', { amount: 7_000 }],
    ['a source', { source: 'many:77' }],
    ['a time', { from: new Date(Date.now() - 86_400_000 * 10), before: new Date() }],
    ['a wallet', { accountId }],
    ['a kind in a wallet', { accountId, kind: 'adjustment' }],
    // What came in and what went out are put in order together: all of the wallet’s rows of this amount.
    ['an amount in a wallet', { accountId, amount: 7_000 }, (3 * ROWS) / 50],
  ]

  test('the first page and one behind a row read little more than they show', async () => {
    for (const [what, filter, rowsMax = LITTLE] of filters()) {
      const page = { order: 'desc', from: 0, to: PAGE - 1 } as const
      let rows = await listLedger(db, filter, page)
      const first = await planner.plansOf(() => listLedger(db, filter, page))
      expect(mostRowsRead(first.nodes), what).toBeLessThanOrEqual(rowsMax)
      if (rows.length < PAGE) continue
      const after = rows.at(-1)?.id
      const next = await planner.plansOf(async () => {
        rows = await listLedger(db, filter, { ...page, after })
      })
      expect(rows).toHaveLength(PAGE)
      expect(mostRowsRead(next.nodes), `${what}, behind a row`).toBeLessThanOrEqual(rowsMax)
    }
  })

  test('the last page within reach passes over an index', async () => {
    const page = { order: 'desc', from: LIST_REACH_MAX - PAGE, to: LIST_REACH_MAX - 1 } as const
    const { nodes } = await planner.plansOf(() => listLedger(db, {}, page))
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(LIST_REACH_MAX)
  })
})
