import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, openDatabase } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { vietnamDay, vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'
import { anOrder, aNotification, deliver, forgetLimited } from '#tests/support/bank.ts'
import { useCashDesk } from '#tests/support/cash-desk.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf } from '#tests/support/purchases.ts'
import { seeded } from '#tests/harness/numbers.ts'
import { DAY_MS, HOUR_MS } from './periods.rules.ts'
import { computeStatistics } from './statistics.service.ts'

/** Days over which what happens is spread. */
const DAYS = 45
const PERIODS = 8

const desk = useCashDesk()
/** Another one each time; told where a test fails, and taken again with the variable SEED. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9))
const random = seeded(seed).below

const players: TestPlayer[] = []
const now = new Date()

async function pay(player: TestPlayer, amount: number): Promise<void> {
  const { code } = await anOrder(desk.portal, player, { amount })
  await deliver(desk.portal, aNotification({ content: code, transferAmount: amount }))
}

async function reverseOne(player: TestPlayer): Promise<void> {
  const [credited] = await desk.portal.db
    .selectFrom('bank_transaction')
    .select('id')
    .where('user_id', '=', player.id)
    .where('state', '=', 'credited')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  if (credited) await desk.done(credited.id, 'reverse-credit', {}, { by: desk.owner })
}

/** As if the movements had happened in their order over the last days, some of them at the edges of hours and days. */
async function spread(): Promise<void> {
  const moves = await desk.portal.db.selectFrom('ledger_transfer').select('id').orderBy('id').execute()
  const start = now.getTime() - DAYS * DAY_MS
  const moments = moves
    .map(() => {
      const at = start + random(DAYS * 24) * HOUR_MS
      return random(4) === 0 ? at : at + random(HOUR_MS)
    })
    .filter((at) => at < now.getTime())
  while (moments.length < moves.length) moments.push(start)
  moments.sort((one, other) => one - other)
  await asOwner(desk.portal, 'ALTER TABLE ledger_transfer DISABLE TRIGGER USER')
  await asOwner(desk.portal, 'ALTER TABLE ledger_entry DISABLE TRIGGER USER')
  for (const [at, { id }] of moves.entries()) {
    const moment = new Date(moments[at] as number)
    await asOwner(desk.portal, 'UPDATE ledger_transfer SET created_at = $1 WHERE id = $2', [moment, id])
    await asOwner(desk.portal, 'UPDATE ledger_entry SET created_at = $1 WHERE transfer_id = $2', [moment, id])
  }
  await asOwner(desk.portal, 'ALTER TABLE ledger_transfer ENABLE TRIGGER USER')
  await asOwner(desk.portal, 'ALTER TABLE ledger_entry ENABLE TRIGGER USER')
  // The portal's first hour, whatever chance decided: every period before has its figures.
  await asOwner(desk.portal, 'UPDATE users SET created_at = $1 WHERE id = (SELECT min(id) FROM users)', [
    new Date(start),
  ])
}

beforeAll(async () => {
  const { portal } = desk
  for (let at = 0; at < 8; at++) players.push(await aPlayer(portal, { isActivated: at < 3 }))
  for (const player of players) {
    for (let times = random(6); times >= 0; times--) {
      await pay(player, 20_000 + random(50) * 1_000)
      if (random(5) === 0) await reverseOne(player)
      await forgetLimited(portal)
    }
  }
  for (const player of players.slice(0, 3)) {
    await pay(player, 60_000)
    const [character = ''] = await charactersOf(portal, player)
    await buyLuongFor(portal, { player, character, amount: 10_000 })
  }
  await spread()
})

type Ledger = Record<
  'money_in_total' | 'money_back' | 'payers' | 'first_recharges' | 'issued' | 'spent',
  number
>

/** The same figures from the ledger, as somebody would write them who reads it for the first time. */
async function ledgerOf({ from, to }: { from: Date; to: Date }): Promise<Ledger> {
  const { rows } = await sql<Record<keyof Ledger, string>>`
    WITH recharge AS (
       SELECT t.*, b.amount AS vnd,
              min(t.created_at) OVER (PARTITION BY t.credit_account) = t.created_at AS is_first
         FROM ledger_transfer t JOIN bank_transaction b ON b.id::text = split_part(t.source_id, ':', 1)
        WHERE t.kind = 'recharge' AND t.source_type = 'bank_transaction'),
     during AS (SELECT * FROM recharge WHERE created_at >= ${from} AND created_at < ${to})
     SELECT (SELECT coalesce(sum(vnd), 0) FROM during) AS money_in_total,
            (SELECT coalesce(sum(vnd), 0) FROM ledger_transfer back JOIN recharge ON recharge.id = back.reverses_id
              WHERE back.created_at >= ${from} AND back.created_at < ${to}) AS money_back,
            (SELECT count(DISTINCT credit_account) FROM during) AS payers,
            (SELECT count(*) FROM during WHERE is_first) AS first_recharges,
            (SELECT coalesce(sum(t.amount), 0) FROM ledger_transfer t
               JOIN ledger_account a ON a.id = t.credit_account AND a.kind = 'user_wallet'
               JOIN ledger_account d ON d.id = t.debit_account AND d.kind NOT IN ('user_wallet', 'delivery_hold', 'receivable')
              WHERE t.created_at >= ${from} AND t.created_at < ${to}) AS issued,
            (SELECT coalesce(sum(t.amount), 0) FROM ledger_transfer t
               JOIN ledger_account a ON a.id = t.credit_account AND a.kind IN ('house_revenue', 'house_gift')
              WHERE t.created_at >= ${from} AND t.created_at < ${to} AND t.source_type <> 'stripe') AS spent`.execute(
    desk.portal.db,
  )
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, text]) => [name, Number(text)]),
  ) as Ledger
}

const statistics = async (query: string) =>
  (await desk.portal.call('GET', `/api/operator/statistics${query}`, { token: desk.owner.token })).body

const sumOf = (rows: Record<string, number>[], name: string) =>
  rows.reduce((sum, row) => sum + (row[name] ?? 0), 0)

const moneyIn = (rows: { money_in: Record<string, number> }[]) =>
  rows.reduce((sum, { money_in }) => sum + Object.values(money_in).reduce((one, other) => one + other, 0), 0)

/** The same portal through connections whose clock shows the time of another place. */
const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Auckland']
const elsewhere: Db[] = []
afterAll(async () => {
  for (const db of elsewhere) await db.destroy()
})

describe.each(zones)('figures computed at a clock of %s agree with the ledger to the đ', (zone) => {
  beforeAll(async () => {
    const url = new URL(desk.portal.appUrl)
    url.searchParams.set('options', `-c TimeZone=${zone}`)
    const db = openDatabase({ url: url.href, log: openLog('warn'), connectionsMax: 2 })
    elsewhere.push(db)
    await asOwner(
      desk.portal,
      'TRUNCATE statistics_hour, statistics_part, statistics_payer, statistics_active, statistics_active_player',
    )
    while (await computeStatistics({ ...desk.portal.deps, db, now }));
  })

  // A test each, so that none takes long on a slow machine.
  test.each(Array.from({ length: PERIODS }, (_, at) => at))('in period %i', async (at) => {
    // The period before has begun after the first hour.
    const first = random(DAYS - 4)
    const days = at % 5 === 0 ? 1 : 1 + random((DAYS - first) / 2 - 1)
    const from = vietnamDay(new Date(now.getTime() - (first + days - 1) * DAY_MS))
    const to = vietnamDay(new Date(now.getTime() - first * DAY_MS))
    const where = `SEED=${seed}: ${zone}, ${from} to ${to}`
    const start = (vietnamDayBounds(from) as { start: Date }).start
    const end = (vietnamDayBounds(to) as { end: Date }).end
    const back = end.getTime() - start.getTime()
    const cut = end < now ? end : now
    const expected = await ledgerOf({ from: start, to: cut })
    for (const by of ['day', 'week', 'month', ...(days < 15 ? ['hour'] : [])]) {
      const { rows, compared } = await statistics(`?from=${from}&to=${to}&by=${by}`)
      expect({ ...compared.now.figures }, `${where} by ${by}`).toMatchObject(expected)
      expect(moneyIn(rows), `${where} by ${by}`).toBe(expected.money_in_total)
      for (const name of ['money_back', 'first_recharges', 'issued', 'spent'] as const)
        expect(sumOf(rows, name), `${where} by ${by}: ${name}`).toBe(expected[name])
      expect({ ...compared.before.figures }, `${where} before`).toMatchObject(
        await ledgerOf({ from: new Date(start.getTime() - back), to: new Date(cut.getTime() - back) }),
      )
    }
    const { rows } = await statistics(`?from=${from}&to=${from}&by=day`)
    const dayEnd = new Date(Math.min(start.getTime() + DAY_MS, now.getTime()))
    expect(rows[0].payers, where).toBe((await ledgerOf({ from: start, to: dayEnd })).payers)
    for (const split of ['channel', 'promotion', 'kind', 'server']) {
      const { parts } = await statistics(`/parts?from=${from}&to=${to}&of=${split}`)
      const whole = split === 'channel' || split === 'promotion' ? expected.money_in_total : expected.spent
      expect(sumOf(parts, 'total'), `${where} by ${split}`).toBe(whole)
      for (const { amounts, total } of parts)
        expect(amounts.reduce((a: number, b: number) => a + b, 0)).toBe(total)
      const hour = new Date(Math.floor(cut.getTime() / HOUR_MS) * HOUR_MS)
      for (const [when, by] of [
        ['now', 0],
        ['before', back],
      ] as const) {
        const sums = await ledgerOf({
          from: new Date(start.getTime() - by),
          to: new Date(hour.getTime() - by),
        })
        const sum = split === 'channel' || split === 'promotion' ? sums.money_in_total : sums.spent
        const compared = parts.map((part: { compared: Record<string, number> }) => part.compared)
        expect(sumOf(compared, when), `${where} by ${split}, ${when}`).toBe(sum)
      }
    }
    const { money_in } = await statistics(`/hours?from=${from}&to=${to}`)
    expect(
      money_in.flat().reduce((a: number, b: number) => a + b, 0),
      where,
    ).toBe(expected.money_in_total)
  })
})
