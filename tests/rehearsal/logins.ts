import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { addHeroes } from './claims.ts'
import { type FakePortal, startFakePortal } from './fake-portal.ts'
import { type GameOptions, openRehearsal, type Rehearsal, type RehearsalGame } from './game.ts'

export const PASSWORD = 'mật khẩu "của tôi" %_'
export const SOON = 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR'
export const FOR_GOOD = "'9999-12-31 00:00:00'"

/** The rehearsal game beside a portal that a test can answer for, for the tests of one file. */
export class LoginWorld {
  rehearsal!: Rehearsal
  portal!: FakePortal
  game!: RehearsalGame
  #heroes = 0

  readonly query = (sql: string) => this.rehearsal.database.query(sql)

  readonly startGame = (options: GameOptions = {}) =>
    this.rehearsal.startGame({ portalUrl: this.portal.url, ...options })

  async restartGame(options: GameOptions = {}): Promise<void> {
    await this.game.end()
    this.game = await this.startGame(options)
  }

  async aHero(): Promise<string> {
    const id = ++this.#heroes
    await addHeroes(this.rehearsal.database, [{ id, account: `hero${id}` }])
    return `hero${id}`
  }

  /** A player who has logged in by the portal and left again. */
  async aKnownHero(): Promise<string> {
    const account = await this.aHero()
    this.portal.acceptPassword(PASSWORD)
    const { result } = await this.game.login(account, PASSWORD)
    if (result !== 'OK') throw new Error(`the first login of ${account} was answered ${result}`)
    await this.game.leave(account)
    return account
  }

  /** Up to when the portal has told the game everything about its accounts, by its own word. */
  readonly setAccountsUntil = (time: string) =>
    this.query(
      `REPLACE INTO portal_state (name, value)
       VALUES ('accounts_until', CONCAT(REPLACE(LEFT(CAST(${time} AS CHAR), 19), ' ', 'T'), '.000Z'))`,
    )

  /** What the portal has told about an account. */
  readonly tell = (account: string, { banned = 'NULL', changed = 'NULL', activated = 1 } = {}) =>
    this.query(
      `REPLACE INTO portal_account (account, activated, banned_until, password_changed_at, version, changed_at)
       VALUES ('${account}', ${activated}, ${banned}, ${changed}, 1, UTC_TIMESTAMP(3))`,
    )
}

/** `isThere`: whether there are Java and a game database; without them nothing is started. */
export function useLoginWorld(isThere: boolean): LoginWorld {
  const world = new LoginWorld()
  if (!isThere) return world
  beforeAll(async () => {
    world.rehearsal = await openRehearsal()
  })
  beforeEach(async () => {
    world.portal = await startFakePortal()
    world.game = await world.startGame()
    await world.setAccountsUntil('UTC_TIMESTAMP(3)')
  })
  afterEach(async () => {
    await world.game.end()
    await world.portal.close()
  })
  afterAll(() => world.rehearsal?.end())
  return world
}
