import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { RechargeOrder } from '#contract/recharge.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { sendCase } from '#tests/support/cases.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'

const portal = useTestApp()
let player: TestPlayer
const { support } = useOperators(portal, { support: 'support' })
beforeAll(async () => {
  await openAccounts(portal)
  player = await aPlayer(portal, { coins: 50_000, isActivated: true })
  const { code } = await anOrder(portal, player, { amount: 50_000 })
  const [character = ''] = await charactersOf(portal, player)
  await buyLuongFor(portal, { player, character, amount: 10_000 })
  await sendCase(portal, player, { kind: 'order', id: code })
})

const view = ({ id }: { id: string }, { by = support, key = randomUUID() as string } = {}) =>
  portal.call('POST', `/api/operator/users/${id}/view-as`, {
    token: by.token,
    body: { reason: 'Người chơi gọi hỏi đơn nạp' },
    key,
  })
const own = async (path: string) => (await portal.call('GET', `/api${path}`, { token: player.token })).body

/** What each table holds, as a hash. */
async function contents(): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: portal.ownerUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    )
    const found = new Map<string, string>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ state: string }>(
        `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS state FROM "${name}" t`,
      )
      found.set(name, rows[0]?.state ?? '')
    }
    return found
  } finally {
    await client.end()
  }
}

test('an operator reads what the player’s own calls answer', async () => {
  const { status, body } = await view(player)
  expect(status).toBe(200)
  const { body: verified } = await portal.call('POST', '/api/auth/verify', {
    body: { access_token: player.token },
  })
  expect(body.user).toEqual(verified)
  const orders = (await own('/recharge/orders')).data as RechargeOrder[]
  expect(body.orders).toEqual(orders.map(({ qr: _qr, qr_svg: _picture, pay_url: _app, ...shown }) => shown))
  expect(body.orders).toHaveLength(1)
  expect(body.deliveries).toEqual((await own('/user/deliveries')).data)
  expect(body.deliveries).toHaveLength(1)
  expect(body.cases).toEqual((await own('/cases')).data)
  expect(body.cases).toHaveLength(1)
  expect(body.claims).toEqual((await own('/recharge/claims')).data)
  expect(body.transactions).toEqual((await own('/user/transactions')).data)
  expect(body.refusals).toEqual([])
})

test('nothing that the player signs in or pays by is in it', async () => {
  const { body } = await view(player)
  const text = JSON.stringify(body)
  const { phone } = await portal.db
    .selectFrom('user_contacts')
    .select('phone')
    .where('user_id', '=', player.id)
    .executeTakeFirstOrThrow()
  const [{ qr }] = (await own('/recharge/orders')).data
  expect(qr).toMatch(/^0002/)
  for (const secret of [
    player.token,
    phone ?? '-',
    qr,
    '"qr"',
    'qr_svg',
    'access_token',
    'pay_url',
    'password',
  ])
    expect(text).not.toContain(secret)
})

test('it writes that it was read, with its reason, and nothing else', async () => {
  const before = await contents()
  await view(player)
  const after = await contents()
  const changed = [...after.keys()].filter((name) => after.get(name) !== before.get(name))
  // The key of the call and the pace of the operator are those of every act.
  expect(changed.toSorted()).toEqual(['audit_line', 'audit_log', 'idempotency_key', 'rate_limit'])
  const { rows } = await sql<{ details: unknown; reason: string }>`
    SELECT reason, details FROM audit_log WHERE action = 'users.view-as' ORDER BY seq DESC LIMIT 1`.execute(
    portal.db,
  )
  expect(rows[0]).toEqual({ reason: 'Người chơi gọi hỏi đơn nạp', details: { until: expect.any(String) } })
  const { rows: keys } = await sql<{ response: unknown }>`
    SELECT response FROM idempotency_key WHERE scope LIKE 'operator:%:users.view-as'`.execute(portal.db)
  expect(JSON.stringify(keys)).not.toContain(player.username)
})

test('its key reads again for ten minutes, and no longer', async () => {
  const key = randomUUID()
  const first = await view(player, { key })
  expect((await view(player, { key })).body).toEqual(first.body)
  await asOwner(
    portal,
    `UPDATE idempotency_key SET response = jsonb_set(response::jsonb, '{until}', '"2026-01-01T00:00:00.000Z"')
      WHERE key LIKE $1`,
    [`%${key}%`],
  )
  const late = await view(player, { key })
  expect([late.status, late.body.code]).toEqual([409, 'CONFLICT'])
})

test('what stops a player is shown as they would read it', async () => {
  const stopped = await aPlayer(portal)
  const messages = async () => (await view(stopped)).body.refusals
  expect(await messages()).toEqual([{ of: 'trading', message: expect.stringContaining('kích hoạt') }])
  for (let n = 0; n < 3; n++) await anOrder(portal, stopped, { amount: 50_000 })
  expect((await messages()).map(({ of }: { of: string }) => of)).toEqual(['trading', 'recharge'])
  await asOwner(
    portal,
    `UPDATE users SET ban_until = now() + interval '1 day', ban_reason = 'Gian lận',
                      sign_in_ban_until = now() + interval '1 day', sign_in_ban_reason = 'Gian lận' WHERE id = $1`,
    [stopped.id],
  )
  const banned = await messages()
  expect(banned.map(({ of }: { of: string }) => of)).toEqual(['sign-in', 'trading', 'recharge'])
  for (const { message } of banned) expect(message).toContain('lý do: Gian lận')
})

test('nobody is viewed without the right, and operators only by those who manage them', async () => {
  const cashier = await anOperator(portal, 'cashier')
  expect((await view(player, { by: cashier })).status).toBe(403)
  expect((await view(cashier)).status).toBe(403)
  const owner = await anOperator(portal, 'owner')
  expect((await view(cashier, { by: owner })).status).toBe(200)
  expect((await view({ id: '999999999' })).status).toBe(404)
})
