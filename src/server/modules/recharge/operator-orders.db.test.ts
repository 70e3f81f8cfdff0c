import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatNumber } from '#contract/format.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import { PART_ROWS } from '#server/platform/http/list.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { ageOrder, aNotification, anOrder, deliver, openAccounts } from '#tests/support/bank.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, mostRows, openPlanner, readWhole, type Planner } from '#tests/support/plans.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { lastTrailRow, trailRows } from '#tests/support/trail-rows.ts'
import {
  countStoredOrders,
  listStoredOrders,
  type OrderFilter,
  selectOrderNotes,
} from './operator-orders.queries.ts'

/** More than a list reaches, and than one file once held. */
const MANY = 51_000

const portal = useTestApp()
const { support } = useOperators(portal, { support: 'support' })
let player: TestPlayer
let codes: { paid: string; acb: string; pending: string }

beforeAll(async () => {
  await openAccounts(portal)
  player = await aPlayer(portal)
  const paid = (await anOrder(portal, player)).code
  await deliver(portal, aNotification({ content: paid }))
  const acb = (await anOrder(portal, player, { channel: 3, amount: 70_000 })).code
  codes = { paid, acb, pending: (await anOrder(portal, await aPlayer(portal))).code }
})

const call = (path: string) =>
  portal.call('GET', `/api/operator/recharge-orders${path}`, { token: support.token })

const found = async (filter: object, query = '') => {
  const { body } = await call(`?filter=${encodeURIComponent(JSON.stringify(filter))}${query}`)
  return (body as { code: string }[]).map(({ code }) => code)
}

test('operators see all orders, in the order they were made, with whose they are', async () => {
  const { body, headers } = await call('')
  expect(headers['content-range']).toBe('recharge-orders 0-2/3')
  expect(body).toMatchObject([
    {
      id: codes.paid,
      code: codes.paid,
      user: { id: player.id, username: player.username },
      channel: 2,
      amount: 50_000,
      rate: 1,
      credited: 50_000,
      status: 'paid',
    },
    { code: codes.acb, paid_at: null },
    { code: codes.pending, status: 'pending' },
  ])
})

test('narrowed by status, channel, user, code and amount', async () => {
  expect(await found({ status: 'paid' })).toEqual([codes.paid])
  expect(await found({ channel: 3 })).toEqual([codes.acb])
  expect(await found({ user: player.username.toUpperCase() })).toEqual([codes.paid, codes.acb])
  expect(await found({ user: 'khongcoai' })).toEqual([])
  expect(await found({ code: codes.acb.toLowerCase() })).toEqual([codes.acb])
  expect(await found({ amount: 50_000, status: 'pending' })).toEqual([codes.pending])
  expect(await found({}, '&sort=["id","DESC"]&range=[0,0]')).toEqual([codes.pending])
})

test.each([{ status: 'x' }, { channel: 'acb' }, { user: 5 }, { code: 5 }, { amount: -1 }, { memo: 'x' }])(
  'not by %o',
  async (filter) => {
    const answer = await call(`?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['filter']])
  },
)

test('as a file, with the same filter, and a row in the audit trail', async () => {
  const query = `.csv?filter=${encodeURIComponent(JSON.stringify({ status: 'paid' }))}`
  const { status, headers, body } = await call(query)
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  const lines = String(body).trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\ufeffMã đơn,Người chơi,/)
  // In the words and by the clock of the screen.
  const [code, , channel, , , status_, createdAt] = (lines[1] ?? '').split(',')
  expect([code, channel, status_]).toEqual([codes.paid, 'Vietcombank', 'Đã nhận đủ'])
  const { created_at } = (await call(`/${codes.paid}`)).body
  expect(createdAt).toBe(`'${vietnamTime(new Date(created_at))}`)
  expect(lines.slice(2)).toEqual(['Hết tệp: 1 dòng,,,,,,,'])
  expect(await lastTrailRow(portal, { action: 'recharge-orders.export' })).toEqual(
    expect.objectContaining({
      actor_id: support.id,
      details: { filter: { status: 'paid' } },
    }),
  )
  expect((await call('.csv?filter={"memo":"x"}')).status).toBe(422)
})

test('one by its code, or 404', async () => {
  expect((await call(`/${codes.pending}`)).body).toMatchObject({ code: codes.pending })
  expect((await call('/TCX7K2QF9XAMM')).status).toBe(404)
})

test('an order whose time has run out is listed as expired before the clean-up has come to it', async () => {
  await ageOrder(portal, codes.pending, 1)
  expect((await call(`/${codes.pending}`)).body.status).toBe('expired')
})

describe('among more orders than a list reaches', () => {
  let planner: Planner

  beforeAll(async () => {
    planner = await openPlanner(portal)
    // Codes of the right shape; their check characters do not matter here.
    await planner.owner.query(`INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin,
          account_number, account_name, qr, status, expires_at)
        SELECT 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), ${player.id}, 2 + n % 2, 10000 * (1 + n % 9), 1,
            '970436', '001', 'X', '-', CASE WHEN n % 100 = 0 THEN 'expired' ELSE 'paid' END, now()
          FROM generate_series(1, ${MANY}) n;
      ANALYZE payment_order`)
  })
  afterAll(() => planner.close())

  test.each<OrderFilter>([
    {},
    { status: 'expired' },
    { status: 'review' },
    { channel: 1 },
    { channel: 3, status: 'paid' },
    { amount: 40_000 },
    { amount: 40_001 },
    { code: 'TCX7K2QF9XAMM' },
    { userId: '1' },
  ])('those by %o are read by index, from either end', async (filter) => {
    for (const order of ['asc', 'desc'] as const) {
      const page = () => listStoredOrders(planner.db, filter, { order, from: 200, to: 224 })
      const { nodes } = await planner.plansOf(page)
      expect(readWhole(nodes, /^payment_order$/)).toEqual([])
      expect(mostRows(nodes)).toBeLessThanOrEqual(500)
    }
  })

  test('one goes on behind the last row that a range reaches, reading no more than a page', async () => {
    const range = [LIST_REACH_MAX - 25, LIST_REACH_MAX - 1]
    const reached = await call(`?range=${JSON.stringify(range)}`)
    const after = String(reached.headers['x-next-after'])
    const next = await call(`?after=${after}`)
    expect([next.status, next.body.length, next.headers['content-range']]).toEqual([
      200,
      25,
      `recharge-orders */${LIST_REACH_MAX}`,
    ])
    const known = new Set((reached.body as { code: string }[]).map(({ code }) => code))
    expect((next.body as { code: string }[]).filter(({ code }) => known.has(code))).toEqual([])
    const page = () => listStoredOrders(planner.db, {}, { order: 'asc', from: 0, to: 24, after })
    const { nodes } = await planner.plansOf(page)
    expect(readWhole(nodes, /^payment_order$/)).toEqual([])
    expect(mostRows(nodes)).toBeLessThanOrEqual(25)
  })

  test('all of them are one file, each once, which ends with their number', async () => {
    const { body } = await call('.csv')
    const lines = String(body).trimEnd().split('\r\n').slice(1)
    const stored = MANY + Object.keys(codes).length
    expect(lines.pop()).toBe(`"Hết tệp: ${formatNumber(stored)} dòng",,,,,,,`)
    expect(new Set(lines.map((line) => line.split(',')[0])).size).toBe(stored)
    expect(lines).toHaveLength(stored)
  })

  test('a file reads each batch by index, as far as it goes and no further', async () => {
    const { rows } = await planner.owner.query<{ code: string }>(
      `SELECT code FROM payment_order ORDER BY id OFFSET ${MANY - 2_000} LIMIT 1`,
    )
    const after = rows[0]?.code
    await planner.owner.query(AS_IF_LARGE)
    const batch = () => listStoredOrders(planner.db, {}, { order: 'asc', from: 0, to: 999, after })
    const { queries, nodes } = await planner.plansOf(batch)
    expect(queries).toBe(1)
    expect(mostRows(nodes)).toBeLessThanOrEqual(1_000)
  })

  test('a file breaks off when its reader may read no more', async () => {
    const { id, token } = await anOperator(portal, 'support')
    let batches = 0
    const file = await portal.app.inject({
      method: 'GET',
      url: '/api/operator/recharge-orders.csv',
      headers: { authorization: `Bearer ${token}` },
      payloadAsStream: true,
    })
    const read = async () => {
      for await (const _part of file.stream()) {
        if ((batches += 1) === 1) await portal.db.deleteFrom('sessions').where('user_id', '=', id).execute()
      }
    }
    await expect(read()).rejects.toThrow()
  })

  test('all are counted no further than a list reaches', async () => {
    const count = () => countStoredOrders(planner.db, {})
    expect(await count()).toBe(LIST_REACH_MAX)
    expect(mostRows((await planner.plansOf(count)).nodes)).toBeLessThanOrEqual(LIST_REACH_MAX)
  })
})

describe('notes about an order', () => {
  let cashier: TestOperator
  let code: string

  beforeAll(async () => {
    await openAccounts(portal)
    cashier = await anOperator(portal, 'cashier')
    code = (await anOrder(portal, await aPlayer(portal))).code
  })

  const add = (note: string, key: string = randomUUID(), of = code) =>
    portal.call('POST', `/api/operator/recharge-orders/${of}/notes`, {
      token: cashier.token,
      key,
      body: { note },
    })

  const read = (of = code, before?: string) =>
    portal.call('GET', `/api/operator/recharge-orders/${of}/notes${before ? `?before=${before}` : ''}`, {
      token: cashier.token,
    })

  test('notes about an order are added once for a key and read newest first; the audit trail has their number alone', async () => {
    const key = randomUUID()
    const added = await add('  Khách gọi từ 0912345678  ', key)
    expect([added.status, (await add('  Khách gọi từ 0912345678  ', key)).status]).toEqual([204, 204])
    await add('<script>alert(1)</script>')
    const { rows, next } = (await read()).body
    const author = { id: cashier.id, username: cashier.username }
    expect([rows, next]).toMatchObject([
      [
        { text: '<script>alert(1)</script>', author },
        { text: 'Khách gọi từ 0912345678', author },
      ],
      null,
    ])
    const subject = { type: 'payment_order', id: code }
    expect(await trailRows(portal, { action: 'recharge-orders.note', subject })).toEqual(
      rows.toReversed().map(({ id }: { id: string }) =>
        expect.objectContaining({
          actor_id: cashier.id,
          reason: null,
          details: { note_id: id },
          personal: null,
        }),
      ),
    )
  })

  test('a note has between 1 and 1,000 characters and is about an order there is', async () => {
    const longest = await add('đ'.repeat(1_000))
    expect([longest.status, (await add('đ'.repeat(1_001))).status, (await add(' ')).status]).toEqual([
      204, 422, 422,
    ])
    expect((await add('Đã gọi', randomUUID(), 'TCX7K2QF9XAMM')).status).toBe(404)
    expect((await read('TCX7K2QF9XAMM')).status).toBe(404)
  })

  test('older notes follow page by page, each read by index', async () => {
    const { code: busy } = await anOrder(portal, await aPlayer(portal))
    const { id: orderId, user_id } = await portal.db
      .selectFrom('payment_order')
      .select(['id', 'user_id'])
      .where('code', '=', busy)
      .executeTakeFirstOrThrow()
    await portal.db
      .insertInto('order_note')
      .values(
        Array.from({ length: PART_ROWS + 5 }, (_, at) => ({
          order_id: orderId,
          user_id,
          author_id: cashier.id,
          text: `Ghi chú ${at}`,
        })),
      )
      .execute()
    const first = (await read(busy)).body
    const second = (await read(busy, first.next)).body
    expect([first.rows.length, second.rows.length, second.next]).toEqual([PART_ROWS, 5, null])
    expect(second.rows[0].text).toBe('Ghi chú 4')
    const planner = await openPlanner(portal)
    await planner.owner.query(AS_IF_LARGE)
    const page = () => selectOrderNotes(planner.db, { orderId, before: first.next, limit: PART_ROWS + 1 })
    const { nodes } = await planner.plansOf(page)
    expect(readWhole(nodes, /^order_note$/)).toEqual([])
    expect(nodes.some((node) => 'Index Cond' in node && node['Relation Name'] === 'order_note')).toBe(true)
    await planner.close()
  })
})
