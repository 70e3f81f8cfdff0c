import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/purchases.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import {
  addClaim,
  addClaims,
  addHeroes,
  CAP,
  item,
  luong,
  START,
  stateOf,
  storedHero,
  timesGiven,
  yen,
} from './claims.ts'
import { rehearseCrowd } from './crowd.ts'
import { rehearseNotices } from './notices.ts'
import { type Fault, openRehearsal, type Rehearsal, type RehearsalGame, SECRET } from './game.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()

let rehearsal: Rehearsal
let game: RehearsalGame
let heroes = 0

beforeAll(async () => {
  if (missing === null) rehearsal = await openRehearsal()
})
afterEach(() => game?.end())
afterAll(() => rehearsal?.end())

/** A character in the database, and in the game if it is running. */
async function aHero(start: { luong?: number; yen?: number; bag?: string } = {}) {
  const id = ++heroes
  const account = `player${id}`
  await addHeroes(rehearsal.database, [{ id, account, ...start }])
  return { id, account }
}

async function aHeroInGame(start: Parameters<typeof aHero>[0] = {}) {
  const hero = await aHero(start)
  await game.enter(hero.account)
  return hero
}

const expectState = (claim: string, state: string) =>
  eventually(async () => expect(await stateOf(rehearsal.database, claim)).toBe(state))

/** Collected, given once by the journal, and the same in memory and in the database. */
async function expectGivenOnce(claim: string, account: string, luongNow: number): Promise<void> {
  await expectState(claim, 'collected')
  expect(await timesGiven(rehearsal.database, claim)).toBe(1)
  await eventually(async () => expect((await game.show(account))?.luong).toBe(luongNow))
  expect((await storedHero(rehearsal.database, account)).luong).toBe(luongNow)
}

describe.skipIf(missing !== null)('the part inside the game (skipped without Java and MySQL)', () => {
  test('gives what fits and stores why the rest waits; nothing holds up anything else', async () => {
    game = await rehearsal.startGame()
    const { database } = rehearsal
    const full = await aHeroInGame()
    await game.fill(full.account, 30)
    const rich = await aHeroInGame({ luong: CAP - 10 })
    const away = await aHero()
    const claims = {
      'bag-full': await addClaim(database, full.id, [luong(5), item('sword')]),
      'over-limit': await addClaim(database, rich.id, [luong(11)]),
      'unknown-item': await addClaim(database, full.id, [luong(5), item('mystery')]),
      offline: await addClaim(database, away.id, [luong(5)]),
    }
    const strange = [
      await addClaim(database, full.id, '[{"kind":"mount","quantity":1}]'),
      await addClaim(database, full.id, 'no JSON'),
      await addClaim(database, full.id, '[{"kind":"luong","quantity":1.5}]'),
    ]
    const failing = await addClaim(database, full.id, [item('broken')])
    const fitting = await addClaim(database, full.id, [luong(7), yen(8)])
    const exact = await addClaim(database, rich.id, [luong(10)])
    await expectGivenOnce(fitting, full.account, START + 7)
    await expectGivenOnce(exact, rich.account, CAP)
    for (const [reason, claim] of Object.entries(claims)) await expectState(claim, reason)
    for (const claim of strange) await expectState(claim, 'unknown-item')
    // What the game cannot give for now stays; the log has the reason.
    await expectState(failing, 'bag-full')
    await game.fill(full.account, 0)
    await expectGivenOnce(claims['bag-full'], full.account, START + 12)
    await eventually(async () => expect(game.log()).toContain('this item cannot be given'))
    expect(await timesGiven(database, failing)).toBe(0)
    await game.enter(away.account)
    await expectGivenOnce(claims.offline, away.account, START + 5)
  })

  test.each<[Fault, string]>([
    ['kill-before-commit', 'before the commit'],
    ['kill-after-commit', 'after the commit and before the change in memory'],
  ])('%s: a game killed %s has given once after its restart', async (fault) => {
    game = await rehearsal.startGame()
    const hero = await aHeroInGame()
    await game.spend(hero.account, 100)
    await game.fault(fault)
    const claim = await addClaim(rehearsal.database, hero.id, [luong(50), item('pet')])
    expect(await game.ended).toBe(137)
    const isGiven = fault === 'kill-after-commit'
    expect(await timesGiven(rehearsal.database, claim)).toBe(isGiven ? 1 : 0)
    game = await rehearsal.startGame()
    await game.enter(hero.account)
    await expectGivenOnce(claim, hero.account, START + 50)
    // A gift writes the whole character: what was spent before it is spent, or nothing of both.
    expect((await game.show(hero.account))?.yen).toBe(isGiven ? START - 100 : START)
  })

  test.each(
    everyNth<Fault>(['commit-lost-before', 'commit-lost-after', 'commit-lost-open', 'deadlock'], 4, 1),
  )('%s: goods are given once, and memory agrees with the database', async (fault) => {
    game = await rehearsal.startGame()
    const hero = await aHeroInGame()
    await game.fault(fault)
    const claim = await addClaim(rehearsal.database, hero.id, [luong(50)])
    await expectGivenOnce(claim, hero.account, START + 50)
    await game.leave(hero.account)
    expect((await storedHero(rehearsal.database, hero.account)).luong).toBe(START + 50)
  })

  test.runIf(hasAllCases)(
    'a game that commits by itself gives nothing; the log says what it may not do',
    async () => {
      game = await rehearsal.startGame()
      const hero = await aHeroInGame()
      await game.fault('commit-in-give')
      const claim = await addClaim(rehearsal.database, hero.id, [luong(50)])
      await expectGivenOnce(claim, hero.account, START + 50)
      expect(game.log()).toContain('give may not call commit')
    },
  )

  test('two processes that both have the player: each claim is given by one of them', async () => {
    game = await rehearsal.startGame({ collectors: ['one'] })
    const second = await rehearsal.startGame({ collectors: ['other'] })
    const hero = await aHeroInGame()
    await second.enter(hero.account)
    const claims = Array.from({ length: 60 }, () => ({
      id: randomUUID(),
      characterId: hero.id,
      goods: [luong(1)],
    }))
    await addClaims(rehearsal.database, claims)
    for (const { id } of claims) await expectState(id, 'collected')
    const [row] = await rehearsal.database.query(
      `SELECT COUNT(*), COUNT(DISTINCT purchase) FROM game_journal WHERE character_id = ${hero.id}`,
    )
    expect(row).toEqual(['60', '60'])
    await second.end()
  })

  test.runIf(hasAllCases)(
    'a character whose row is locked by something else gets its goods later; others do not wait',
    async () => {
      game = await rehearsal.startGame()
      const [locked, other] = [await aHeroInGame(), await aHeroInGame()]
      const release = await rehearsal.database.hold(
        `SELECT id FROM game_character WHERE id = ${locked.id} FOR UPDATE`,
      )
      const first = await addClaim(rehearsal.database, locked.id, [luong(1)])
      const second = await addClaim(rehearsal.database, other.id, [luong(2)])
      await expectGivenOnce(second, other.account, START + 2)
      expect(await stateOf(rehearsal.database, first)).not.toBe('collected')
      await release()
      await expectGivenOnce(first, locked.account, START + 1)
    },
  )

  test('a database that is killed while goods are given: each of them once, after its return', async () => {
    game = await rehearsal.startGame({ collectors: ['one', 'other'] })
    const hero = await aHeroInGame()
    const claims = Array.from({ length: 300 }, () => ({
      id: randomUUID(),
      characterId: hero.id,
      goods: [luong(1)],
    }))
    await addClaims(rehearsal.database, claims)
    await eventually(async () => expect((await game.show(hero.account))?.luong).toBeGreaterThan(START + 20))
    await rehearsal.database.kill()
    await rehearsal.database.start()
    const last = await addClaim(rehearsal.database, hero.id, [luong(1)])
    await expectGivenOnce(last, hero.account, START + 301)
    const [row] = await rehearsal.database.query(
      `SELECT COUNT(*), COUNT(DISTINCT purchase) FROM game_journal WHERE character_id = ${hero.id}`,
    )
    expect(row).toEqual(['301', '301'])
    // The address of the database, with its password, is in no line about what went wrong.
    expect(game.log()).toContain('[portal] ')
    for (const secret of [SECRET, rehearsal.database.password]) expect(game.log()).not.toContain(secret)
  })

  test.runIf(hasAllCases)(
    'without its tables it waits, and the log says which command makes them',
    async () => {
      await rehearsal.database.query('RENAME TABLE portal_delivery TO elsewhere')
      game = await rehearsal.startGame()
      const hero = await aHeroInGame()
      await eventually(async () => expect(game.log()).toContain('npm run game-adapter -- install'))
      await rehearsal.database.query('RENAME TABLE elsewhere TO portal_delivery')
      const claim = await addClaim(rehearsal.database, hero.id, [luong(1)])
      await expectGivenOnce(claim, hero.account, START + 1)
      await game.spend(hero.account, 30)
      await game.end()
      // Shut down with everybody saved, though its threads would run for ever.
      expect(await game.ended).toBe(0)
      expect((await storedHero(rehearsal.database, hero.account)).yen).toBe(START - 30)
    },
  )

  test.runIf(hasAllCases)('its sign of life is seconds old', async () => {
    game = await rehearsal.startGame({ collectors: ['alive'] })
    await eventually(async () => {
      const rows = await rehearsal.database.query(
        "SELECT TIMESTAMPDIFF(SECOND, seen_at, UTC_TIMESTAMP(3)) < 3 FROM portal_collector WHERE name = 'alive'",
      )
      expect(rows).toEqual([['1']])
    })
  })

  test.runIf(hasAllCases)(
    'a crowd of players, two processes, three collectors and kills: each claim and charge exactly once',
    async () => {
      const report = await rehearseCrowd(rehearsal, { claims: 250, kills: 3, seed: 27 })
      expect(report).toMatchObject({ isClean: true, claims: 250 })
      expect(report.collected).toBeGreaterThan(150)
      expect(report.charges.taken).toBeGreaterThan(15)
      expect(report.charges.givenBack).toBeGreaterThan(3)
      expect(Object.keys(report.waiting).toSorted()).toEqual(['over-limit', 'unknown-item'])
    },
  )

  test.runIf(hasAllCases)(
    'notices while game, adapter and database are killed: each is shown at most once, in time and to its player',
    async () => {
      const report = await rehearseNotices(rehearsal, { notices: 120, kills: 4, seed: 27 })
      expect(report).toMatchObject({ isClean: true, stored: 120, wrong: [] })
      expect(report.shown).toBeGreaterThan(30)
      expect(report.descriptions).toBeGreaterThan(20)
    },
  )
})
