import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, openPlanner, readWhole } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { PART_ROWS } from '#server/platform/http/list.ts'
import { selectOrderNotes } from './operator-orders.queries.ts'

const portal = useTestApp()
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
  const trail = await portal.db
    .selectFrom('audit_log')
    .leftJoin('audit_personal', 'audit_personal.seq', 'audit_log.seq')
    .select(['actor_id', 'subject_type', 'subject_id', 'reason', 'details', 'content'])
    .where('action', '=', 'recharge-orders.note')
    .orderBy('audit_log.seq')
    .execute()
  expect(trail).toEqual(
    rows.toReversed().map(({ id }: { id: string }) => ({
      actor_id: cashier.id,
      subject_type: 'payment_order',
      subject_id: code,
      reason: null,
      details: { note_id: id },
      content: null,
    })),
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
