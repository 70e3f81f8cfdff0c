import { randomUUID } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Adapter } from '#game-adapter/adapter.ts'
import { openHttpGame } from '#server/modules/game-bridge/index.ts'
import { eventually } from '#tests/support/purchases.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { startRehearsalAdapter } from './adapter.ts'
import { addHeroes, START, storedHero } from './claims.ts'
import { openRehearsal, SECRET, type Fault, type Rehearsal, type RehearsalGame } from './game.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()

let rehearsal: Rehearsal
let adapter: Adapter
let portal: ReturnType<typeof openHttpGame>
let game: RehearsalGame
let heroes = 0

beforeAll(async () => {
  if (missing !== null) return
  rehearsal = await openRehearsal()
  adapter = await startRehearsalAdapter(rehearsal.database)
  portal = openHttpGame({ url: adapter.url, secret: SECRET })
})
afterEach(() => game.end())
afterAll(async () => {
  await adapter?.close()
  await rehearsal?.end()
})

/** Before it has said that it takes charges, they are refused. */
async function startGame(collectors?: string[]): Promise<RehearsalGame> {
  const started = await rehearsal.startGame(collectors && { collectors })
  await eventually(async () => {
    const rows = await rehearsal.database.query("SELECT value FROM portal_state WHERE name = 'takes_charges'")
    expect(rows).toEqual([['yes']])
  })
  return started
}

async function aHero() {
  const id = ++heroes
  const account = `player${id}`
  await addHeroes(rehearsal.database, [{ id, account }])
  return { id, account }
}

type Hero = Awaited<ReturnType<typeof aHero>>

async function aHeroInGame() {
  const hero = await aHero()
  await game.enter(hero.account)
  return hero
}

const chargeOf = ({ id, account }: Hero, luong: number) => ({
  id: randomUUID(),
  serverId: '1',
  account,
  characterId: String(id),
  luong,
})

/** What the game took and gave under this id, by its own journal. */
async function journalOf(id: string): Promise<number[]> {
  const rows = await rehearsal.database.query(
    `SELECT luong FROM game_journal WHERE purchase = '${id}' ORDER BY line`,
  )
  return rows.map(([luong]) => Number(luong))
}

/** The same in memory and in the database. */
async function expectLuong({ account }: Hero, luong: number): Promise<void> {
  await eventually(async () => expect((await game.show(account))?.luong).toBe(luong))
  expect((await storedHero(rehearsal.database, account)).luong).toBe(luong)
}

const APPLIED = { kind: 'applied' }
const refused = (reason: string) => ({ kind: 'refused', reason })

describe.skipIf(missing !== null)('fees taken in the game (skipped without Java and MySQL)', () => {
  test('a notice is shown once: at once to who is in the game, and to others when they come', async () => {
    game = await startGame(['one', 'two'])
    const { database } = rehearsal
    const [here, away] = [await aHeroInGame(), await aHero()]
    const put = (account: string, text: string, from = 'UTC_TIMESTAMP(3)') =>
      database.query(
        `INSERT INTO portal_notice (id, body_hash, account, text, created_at, expires_at)
          VALUES (UUID(), '', '${account}', '${text}', ${from}, ${from} + INTERVAL 1 HOUR)`,
      )
    await put(here.account, 'Mã của bạn: 123456')
    await put(here.account, 'Mã đã cũ', 'UTC_TIMESTAMP(3) - INTERVAL 3 HOUR')
    await put(here.account, 'Mã rất cũ', 'UTC_TIMESTAMP(3) - INTERVAL 3 DAY')
    await put(away.account, 'Mã của bạn: 654321')
    const first = { account: here.account, sentence: 'Mã của bạn: 123456' }
    await eventually(async () => expect(await game.notices()).toEqual([first]))
    await game.enter(away.account)
    const second = { account: away.account, sentence: 'Mã của bạn: 654321' }
    await eventually(async () => expect(await game.notices()).toEqual([first, second]))
    const left = await database.query('SELECT text, shown_at IS NULL FROM portal_notice ORDER BY created_at')
    expect(left.map(([text, isOpen]) => [text, Number(isOpen)])).toEqual([
      ['Mã đã cũ', 1],
      [first.sentence, 0],
      [second.sentence, 0],
    ])
  })

  test('a notice that ends while it is about to be shown is not shown', async () => {
    game = await startGame()
    const { database } = rehearsal
    const { account } = await aHeroInGame()
    await database.query(
      `INSERT INTO portal_notice (id, body_hash, account, text, created_at, expires_at)
        VALUES ('ends', '', '${account}', 'Mã đã thay', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)`,
    )
    // As the adapter ends the oldest of several: the game has found it, and waits for its row.
    const adapters = await createConnection(database.url)
    await adapters.query('START TRANSACTION')
    await adapters.query("UPDATE portal_notice SET expires_at = UTC_TIMESTAMP(3) WHERE id = 'ends'")
    const waiting = `SELECT 1 FROM information_schema.PROCESSLIST WHERE INFO LIKE 'UPDATE portal_notice SET shown_at%'`
    await eventually(async () => expect(await database.query(waiting)).not.toEqual([]), 10_000)
    await adapters.query('COMMIT')
    await adapters.end()
    // The notices of one account are shown in their order.
    await database.query(
      `INSERT INTO portal_notice (id, body_hash, account, text, created_at, expires_at)
        VALUES ('next', '', '${account}', 'Mã mới', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)`,
    )
    await eventually(async () => expect(await game.notices()).toEqual([{ account, sentence: 'Mã mới' }]))
  })

  test('takes luong from memory and database at once, refuses more than there is, and gives back once', async () => {
    game = await startGame()
    const hero = await aHeroInGame()
    await game.spend(hero.account, 100)
    const charge = chargeOf(hero, 300)
    const both = await Promise.all([portal.charge(charge), portal.charge(charge)])
    expect(both).toEqual([APPLIED, APPLIED])
    await expectLuong(hero, START - 300)
    // The whole character is written, as with every save.
    expect((await storedHero(rehearsal.database, hero.account)).yen).toBe(START - 100)
    const tooMuch = chargeOf(hero, START - 299)
    expect(await portal.charge(tooMuch)).toEqual(refused('insufficient'))
    await portal.refundCharge(charge.id)
    await portal.refundCharge(charge.id)
    await expectLuong(hero, START)
    expect(await journalOf(charge.id)).toEqual([-300, 300])
    expect(await portal.charge(charge)).toEqual(refused('refunded'))
    expect(await portal.charge(tooMuch)).toEqual(refused('insufficient'))
    expect(await journalOf(tooMuch.id)).toEqual([])
  })

  test.runIf(hasAllCases)(
    'refuses a character that is away, also when it comes later; what is given back waits for it',
    async () => {
      game = await startGame()
      const away = await aHero()
      const charge = chargeOf(away, 10)
      expect(await portal.charge(charge)).toEqual(refused('offline'))
      await game.enter(away.account)
      const taken = chargeOf(away, 20)
      expect(await portal.charge(taken)).toEqual(APPLIED)
      expect(await portal.charge(charge)).toEqual(refused('offline'))
      await game.leave(away.account)
      await portal.refundCharge(taken.id)
      expect((await storedHero(rehearsal.database, away.account)).luong).toBe(START - 20)
      await game.enter(away.account)
      await expectLuong(away, START)
      expect([await journalOf(charge.id), await journalOf(taken.id)]).toEqual([[], [-20, 20]])
    },
  )

  test('a charge that was given back before it arrived is never taken', async () => {
    game = await startGame()
    const hero = await aHeroInGame()
    const charge = chargeOf(hero, 10)
    await portal.refundCharge(charge.id)
    expect(await portal.charge(charge)).toEqual(refused('refunded'))
    await expectLuong(hero, START)
  })

  test.each<[Fault, string]>([
    ['kill-before-commit', 'before the commit'],
    ['kill-after-commit', 'after the commit and before the change in memory'],
  ])('%s: a game killed %s has taken once after its restart', async (fault) => {
    game = await startGame()
    const hero = await aHeroInGame()
    await game.fault(fault)
    const charge = chargeOf(hero, 50)
    const first = portal.charge(charge)
    expect(await game.ended).toBe(137)
    expect(await journalOf(charge.id)).toEqual(fault === 'kill-after-commit' ? [-50] : [])
    game = await startGame()
    await game.enter(hero.account)
    expect(await first).toEqual(APPLIED)
    expect(await portal.charge(charge)).toEqual(APPLIED)
    await expectLuong(hero, START - 50)
    expect(await journalOf(charge.id)).toEqual([-50])
  })

  test.runIf(hasAllCases).each<[Fault, string]>([
    ['kill-before-commit', 'before the commit'],
    ['kill-after-commit', 'after the commit and before the change in memory'],
  ])('%s: a game killed %s of a refund has given back once after its restart', async (fault) => {
    game = await startGame()
    const hero = await aHeroInGame()
    const charge = chargeOf(hero, 50)
    expect(await portal.charge(charge)).toEqual(APPLIED)
    await game.fault(fault)
    await portal.refundCharge(charge.id)
    expect(await game.ended).toBe(137)
    game = await startGame()
    await game.enter(hero.account)
    await expectLuong(hero, START)
    expect(await journalOf(charge.id)).toEqual([-50, 50])
  })

  test.each(
    everyNth<Fault>(['commit-lost-before', 'commit-lost-after', 'commit-lost-open', 'deadlock'], 4, 2),
  )('%s: luong is taken once, and memory agrees with the database', async (fault) => {
    game = await startGame()
    const hero = await aHeroInGame()
    await game.fault(fault)
    const charge = chargeOf(hero, 50)
    expect(await portal.charge(charge)).toEqual(APPLIED)
    await expectLuong(hero, START - 50)
    await game.leave(hero.account)
    expect((await storedHero(rehearsal.database, hero.account)).luong).toBe(START - 50)
    expect(await journalOf(charge.id)).toEqual([-50])
  })

  test('two processes that both have the player: each charge is taken by one of them', async () => {
    game = await startGame(['one'])
    const second = await startGame(['other'])
    const hero = await aHeroInGame()
    await second.enter(hero.account)
    const charges = Array.from({ length: 20 }, () => chargeOf(hero, 1))
    const outcomes = await Promise.all(charges.map((charge) => portal.charge(charge)))
    expect(outcomes).toEqual(charges.map(() => APPLIED))
    for (const { id } of charges) expect(await journalOf(id)).toEqual([-1])
    await second.end()
  })
})
