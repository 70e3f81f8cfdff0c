import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { aTransfer } from '#tests/support/bank.ts'
import { aPlayer } from '#tests/support/players.ts'
import { changingCalls } from '#tests/support/operator-api.ts'
import { setProof } from '#tests/support/operators.ts'
import { ACCESS_TABLE } from './access-table.ts'
import type { Probe } from './access-rows.ts'
import { sendRequest } from './send-request.ts'
import { useWorld, type World } from './cast.ts'

/**
 * What a stolen token of an owner's console session reaches without the owner's second factor: words, pictures,
 * tournaments, questions, and what only takes away or can be undone. Written apart from the table of the contract.
 */
const REACHED = [
  /^(POST|DELETE) \/operator\/session$/,
  /^POST \/operator\/step-up$/,
  /^\w+ \/operator\/(posts|categories|pictures|tournaments|groups|servers|game-names|maintenance|cases|answer-templates)(\/|$)/,
  /^(PUT|DELETE) \/operator\/legal\/\{kind\}\/draft$/,
  /^POST \/operator\/(daily-closes\/\{id\}\/(read-anew|statement-file\/read)|reconciliation|game-comparison|settings\/preview-qr)$/,
  /^POST \/operator\/recharge-orders\/\{code\}\/(query|notes)$/,
  // Reads only: what a promotion would have cost.
  /^POST \/operator\/promotions\/preview$/,
  // What browsers reported; it gives and shows nothing of players.
  /^POST \/operator\/client-errors\/\{id\}\/handle$/,
  // Preferences of the operator.
  /^(POST|PUT|DELETE) \/operator\/saved-filters(\/|$)/,
  // Answers and refusals credit nothing.
  /^POST \/operator\/recharge-claims\/\{id\}\/answer$/,
  /^POST \/operator\/invitation-rewards\/\{id\}\/refuse$/,
  /^POST \/operator\/deliveries\/(retry|\{id\}\/retry|\{id\}\/ask)$/,
  // Neither gives nor takes; it can be credited later all the same.
  /^POST \/operator\/bank-transfers\/\{id\}\/(ignore|withdraw)$/,
  /^POST \/operator\/payment-events\/\{id\}\/dismiss$/,
  /^POST \/operator\/proposals\/\{id\}\/withdraw$/,
  // Contacts are masked in it, and nothing can be done by it.
  /^POST \/operator\/users\/\{id\}\/view-as$/,
  /^POST \/operator\/users\/\{id\}\/(end-sessions|send-reset|notes)$/,
]

const reason = 'Kiểm tra'
const HOUR_MS = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()

const aPlayersBan = (body: object) => async (world: World) => ({
  path: { id: (await aPlayer(world.portal)).id },
  body: { reason, ...body },
})
const aSetting = (key: string, value: string) => () => ({
  body: { values: { [key]: value }, updated_at: null, reason },
})

/** Bodies that would be valid, where those of the access table are not, and more of the same call. */
const PROBES: Record<string, ((world: World) => Probe | Promise<Probe>)[]> = {
  'PUT /operator/settings': [
    aSetting('recharge_rate', '2'),
    aSetting('exchange_rate', '300'),
    aSetting('exchange_bonus', '50'),
    aSetting('active_fee', '0'),
    aSetting('transfer_daily_limit', '1000000000'),
    aSetting('manual_credit_limit', '1000000000'),
    aSetting('bank_account_acb', JSON.stringify({ bin: '970416', number: '123456789', name: 'KE GIAN' })),
  ],
  'POST /operator/users/{id}/ban': [
    aPlayersBan({ scope: 'sign-in', until: null }),
    aPlayersBan({ scope: 'trading', until: null }),
    aPlayersBan({ scope: 'sign-in', until: inHours(25) }),
    aPlayersBan({ scope: 'trading', until: inHours(24 * 365) }),
  ],
  'PUT /operator/staff/{id}/roles': [
    ({ other }) => ({ path: { id: other.id }, body: { roles: ['owner'], reason } }),
    ({ other }) => ({ path: { id: other.id }, body: { roles: ['support'], reason } }),
  ],
  'POST /operator/staff/invites': [
    () => ({ body: { role: 'owner', reason } }),
    () => ({ body: { role: 'support', reason } }),
  ],
  'POST /operator/legal/{kind}/versions': [
    () => ({ path: { kind: 'terms' }, body: { content: '<p>Văn bản mới.</p>', version: 1, reason } }),
  ],
  'POST /operator/bank-transfers/{id}/match': [
    async ({ portal, orderCode }) => ({
      path: { id: await aTransfer(portal) },
      body: { order_code: orderCode, reason },
    }),
  ],
  'POST /operator/bank-transfers/match': [
    async ({ portal, orderCode }) => ({
      body: { matches: [{ id: await aTransfer(portal), order_code: orderCode }], reason },
    }),
  ],
  'POST /operator/users/{id}/adjustment': [
    ({ other }) => ({ path: { id: other.id }, body: { amount: 1, reason } }),
    ({ other }) => ({ path: { id: other.id }, body: { amount: -1, reason } }),
  ],
}

const world = useWorld()
beforeAll(async () => {
  await setProof(world.portal, world.owner, { isFresh: false })
})
beforeEach(() => world.forgetPace())

/** What must stay as it is: money, guarded settings, roles, long bans, legal texts, what was decided about people. */
async function guarded() {
  const { rows } = await sql`
    SELECT (SELECT count(*) FROM ledger_transfer) AS moved,
           (SELECT count(*) FROM gateway_refund) AS refunds,
           (SELECT count(*) FROM bank_transaction WHERE state IN ('credited', 'refunded')) AS decided,
           (SELECT json_agg(s ORDER BY key) FROM settings s WHERE key !~ '^(site|home|seller)_') AS settings,
           (SELECT json_agg(r ORDER BY user_id, role) FROM user_roles r) AS roles,
           (SELECT count(*) FROM staff_invite) AS invites,
           (SELECT count(*) FROM proposal) AS proposals,
           (SELECT json_agg(p.state ORDER BY p.id) FROM planned_price p) AS planned,
           (SELECT count(*) FROM legal_text) AS texts,
           (SELECT count(*) FROM second_factor) AS factors,
           (SELECT json_agg(d.state ORDER BY d.id) FROM deletion_request d) AS deletions,
           (SELECT count(*) FROM audit_log WHERE action ~ 'ban|reveal|export') AS seen`.execute(
    world.portal.db,
  )
  return rows[0]
}

const calls = [...(await changingCalls()).keys()].filter((call) => !REACHED.some((one) => one.test(call)))

test('security row 40: what a token reaches by itself are calls there are', async () => {
  const all = [...(await changingCalls()).keys()]
  for (const one of REACHED)
    expect(
      all.filter((call) => one.test(call)),
      String(one),
    ).not.toEqual([])
  expect(calls.length).toBeGreaterThan(20)
})

test.each(calls)('security row 40: %s does nothing for a token alone, whatever it is sent', async (call) => {
  const [method = '', pattern = ''] = call.split(' ')
  const row = ACCESS_TABLE[`${method} /api${pattern.replace(/\{(\w+)\}/g, ':$1')}`]
  const probes = PROBES[call] ?? [row?.probe ?? ((): Probe => ({}))]
  for (const probe of probes) {
    const { path = {}, body }: Probe = await probe(world)
    const address = pattern.replace(/\{(\w+)\}/g, (_whole, name: string) => path[name] ?? '1')
    const before = await guarded()
    const answer = await sendRequest(world.portal, {
      method,
      path: `/api${address}`,
      token: world.owner.token,
      body,
      headers: { 'idempotency-key': randomUUID() },
    })
    expect([answer.status, answer.body?.code], answer.text).toEqual([409, 'STEP_UP_REQUIRED'])
    expect(await guarded()).toEqual(before)
  }
})

test('security row 40: a ban of a day and a text of the site are done without it', async () => {
  const { portal, owner } = world
  const send = (method: string, path: string, body: unknown) =>
    sendRequest(portal, { method, path: `/api/operator${path}`, token: owner.token, body })
  const { id } = await aPlayer(portal)
  const until = inHours(23)
  expect((await send('POST', `/users/${id}/ban`, { scope: 'trading', until, reason })).status).toBe(200)
  const values = { site_name: 'Tên khác' }
  expect((await send('PUT', '/settings', { values, updated_at: null, reason })).status).toBe(200)
})
