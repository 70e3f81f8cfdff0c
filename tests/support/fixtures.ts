import { afterAll, beforeAll, test } from 'vitest'
import type { Role } from '#contract/operator/roles.ts'
import { startTestApp, type TestApp } from './app.ts'
import { mailEnvironment, startMailServer, type MailServer } from './mail-server.ts'
import { anOperator, type TestOperator } from './operators.ts'
import { openPlanner, type Planner } from './plans.ts'
import { aPlayer, type Portal } from './players.ts'

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

/** The portal of a test file, whose callers say where they are, and the mail server that it sends through. */
export function useMailingApp(): { server: MailServer; portal: TestApp } {
  const mailing = { server: {} as MailServer, portal: {} as TestApp }
  beforeAll(async () => {
    Object.assign(mailing.server, await startMailServer())
    const environment = { ...mailEnvironment(mailing.server), TRUST_PROXY: '127.0.0.1' }
    Object.assign(mailing.portal, await startTestApp({ environment }))
  })
  afterAll(async () => {
    await mailing.portal.close()
    await mailing.server.close()
  })
  return mailing
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
