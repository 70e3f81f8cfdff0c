import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Role } from '#contract/operator/roles.ts'
import { openReferee, type Referee } from '#server/modules/tournaments/testing/referee.ts'
import { startTestApp, type TestApp } from './app.ts'
import { openAccounts } from './bank.ts'
import { startTestGame, type TestGame } from './game-server.ts'
import { mailEnvironment, startMailServer, type MailServer } from './mail-server.ts'
import { anEmail, proveEmail } from './mail.ts'
import { anOperator, type TestOperator } from './operators.ts'
import { openPlanner, type Planner } from './plans.ts'
import { aPlayer, type Portal, type TestPlayer } from './players.ts'
import { startPollingApp, type PollingApp } from './polled-providers.ts'
import { charactersOf } from './purchases.ts'

/**
 * `test` with people of the portal: a test that names `player` or `owner` among its arguments gets a new one; the owner is
 * an operator with a fresh proof. `const test = testWith(portal)` after `useTestApp()` or `useMailingApp()`.
 */
export const testWith = (portal: Portal) =>
  test.extend('player', () => aPlayer(portal)).extend('owner', () => anOperator(portal, 'owner'))

/** Operators of a test file by name, each with a fresh proof: `const { owner } = useOperators(portal, { owner: 'owner' })`. */
export function useOperators<Name extends string>(
  portal: Portal,
  roles: Record<Name, Role>,
): Record<Name, TestOperator> {
  const names = Object.keys(roles) as Name[]
  const operators = Object.fromEntries(names.map((name) => [name, {}])) as Record<Name, TestOperator>
  beforeAll(async () => {
    for (const name of names) Object.assign(operators[name], await anOperator(portal, roles[name]))
  })
  return operators
}

/** The portal of a test file and the mail server that it sends through. */
export function useMailingApp() {
  const mailing = {
    server: {} as MailServer,
    portal: {} as TestApp,
    async aPlayerWithEmail() {
      const player = await aPlayer(mailing.portal)
      const email = anEmail()
      await proveEmail(mailing.portal, mailing.server, { player, email })
      return { player, email }
    },
  }
  beforeAll(async () => {
    Object.assign(mailing.server, await startMailServer())
    Object.assign(mailing.portal, await startTestApp({ environment: mailEnvironment(mailing.server) }))
  })
  afterAll(async () => {
    await mailing.portal.close()
    await mailing.server.close()
  })
  return mailing
}

export const GAME_SECRET = 'game-secret-of-the-tests'

/** The portal of a test file and the game server that it calls, whose characters the tests make. */
export function useGameApp(environment: Record<string, string> = {}) {
  const game = {} as TestGame
  const portal = {} as TestApp
  beforeAll(async () => {
    Object.assign(game, await startTestGame({ secret: GAME_SECRET }))
    const ofGame = { GAME_SERVER_URL: game.url, GAME_SERVER_SECRET: GAME_SECRET }
    Object.assign(portal, await startTestApp({ environment: { ...ofGame, ...environment } }))
  })
  afterAll(async () => {
    await portal.close()
    await game.close()
  })
  let made = 0
  /** A player's only character, as the portal knows it. */
  const aCharacterOf = async (player: TestPlayer): Promise<string> => {
    const id = `c${++made}`
    game.addCharacter({ id, account: player.username, name: `nhanvat${made}` })
    // What registration fetched was still empty.
    await portal.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
    expect(await charactersOf(portal, player)).toEqual([id])
    return id
  }
  return { game, portal, aCharacterOf }
}

/** The portal of a test file, whose accounts are open, and the fake providers that it polls. */
export function usePollingApp(...known: Parameters<typeof startPollingApp>[0]): PollingApp {
  const polling = { test: {} } as PollingApp
  beforeAll(async () => {
    const started = await startPollingApp(known)
    await openAccounts(started.test)
    Object.assign(polling, started, { test: Object.assign(polling.test, started.test) })
  })
  afterAll(() => polling.close())
  return polling
}

/** A referee of a test file, who makes more acts than a person does in a minute. */
export function useReferee(portal: TestApp): Referee {
  const referee = {} as Referee
  beforeAll(async () => void Object.assign(referee, await openReferee(portal)))
  beforeEach(() => portal.db.deleteFrom('rate_limit').execute())
  return referee
}

/** The planner of a group of tests, after these statements as the owner. */
export function usePlanner(portal: TestApp, ...statements: string[]): Planner {
  const planner = {} as Planner
  beforeAll(async () => {
    Object.assign(planner, await openPlanner(portal))
    for (const statement of statements) await planner.owner.query(statement)
  }, 120_000)
  afterAll(() => planner.close())
  return planner
}
