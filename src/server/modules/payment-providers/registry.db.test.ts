import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { pullLists } from '#server/modules/reconciliation/index.ts'
import { readConfigWithSecrets } from '#server/config/secrets.ts'
import { testbank } from '#tests/fakes/test-vendor/vendor.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { balanceOf, openAccounts, payment } from '#tests/support/bank.ts'
import { VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { post } from '#tests/support/signed-notifications.ts'
import { PAYMENT_VENDORS } from './registry.ts'

const vendors = [...PAYMENT_VENDORS, testbank]
const SECRET = 'testbank-secret-of-the-tests'

let portal: TestApp
/** Without the new vendor, as every portal is today. */
let usual: TestApp
let bank: Server
let listed: unknown[] = []

beforeAll(async () => {
  bank = createServer((_request, response) => response.end(JSON.stringify(listed)))
  bank.listen(0, '127.0.0.1')
  await once(bank, 'listening')
  const url = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`
  portal = await startTestApp({
    vendors,
    environment: { TESTBANK_SECRET: SECRET, TESTBANK_BASE_URL: url },
  })
  usual = await startTestApp()
  await openAccounts(portal)
  await openAccounts(usual)
})
afterEach(() => expectReconciled(portal))
afterAll(async () => {
  await usual.close()
  await portal.close()
  bank.close()
})

const movementFor = (code: string) => ({
  id: randomUUID(),
  amount: 50_000,
  account: VIETCOMBANK.number,
  memo: `nap ${code}`,
  at: new Date().toISOString(),
})

function notification(movement: unknown, secret = SECRET) {
  const body = JSON.stringify(movement)
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-testbank-signature': signature }
  return { url: '/api/webhooks/testbank', headers, body }
}

describe('a vendor of one folder and one line in the registry', () => {
  test('credits an order by its signed notification, once, and none by a wrong signature', async () => {
    const { player, order } = await payment(portal)
    const movement = movementFor(order.code)
    expect((await post(portal, notification(movement, 'another-secret'))).status).toBe(401)
    expect(await balanceOf(portal, player)).toBe(0)
    for (const _ of [1, 2]) expect((await post(portal, notification(movement))).status).toBe(204)
    expect(await balanceOf(portal, player)).toBe(50_000)
  })

  test('has its list read by reconciliation, which credits what no notification brought', async () => {
    const { player, order } = await payment(portal)
    listed = [movementFor(order.code), { id: 'no movement' }]
    await pullLists(portal.deps)
    expect(await balanceOf(portal, player)).toBe(50_000)
    const { rows } = await sql`SELECT DISTINCT provider FROM provider_list`.execute(portal.db)
    expect(rows).toEqual([{ provider: 'testbank' }])
  })

  test('is closed without its secret, and unknown to a portal that does not list it', async () => {
    const closed = await startTestApp({ vendors })
    expect((await post(closed, notification({}))).status).toBe(503)
    await closed.close()
    expect((await post(usual, notification({}))).status).toBe(404)
  })

  test('has its environment checked with that of the others, and a demo makes up its secret', async () => {
    const wrong = { DEMO: '1', TESTBANK_SECRET: 'short', SEPAY_BASE_URL: 'nowhere' }
    expect(() => readConfig(wrong, vendors)).toThrow(/SEPAY_BASE_URL[^]*TESTBANK_SECRET: each secret needs/)
    const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-vendor-'))
    const { payments } = await readConfigWithSecrets({ DEMO: '1', DATA_DIR: dataDir }, vendors)
    const made = payments.find(({ vendor }) => vendor.name === 'testbank')?.env
    expect(made).toEqual({ TESTBANK_SECRET: [expect.stringMatching(/^[\w-]{43}$/)] })
    await rm(dataDir, { recursive: true })
  })
})

describe('the database knows the vendors of the registry', () => {
  const reading = (provider: string) =>
    sql`INSERT INTO provider_list (provider, account_number) VALUES (${provider}, '1')`
  const statement = (provider: string) =>
    sql`INSERT INTO bank_statement_day (account_number, day, provider, in_count, in_vnd, out_count, out_vnd, unreadable)
        VALUES ('1', '2026-11-20', ${provider}, 0, 0, 0, 0, 0)`

  test('and refuses every other', async () => {
    const { order } = await payment(usual)
    const checkout = (provider: string) =>
      sql`INSERT INTO payment_checkout (order_id, provider, provider_order, request_id, next_query_at)
          SELECT id, ${provider}, code, code, now() FROM payment_order WHERE code = ${order.code}`
    for (const insert of [reading, statement, checkout]) {
      await expect(insert('testbank').execute(usual.db)).rejects.toMatchObject({ code: '23503' })
    }
    await reading('casso').execute(usual.db)
    await statement('casso').execute(usual.db)
    await checkout('payos').execute(usual.db)
  })

  test('stores a new one at the start beside those it had, and lets the portal itself add none', async () => {
    const listVendors = async () =>
      (await usual.db.selectFrom('payment_provider').select('name').orderBy('name').execute()).map(
        ({ name }) => name,
      )
    const registered = PAYMENT_VENDORS.map(({ name }) => name).sort()
    expect(await listVendors()).toEqual(registered)
    const add = sql`INSERT INTO payment_provider (name) VALUES ('another')`
    await expect(add.execute(usual.db)).rejects.toMatchObject({ code: '42501' })
    await prepareInstallation({ ownerUrl: usual.ownerUrl, isDemo: false, providers: ['testbank'] })
    expect(await listVendors()).toEqual([...registered, 'testbank'].sort())
  })
})
