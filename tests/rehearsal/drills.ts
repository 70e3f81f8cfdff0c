import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Good } from '#contract/deliveries.ts'
import { inMs, type Random, secondsSince, seeded, sum } from '../harness/numbers.ts'
import { addClaim, addHeroes, emptyTables, item, luong, START, yen } from './claims.ts'
import { DRILL_FAULTS, type DrillPlace, openSmallDisk, type SmallDisk } from './drill-faults.ts'
import { startFakePortal } from './fake-portal.ts'
import { openRehearsal, type Rehearsal, type RehearsalGame } from './game.ts'

const PASSWORD = 'mat-khau-cu'
const HEROES = 24
/** The first of them log in again and again, the last of them come and go. */
const KNOWN = 4
const MOVING = 6
/** What this is about: how long a message of a player may take. */
const MESSAGE_MS_MAX = 1_000
const SETTLE_MS_MAX = 120_000
const BALLAST = 'CREATE TABLE a_ballast (text LONGTEXT) SELECT REPEAT(RAND(), 5000) AS text FROM seq_1_to_300'

export type DrillPlan = { seconds: number; seed: number; only?: string }

type Hero = { id: number; account: string; luong: number; yen: number }

/** Purchases, messages and logins of a game while something goes wrong around it; then everything is compared. */
export async function drill(plan: DrillPlan): Promise<boolean> {
  await promisify(execFile)('mysqldump', ['--version']).catch((cause: unknown) => {
    throw new Error('There is no mysqldump: it comes with mariadb-client', { cause })
  })
  let isClean = true
  const disk = await openSmallDisk()
  try {
    for (const isOfManyTables of [false, true]) {
      const rehearsal = await openRehearsal({ isOfManyTables })
      try {
        await rehearsal.database.query(BALLAST)
        for (const name of Object.keys(DRILL_FAULTS)) {
          if (!name.includes(plan.only ?? '')) continue
          const report = await new Drill(rehearsal, disk, { ...plan, name }).run()
          console.log(JSON.stringify({ shape: isOfManyTables ? 'many tables' : 'one row', ...report }))
          isClean &&= report.isClean
        }
      } finally {
        await rehearsal.end()
      }
    }
  } finally {
    await disk.end()
  }
  return isClean
}

class Drill {
  readonly #rehearsal: Rehearsal
  readonly #disk: SmallDisk
  readonly #plan: DrillPlan & { name: string }
  readonly #random: Random
  readonly #heroes: Hero[]
  readonly #isHalfLocked: boolean
  #game!: RehearsalGame
  #isOver = false
  #messages = 0
  #slowest = 0
  #logins = 0
  #slowestLogin = 0
  #moves = 0
  readonly #refused: string[] = []

  constructor(rehearsal: Rehearsal, disk: SmallDisk, plan: DrillPlan & { name: string }) {
    this.#rehearsal = rehearsal
    this.#disk = disk
    this.#plan = plan
    this.#random = seeded(plan.seed)
    this.#isHalfLocked = plan.name === 'half a lock'
    this.#heroes = Array.from({ length: HEROES }, (_, index) => ({
      id: index + 1,
      account: `Hero${index}`,
      luong: START,
      yen: START,
    }))
  }

  async run() {
    const began = performance.now()
    const { database } = this.#rehearsal
    await this.#prepare()
    const portal = await startFakePortal()
    portal.acceptPassword(PASSWORD)
    this.#game = await this.#rehearsal.startGame({ portalUrl: portal.url, isHalfLocked: this.#isHalfLocked })
    for (const { account } of this.#heroes) await this.#game.enter(account.toLowerCase())
    for (const { account } of this.#known()) await this.#game.login(account, PASSWORD)
    await this.#untilKept()
    const loops = [
      this.#buy(),
      this.#play(),
      ...this.#known().map((hero) => this.#login(hero)),
      ...this.#heroes.slice(-MOVING).map((hero) => this.#move(hero)),
    ]
    await sleep(2_000)
    const place: DrillPlace = { database, portal, disk: this.#disk }
    const end = await DRILL_FAULTS[this.#plan.name]?.(place)
    await sleep(this.#plan.seconds * 1_000)
    await end?.()
    await sleep(2_000)
    this.#isOver = true
    await Promise.all(loops)
    for (const { account } of this.#heroes) await this.#game.enter(account.toLowerCase())
    const settledAfter = await this.#untilSettled()
    const wrongMemory = await this.#wrongHeroes((hero) => this.#game.show(hero.account.toLowerCase()))
    await this.#game.end()
    await portal.close()
    const stored = await this.#stored()
    const wrongStored = await this.#wrongHeroes((hero) => Promise.resolve(stored.get(hero.id) ?? null))
    const journal = await this.#journal()
    const things = await this.#things()
    const saysHalfLock = this.#game.log().includes('HALF A LOCK')
    const faults = {
      ...journal,
      wrongMemory,
      wrongStored,
      lostThings: Math.abs(things),
      refusedLogins: this.#refused.length,
      slowMessage: this.#slowest > MESSAGE_MS_MAX ? 1 : 0,
      wrongWordOfLock: saysHalfLock === this.#isHalfLocked ? 0 : 1,
    }
    return {
      name: this.#plan.name,
      claims: await this.#count('portal_delivery'),
      messages: this.#messages,
      slowestMessageMs: inMs(this.#slowest),
      logins: this.#logins,
      slowestLoginMs: inMs(this.#slowestLogin),
      refused: [...new Set(this.#refused)],
      moves: this.#moves,
      settledAfter,
      faults,
      seconds: secondsSince(began),
      isClean: Object.values(faults).every((count) => count === 0),
    }
  }

  #known = () => this.#heroes.slice(0, KNOWN)

  async #prepare(): Promise<void> {
    const { database } = this.#rehearsal
    await emptyTables(database)
    if (await this.#hasItemTable()) await database.query('DELETE FROM game_item')
    await database.query(
      `DELETE FROM portal_login; DELETE FROM portal_state;
       REPLACE INTO portal_state (name, value)
       VALUES ('accounts_until', CONCAT(REPLACE(LEFT(CAST(UTC_TIMESTAMP(3) AS CHAR), 19), ' ', 'T'), '.000Z'))`,
    )
    await addHeroes(database, this.#heroes)
  }

  async #untilKept(): Promise<void> {
    for (let tries = 0; (await this.#count('portal_login')) < KNOWN; tries++) {
      if (tries > 200) throw new Error('no login is kept')
      await sleep(100)
    }
  }

  async #hasItemTable(): Promise<boolean> {
    return (await this.#rehearsal.database.query("SHOW TABLES LIKE 'game_item'")).length > 0
  }

  async #count(table: string): Promise<number> {
    const [row] = await this.#rehearsal.database.query(`SELECT COUNT(*) FROM ${table}`)
    return Number(row?.[0])
  }

  /** Some goods for somebody; those that no database takes are not bought. */
  async #buy(): Promise<void> {
    const kinds: (() => Good[])[] = [
      () => [luong(1 + this.#random.below(50))],
      () => [luong(3), yen(1 + this.#random.below(50))],
      () => [yen(1 + this.#random.below(50))],
    ]
    for (let count = 1; !this.#isOver; count++) {
      const goods = count % 30 === 0 ? [luong(1), item('sword')] : this.#random.pick(kinds)()
      const buying = addClaim(this.#rehearsal.database, this.#random.pick(this.#heroes).id, goods)
      // A connection whose database is killed may never end.
      await Promise.race([buying.catch(() => {}), sleep(3_000)])
      await sleep(40)
    }
  }

  /** What players do, each in their turn, as fast as the game answers. */
  async #play(): Promise<void> {
    while (!this.#isOver) {
      const [hero, other] = [this.#random.pick(this.#heroes), this.#random.pick(this.#heroes)]
      await this.#send(this.#random.below(2) === 0 ? () => this.#spend(hero) : () => this.#trade(hero, other))
      // A message that takes the lock of the saves, also where the others take another one.
      await this.#send(() => this.#game.show(hero.account.toLowerCase()))
      await sleep(2)
    }
  }

  async #send(message: () => Promise<unknown>): Promise<void> {
    const began = performance.now()
    await message()
    this.#slowest = Math.max(this.#slowest, performance.now() - began)
    this.#messages++
  }

  async #spend(hero: Hero): Promise<void> {
    const left = await this.#game.spend(hero.account.toLowerCase(), 1).catch(() => null)
    if (left !== null) hero.yen--
  }

  async #trade(from: Hero, to: Hero): Promise<void> {
    const isDone = await this.#game.call('trade', from.account.toLowerCase(), to.account.toLowerCase())
    if (isDone !== true) return
    from.luong--
    to.luong++
  }

  async #login({ account }: Hero): Promise<void> {
    while (!this.#isOver) {
      const began = performance.now()
      const { result, account: name } = await this.#game.login(
        account,
        PASSWORD,
        `203.0.113.${account.length}`,
      )
      this.#slowestLogin = Math.max(this.#slowestLogin, performance.now() - began)
      this.#logins++
      if (result !== 'OK' || name !== account.toLowerCase()) this.#refused.push(result)
      await sleep(2_500)
    }
  }

  /** Out, and in again a moment later. */
  async #move({ account }: Hero): Promise<void> {
    while (!this.#isOver) {
      await this.#game.leave(account.toLowerCase())
      await sleep(500 + this.#random.below(300))
      // Without a database nobody comes in.
      await this.#game.enter(account.toLowerCase()).catch(() => {})
      this.#moves++
      await sleep(this.#random.below(300))
    }
  }

  /** Seconds until everything that was bought is collected, but for what a full bag keeps waiting. */
  async #untilSettled(): Promise<number> {
    const began = performance.now()
    for (;;) {
      const [row] = await this.#rehearsal.database.query(
        `SELECT COUNT(*) FROM portal_delivery WHERE collected_at IS NULL AND (waiting IS NULL OR waiting <> 'bag-full')`,
      )
      if (row?.[0] === '0') break
      if (performance.now() - began > SETTLE_MS_MAX)
        throw new Error(`${row?.[0]} purchases are not collected:\n${this.#game.log()}`)
      await sleep(200)
    }
    // What is committed is in memory a moment later.
    await sleep(1_000)
    return secondsSince(began)
  }

  async #collected(): Promise<{ hero: number; goods: Good[] }[]> {
    const rows = await this.#rehearsal.database.query(
      'SELECT character_id, goods FROM portal_delivery WHERE collected_at IS NOT NULL',
    )
    return rows.map(([hero, goods]) => ({ hero: Number(hero), goods: JSON.parse(goods ?? '[]') as Good[] }))
  }

  /** Heroes who do not have what they began with, earned, traded and spent. */
  async #wrongHeroes(
    viewOf: (hero: Hero) => Promise<{ luong: number; yen: number } | null>,
  ): Promise<number> {
    const collected = await this.#collected()
    let wrong = 0
    for (const hero of this.#heroes) {
      const goods = collected.filter((one) => one.hero === hero.id).flatMap((one) => one.goods)
      const total = (kind: Good['kind']) =>
        sum(goods.filter((good) => good.kind === kind).map(({ quantity }) => quantity))
      const view = await viewOf(hero)
      if (view?.luong !== hero.luong + total('luong') || view.yen !== hero.yen + total('yen')) wrong++
    }
    return wrong
  }

  async #stored() {
    const rows = await this.#rehearsal.database.query(
      'SELECT c.id, a.luong, c.yen FROM game_character c JOIN game_account a ON a.id = c.account_id',
    )
    return new Map(rows.map(([id, gold, coins]) => [Number(id), { luong: Number(gold), yen: Number(coins) }]))
  }

  async #journal(): Promise<{ doubled: number; lost: number; unmarked: number }> {
    const [row] = await this.#rehearsal.database.query(
      `SELECT SUM(given > 1), SUM(given = 0 AND collected_at IS NOT NULL), SUM(given > 0 AND collected_at IS NULL)
         FROM (SELECT d.id, d.collected_at, COUNT(j.line) AS given
                 FROM portal_delivery d LEFT JOIN game_journal j ON j.purchase = d.id GROUP BY d.id, d.collected_at) one`,
    )
    const [doubled = -1, lost = -1, unmarked = -1] = (row ?? []).map(Number)
    return { doubled, lost, unmarked }
  }

  /** How many things more or fewer are in the stored bags than were given. */
  async #things(): Promise<number> {
    const given = (await this.#collected())
      .flatMap(({ goods }) => goods)
      .filter(({ kind }) => kind === 'item')
    const [row] = await this.#rehearsal.database.query(
      "SELECT COALESCE(SUM(LENGTH(bag) - LENGTH(REPLACE(bag, 'sword', 'swor'))), 0) FROM game_character",
    )
    return ((await this.#hasItemTable()) ? await this.#count('game_item') : Number(row?.[0])) - given.length
  }
}
