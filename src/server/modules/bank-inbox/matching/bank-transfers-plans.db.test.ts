import { beforeAll, expect, test } from 'vitest'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { findOrderId, nearOrderCodes } from '#server/modules/recharge/index.ts'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { mostRows, mostRowsRead, readWhole } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import {
  countStoredTransfers,
  hasReference,
  listStoredTransfers,
} from '../operator/bank-transfers.queries.ts'
import { countStoredEvents, listStoredEvents } from '../intake/payment-events.queries.ts'
import {
  listOrdersOpenAround,
  listPaidBefore,
  listPlayersNamed,
  listPlayersWithPhones,
  listUnpaidOrders,
  listUnpaidOrdersOfPlayers,
} from './suggestions.queries.ts'
import { suggestForEach } from './suggestions.service.ts'

/** More than a list reaches, so that reading everything shows. */
const ROWS = 30_000
const ROWS_READ_MAX = 1_000
/** The statements that suggest for however many transfers. */
const SUGGESTING = 7

const portal = useTestApp()
const planner = usePlanner(portal)
let playerId: string
let username: string

beforeAll(async () => {
  const player = await aPlayer(portal)
  playerId = player.id
  username = player.username
  // Codes of the right shape; their check characters do not matter here.
  await planner.owner
    .query(`INSERT INTO payment_order (code, user_id, channel, amount, rate, bank_bin, account_number,
        account_name, qr, status, credited, created_at, expires_at)
      SELECT 'TCX' || translate(lpad(n::text, 10, '0'), '01', 'AB'), ${player.id}, 2 + n % 2,
          10000 * (1 + n % 9), 1, '970436', '00' || n % 2, 'X', '-', CASE WHEN n % 50 = 0 THEN 'expired' ELSE 'paid' END,
          CASE WHEN n % 50 = 0 THEN 0 ELSE 10000 * (1 + n % 9) END, now() - n * interval '1 minute', now()
        FROM generate_series(1, ${ROWS}) n;
    INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, booked_at, state, reason, created_at)
      SELECT CASE WHEN n % 9 = 8 THEN '000' ELSE '00' || n % 2 END, CASE WHEN n % 100 = 1 THEN 'out' ELSE 'in' END, 'FT' || n, 10000 * (1 + n % 9), now(),
          CASE WHEN n % 100 = 0 THEN 'review' WHEN n % 20 = 7 THEN 'refunded' ELSE 'ignored' END,
          CASE WHEN n % 100 = 0 THEN 'no-code' WHEN n % 20 = 7 THEN 'refunded-by-hand' ELSE 'outgoing' END,
          now() - n * interval '1 minute'
        FROM generate_series(1, ${ROWS}) n;
    INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status,
        bank_transaction_id)
      SELECT 'sepay', n, CASE WHEN n % 1000 = 0 THEN 'stale' ELSE 'valid' END, 'in', 10000, '001',
          CASE WHEN n % 1000 = 0 THEN 'stale' ELSE 'review' END, n FROM generate_series(1, ${ROWS}) n;
    INSERT INTO payment_event_body (event_id, raw, memo, full_text)
      SELECT id, '', 'CT tu 045100012' || id % 1000 || ' NGUYEN VAN AN toi 001', '' FROM payment_event;
    ANALYZE`)
})

const BIG = /^(bank_transaction|payment_order|payment_event|payment_event_body)$/
const page = { order: 'asc', from: 0, to: 24 } as const
const deep = { order: 'desc', from: 500, to: 524 } as const
const transfers = (filter: Parameters<typeof listStoredTransfers>[1], at: ListPage = page) =>
  listStoredTransfers(planner.db, filter, at)
const spoilt = nearOrderCodes('TCX7K2QF9XABM')

test.each<[string, () => Promise<unknown>]>([
  ['those in review', () => transfers({ state: 'review' })],
  ['a page further down, the newest first', () => transfers({ state: 'ignored' }, deep)],
  ['all', () => transfers({})],
  ['those of a reason', () => transfers({ reason: 'refunded-by-hand' })],
  ['those of an account', () => transfers({ accounts: ['000'] })],
  ['those that left', () => transfers({ direction: 'out' })],
  [
    'those that left and were credited, as none was',
    () => transfers({ state: 'credited', direction: 'out' }),
  ],
  [
    'those of an amount that never came to an account',
    () => transfers({ amount: 90_000, accounts: ['001'] }),
  ],
  [
    'how many of an account were refunded, as few were',
    () => countStoredTransfers(planner.db, { state: 'refunded', accounts: ['000'] }),
  ],
  ['those of an amount', () => transfers({ amount: 20_000 })],
  ['those of a time', () => transfers({ from: new Date(Date.now() - 3_600_000), before: new Date() })],
  [
    'those in review of an account, an amount and a time',
    () => transfers({ state: 'review', accounts: ['000'], amount: 20_000, before: new Date() }),
  ],
  ['those of an order', () => transfers({ orderId: '5' })],
  ['those of a player', () => transfers({ userId: '5' })],
  ['that of a reference', () => transfers({ reference: 'FT77' })],
  ['those that wait for a second person', () => transfers({ isWaiting: true })],
  ['those behind one', () => transfers({ state: 'ignored' }, { ...page, after: '5000' })],
  ['one', () => transfers({ ids: ['77'] })],
  [
    'what q may name',
    async () => [await findOrderId(planner.db, 'TCX7K2QF9XAMM'), await hasReference(planner.db, 'FT9')],
  ],
  ['notifications without a transfer', () => listStoredEvents(planner.db, { waiting: true }, page)],
  ['a notification by whatever it says', () => listStoredEvents(planner.db, { q: '50.000' }, page)],
  ['notifications by their words', () => listStoredEvents(planner.db, { q: 'nap tien' }, page)],
  ['orders near a spoilt code', () => listUnpaidOrders(planner.db, spoilt)],
  [
    'orders open around a time',
    () => listOrdersOpenAround(planner.db, [{ accountNumber: '000', amount: 30_000, at: new Date() }], 5),
  ],
  [
    'unpaid orders of some players',
    () =>
      listUnpaidOrdersOfPlayers(
        planner.db,
        ['1', '2', playerId].map((userId) => ({ place: 0, userId, at: new Date() })),
      ),
  ],
  ['who paid from the same account before', () => listPaidBefore(planner.db, ['77'])],
  ['players by name', () => listPlayersNamed(planner.db, ['tuanninja', 'linhkunai'])],
  ['players by phone', () => listPlayersWithPhones(planner.db, ['84901234567'])],
])('%s: read by index and no more than needed', async (_, work) => {
  const { queries, nodes } = await planner.plansOf(work)
  expect(queries).toBeGreaterThan(0)
  expect(readWhole(nodes, BIG)).toEqual([])
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('what is suggested for fifty transfers is read by index, each as one alone is', async () => {
  const rows = await transfers({ state: 'review' }, { order: 'asc', from: 0, to: 49 })
  const asked = rows.map((row) => ({
    ...row,
    events: [{ memo: `${row.id} ${username} 0901234567`, full_text: null, code: spoilt[0] ?? null }],
  }))
  expect(asked).toHaveLength(50)
  const one = await planner.plansOf(() => suggestForEach(planner.db, asked.slice(0, 1)))
  const fifty = await planner.plansOf(() => suggestForEach(planner.db, asked))
  expect([one.queries, fifty.queries]).toEqual([SUGGESTING, SUGGESTING])
  expect(readWhole(fifty.nodes, BIG)).toEqual([])
  expect(mostRowsRead(fifty.nodes)).toBeLessThanOrEqual(50 * mostRowsRead(one.nodes))
})

test.each<[string, () => Promise<number>]>([
  ['transfers', () => countStoredTransfers(planner.db, {})],
  ['transfers of a state', () => countStoredTransfers(planner.db, { state: 'ignored' })],
])('%s are counted no further than a list reaches', async (_, count) => {
  expect(await count()).toBe(LIST_REACH_MAX)
  expect(mostRows((await planner.plansOf(count)).nodes)).toBeLessThanOrEqual(LIST_REACH_MAX)
})

test('notifications are counted by their own small index', async () => {
  expect(await countStoredEvents(planner.db, { waiting: true })).toBe(ROWS / 1000)
})
