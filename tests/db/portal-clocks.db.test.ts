import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { Client } from '#tests/harness/client.ts'
import { clockEnvironment, clockProblem, setClock } from '#tests/harness/faults.ts'
import {
  type Cleanup,
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  openRunDatabase,
  SEPAY_TOKEN,
  startBank,
  startGame,
} from '#tests/harness/fleet.ts'
import { seeded } from '#tests/harness/numbers.ts'
import { enter, logIn, notify, post, transferFor } from '#tests/harness/players.ts'
import { anEmail } from '#tests/support/mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { aPhone, codeIn } from '#tests/support/phones.ts'
import { notificationOf } from '#tests/support/signed-notifications.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

/*
 * A web, a worker and a PostgreSQL whose clocks are set wrong and right again, by libfaketime, while bank, game and players have
 * the right time: what was begun meanwhile is done as soon as if the clocks had been right.
 */

const isThere = hasAllCases && isSystemPostgresThere() && clockProblem() === null
/** The longest delay of what these tests begin is a minute, and a loop may rest as long. */
const DONE_MS = 150_000
const UNTIL = { timeout: DONE_MS, interval: 500 }

async function openWorld(cleanup: Cleanup) {
  const folder = await newFolder(cleanup, 'clocks')
  const clockOf = async (name: string) => {
    await mkdir(join(folder, name), { mode: 0o755 })
    return clockEnvironment(join(folder, name))
  }
  const [ofPortal, ofDatabase] = [await clockOf('portal'), await clockOf('postgres')]
  const server = await SystemPostgres.open(folder, 'database', ofDatabase.environment)
  cleanup.defer(() => server.stop())
  await server.create()
  const mail = await startMailServer()
  cleanup.defer(() => mail.close())
  const [bank, game] = [await startBank(cleanup), await startGame(cleanup, join(folder, 'game'))]
  const environment = {
    ...DEMO_ENVIRONMENT,
    ...PAYMENT_ENVIRONMENT,
    ...game.environment,
    ...ofPortal.environment,
    DATABASE_URL: server.ownerUrl,
    SMTP_URL: mail.url,
    MAIL_FROM: 'khong-tra-loi@ninja.test',
    SEPAY_API_TOKEN: SEPAY_TOKEN,
    SEPAY_BASE_URL: bank.url,
  }
  const options = { dataDir: folder, environment, isKilledAtEnd: true } as const
  const fleet = await openFleet(cleanup, options, { webs: 1, workers: 1 })
  await fleet.start()
  const db = await openRunDatabase(cleanup, server.ownerUrl)
  const value = async (text: RawBuilder<unknown>) => {
    const { rows } = await sql<{ value: unknown }>`SELECT (${text}) AS value`.execute(db)
    return rows[0]?.value
  }
  /** In seconds, without what an answer takes. */
  const rounded = (ms: number) => Math.round(ms / 10_000) * 10 + 0
  const shownBy = async (what: 'portal' | 'postgres') => {
    if (what === 'postgres') return Number(await value(sql`extract(epoch FROM clock_timestamp())`)) * 1_000
    return Date.parse((await fetch(`${fleet.urls[0]}/readyz`)).headers.get('date') ?? '')
  }
  const clocks = { portal: ofPortal.file, postgres: ofDatabase.file }
  return {
    client: new Client(fleet.urls),
    mail,
    bank,
    value,
    async setClocks(which: readonly ('portal' | 'postgres')[], seconds: number) {
      for (const what of which) {
        await setClock(clocks[what], seconds)
        await expect.poll(async () => rounded((await shownBy(what)) - Date.now()), UNTIL).toBe(seconds)
      }
    },
  }
}

test.runIf(isThere).each([
  [['portal'], 87_000],
  [['portal'], -87_000],
  [['portal', 'postgres'], 87_000],
  [['portal', 'postgres'], -87_000],
] as const)(
  'what the clocks of %j saw begin while they were %i s ahead is done when they are right again',
  { timeout: 6 * DONE_MS },
  async (which, seconds) => {
    await using cleanup = new AsyncDisposableStack()
    const { client, mail, bank, value, setClocks } = await openWorld(cleanup)
    const random = seeded(1)
    const player = await enter({ client, confirmed: [] }, 'dongho', random)
    const { address: from, token } = player

    await setClocks(which, seconds)
    const buy = (key: string) =>
      client.untilDefinite({
        path: '/api/exchange/store',
        from,
        token,
        key,
        body: { character_id: player.characterIds[0], amount: 10_000 },
      })
    const attempts = (id: string) => sql`
      SELECT count(*) FILTER (WHERE abs(extract(epoch FROM asked_at) - ${Date.now() / 1_000}::float8) > 80000)::integer
        FROM delivery_attempt WHERE delivery_id = ${id}::uuid HAVING count(*) > 0`
    let [key, id] = ['', '']
    // The attempts bear the worker's time: until it has read the file of its clock, the game takes what it is sent.
    do {
      key = randomUUID()
      id = (await buy(key)).body.delivery.id as string
      await expect.poll(() => value(attempts(id)), UNTIL).toEqual(expect.any(Number))
    } while ((await value(attempts(id))) === 0)
    await expect.poll(() => value(attempts(id)), UNTIL).toBeGreaterThanOrEqual(3)
    // Hours that had not begun were computed, and an old one by a clock that was behind was not.
    const computed = sql`SELECT count(*)::integer FROM statistics_hour
      WHERE extract(epoch FROM computed_at) > ${Date.now() / 1_000 + 80_000}::float8`
    await expect.poll(() => value(computed), UNTIL).toBeGreaterThan(seconds > 0 ? 0 : -1)
    const wrong = { username: player.username, password: 'mat-khau-sai' }
    for (let guess = 0; guess < 4; guess++)
      expect((await client.try({ path: '/api/auth/login', from, body: wrong }))?.status).toBe(422)
    const email = anEmail()
    mail.refuseRecipients(451)
    expect((await client.try({ path: '/api/email/send-otp', from, token, body: { email } }))?.status).toBe(
      200,
    )
    await expect.poll(() => value(sql`SELECT max(attempt) FROM mail_outbox`), UNTIL).toBeGreaterThanOrEqual(1)
    const order = await post(client, player, '/api/recharge/orders', { channel: 2, amount: 50_000 })
    expect(order.status).toBe(201)
    const transfer = transferFor(order.body, 50_000)
    bank.transfers.push(transfer)
    const { url: path, headers, body } = notificationOf({ provider: 'sepay', transfer, at: new Date() })
    expect((await client.try({ path, headers, body }))?.status).not.toBe(200)
    const phone = aPhone()
    await client.try({ path: '/api/sandbox/sms', from, body: { phone, text: 'THN OTP' } })

    await setClocks(which, 0)
    mail.refuseRecipients(null)
    await expect
      .poll(() => value(sql`SELECT state FROM delivery WHERE id = ${id}::uuid`), UNTIL)
      .toBe('delivered')
    expect((await buy(key)).body.delivery.id).toBe(id)
    expect((await logIn(client, player)).status).toBe(200)
    // One that a clock which was behind wrote is a day old and of no use any more.
    const asked = await client.untilDefinite({ path: '/api/email/send-otp', from, token, body: { email } })
    expect(asked.status).toBe(200)
    await expect.poll(() => mail.to(email).length, UNTIL).toBeGreaterThanOrEqual(1)
    await notify(client, transfer)
    const status = sql`SELECT status FROM payment_order WHERE code = ${order.body.code as string}`
    await expect.poll(() => value(status), UNTIL).toBe('paid')
    // A phone gets one a minute.
    let code: string | undefined
    const text = async () => {
      const { body: texted } = await client.untilDefinite({
        path: '/api/sandbox/sms',
        from,
        body: { phone, text: 'THN OTP' },
      })
      code = codeIn(String(texted?.reply))
      return code
    }
    await expect.poll(text, { ...UNTIL, interval: 5_000 }).toBeDefined()
    const verified = await client.untilDefinite({
      path: '/api/one-time-password/verify',
      from,
      body: { phone, code },
    })
    expect([verified.status, verified.body]).toEqual([200, expect.anything()])
    const again = await buy(randomUUID())
    expect(again.status).toBe(200)
    const done = sql`SELECT state FROM delivery WHERE id = ${again.body.delivery.id as string}::uuid`
    await expect.poll(() => value(done), UNTIL).toBe('delivered')

    const isFuture = (moment: string, seconds_: number) =>
      sql`${sql.raw(moment)} > clock_timestamp() + make_interval(secs => ${seconds_ + 10})`
    const left = async () => ({
      pulls: await value(
        sql`SELECT array_agg(name) FROM reconciliation_task WHERE ${isFuture('due_at', 600)} AND name = 'pull' OR ${isFuture('due_at', 86_400)}`,
      ),
      rankings: await value(
        sql`SELECT count(*)::integer FROM ranking_snapshots WHERE ${isFuture('taken_at', 0)}`,
      ),
      hours: await value(
        sql`SELECT count(*)::integer FROM statistics_hour WHERE ${isFuture('computed_at', 0)} AND hour <= clock_timestamp()`,
      ),
      alarms: await value(sql`SELECT count(*)::integer FROM alarm_notice WHERE ${isFuture('looked_at', 0)}`),
      failed: await value(sql`SELECT array_agg(job || ': ' || error) FROM failed_work`),
      parked: await value(sql`SELECT count(*)::integer FROM delivery WHERE state = 'parked'`),
    })
    await expect
      .poll(left, UNTIL)
      .toEqual({ pulls: null, rankings: 0, hours: 0, alarms: 0, failed: null, parked: 0 })
  },
)
