import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#tests/support/purchases.ts'
import { addClaim, addHeroes, item, luong, START, stateOf, storedHero, timesGiven } from './claims.ts'
import { startFakePortal } from './fake-portal.ts'
import { type Fault, openRehearsal, type Rehearsal, type RehearsalGame } from './game.ts'
import { whyNoRehearsal } from './machine.ts'

const missing = await whyNoRehearsal()
/** No message of the game may wait longer for its lock; less than what a database that stops may hold it. */
const MS_MAX = 500

let rehearsal: Rehearsal
let game: RehearsalGame
let heroes = 0

beforeAll(async () => {
  if (missing === null) rehearsal = await openRehearsal()
})
afterEach(() => game.end())
afterAll(() => rehearsal?.end())

async function aHeroInGame() {
  const id = ++heroes
  const account = `player${id}`
  await addHeroes(rehearsal.database, [{ id, account }])
  await game.enter(account)
  return { id, account }
}

/** The longest answer to a message of a player, which takes the game's lock, until the game's log says this. */
async function longestAnswer(account: string, until: string): Promise<number> {
  let longest = 0
  const end = performance.now() + 20_000
  while (!game.log().includes(until) && longest < 1_000) {
    const began = performance.now()
    await Promise.race([game.show(account), sleep(3 * MS_MAX)])
    longest = Math.max(longest, performance.now() - began)
    if (performance.now() > end) throw new Error(`the log never says ${until}:\n${game.log()}`)
  }
  return longest
}

async function expectGivenOnce(claim: string, account: string, expected: object): Promise<void> {
  await eventually(async () => expect(await stateOf(rehearsal.database, claim)).toBe('collected'))
  await eventually(async () => expect(await game.show(account)).toMatchObject(expected))
  await eventually(async () => expect(await storedHero(rehearsal.database, account)).toMatchObject(expected))
  expect(await timesGiven(rehearsal.database, claim)).toBe(1)
}

describe.skipIf(missing !== null)("the game's lock (skipped without Java and MySQL)", () => {
  test.each(['WRITE', 'READ'])('is free while the tables are locked for %s', async (kind) => {
    game = await rehearsal.startGame()
    const { id, account } = await aHeroInGame()
    const release = await rehearsal.database.hold(`LOCK TABLES game_character ${kind}`)
    const claim = await addClaim(rehearsal.database, id, [luong(50)])
    expect(await longestAnswer(account, 'is tried again later')).toBeLessThan(MS_MAX)
    await release()
    await expectGivenOnce(claim, account, { luong: START + 50 })
  })

  test.each(['WRITE', 'READ'])(
    'is free while others log out and in with the tables locked for %s, and nothing of them is lost',
    async (kind) => {
      game = await rehearsal.startGame()
      const [watcher, leaver, comer] = [await aHeroInGame(), await aHeroInGame(), await aHeroInGame()]
      await game.spend(leaver.account, 7)
      await game.leave(comer.account)
      const release = await rehearsal.database.hold(
        `LOCK TABLES game_account ${kind}, game_character ${kind}`,
      )
      const moving = Promise.all([game.leave(leaver.account), game.enter(comer.account)])
      expect(await longestAnswer(watcher.account, 'cannot be saved yet')).toBeLessThan(MS_MAX)
      await release()
      expect(await moving).toEqual([true, true])
      expect(await game.online()).toEqual([watcher.account, comer.account])
      expect(await storedHero(rehearsal.database, leaver.account)).toMatchObject({ yen: START - 7 })
    },
  )

  test('is free while the database is stopped and others log out and in', async () => {
    game = await rehearsal.startGame()
    const [watcher, leaver] = [await aHeroInGame(), await aHeroInGame()]
    await game.spend(leaver.account, 7)
    await rehearsal.database.kill()
    const leaving = game.leave(leaver.account)
    expect(await longestAnswer(watcher.account, 'cannot be saved yet')).toBeLessThan(MS_MAX)
    await rehearsal.database.start()
    expect(await leaving).toBe(true)
    expect(await storedHero(rehearsal.database, leaver.account)).toMatchObject({ yen: START - 7 })
    const claim = await addClaim(rehearsal.database, watcher.id, [luong(50)])
    await expectGivenOnce(claim, watcher.account, { luong: START + 50 })
  })

  test.each([false, true])(
    'whoever comes and goes again right after a gift keeps what they did then; with half a lock: %s',
    async (isHalfLocked) => {
      game = await rehearsal.startGame({ isHalfLocked })
      const { id, account } = await aHeroInGame()
      const claim = await addClaim(rehearsal.database, id, [luong(50)])
      await expectGivenOnce(claim, account, { luong: START + 50 })
      await game.leave(account)
      await game.enter(account)
      await game.spend(account, 7)
      await game.leave(account)
      await sleep(1_000)
      expect(await storedHero(rehearsal.database, account)).toMatchObject({
        luong: START + 50,
        yen: START - 7,
      })
    },
  )

  test('whoever comes while another connection of theirs plays and leaves loads the character again', async () => {
    game = await rehearsal.startGame()
    const { account } = await aHeroInGame()
    await game.leave(account)
    await game.fault('visit-after-load')
    await game.enter(account)
    expect(await game.show(account)).toMatchObject({ yen: START - 7 })
  })

  test('is free while nobody knows whether a gift was committed; it arrives as the character is then', async () => {
    game = await rehearsal.startGame()
    const { id, account } = await aHeroInGame()
    await game.fault('commit-lost-away')
    const claim = await addClaim(rehearsal.database, id, [luong(50)])
    expect(await longestAnswer(account, 'is not known yet')).toBeLessThan(1_000)
    // Of the database before the gift; spent since.
    expect(await game.spend(account, 10)).toBe(START - 10)
    expect((await game.show(account))?.luong).toBe(START)
    await game.fault('none')
    await expectGivenOnce(claim, account, { luong: START + 50, yen: START - 10 })
  })

  test.each<Fault>(['change-before-commit', 'change-at-commit'])(
    'that somebody does not take, %s: nothing is overwritten, and the log and the database tell',
    async (fault) => {
      game = await rehearsal.startGame()
      const { id, account } = await aHeroInGame()
      await rehearsal.database.query('DELETE FROM portal_state')
      await game.fault(fault)
      const claim = await addClaim(rehearsal.database, id, [luong(50)])
      await expectGivenOnce(claim, account, { luong: START + 50, yen: START - 10 })
      expect(game.log()).toContain('HALF A LOCK: with settings.lock held, a character was changed')
      await eventually(async () => {
        const rows = await rehearsal.database.query(
          `SELECT ABS(TIMESTAMPDIFF(SECOND, value, UTC_TIMESTAMP(3))) < 60 FROM portal_state
            WHERE name = 'half_lock_seen_at'`,
        )
        expect(rows).toEqual([['1']])
      })
    },
  )

  test('that a log-out does not take: the older save is mended, and the log tells', async () => {
    game = await rehearsal.startGame()
    const { id, account } = await aHeroInGame()
    await game.fault('leave-at-commit')
    const claim = await addClaim(rehearsal.database, id, [luong(50)])
    await eventually(async () => expect(game.log()).toContain('left the game with an older save'))
    await eventually(async () =>
      expect(await storedHero(rehearsal.database, account)).toMatchObject({ luong: START + 50 }),
    )
    expect(await timesGiven(rehearsal.database, claim)).toBe(1)
  })
})

describe.skipIf(missing !== null)(
  'a game of many tables whose saves read memory (skipped without Java and MySQL)',
  () => {
    let scattered: Rehearsal
    beforeAll(async () => {
      scattered = await openRehearsal({ isOfManyTables: true })
    })
    afterAll(() => scattered.end())

    test('gets its goods, with names whose capitals its tables tell apart', async () => {
      const portal = await startFakePortal()
      portal.acceptPassword('x')
      game = await scattered.startGame({ portalUrl: portal.url })
      await addHeroes(scattered.database, [{ id: 1, account: 'HoangTuan' }])
      expect(await game.login('hoangTUAN', 'x')).toMatchObject({ result: 'OK', account: 'hoangtuan' })
      const claim = await addClaim(scattered.database, 1, [luong(50), item('sword')])
      await eventually(async () => expect(await stateOf(scattered.database, claim)).toBe('collected'))
      await eventually(async () =>
        expect(await game.show('hoangtuan')).toEqual({ luong: START + 50, yen: START, bag: 'sword:1:0' }),
      )
      // No second account beside the one with capitals.
      expect(await scattered.database.query('SELECT username, luong FROM game_account')).toEqual([
        ['HoangTuan', String(START + 50)],
      ])
      expect(await scattered.database.query('SELECT code FROM game_item')).toEqual([['sword']])
      expect(await timesGiven(scattered.database, claim)).toBe(1)
      await portal.close()
    })
  },
)
