import { afterAll, beforeAll, test } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { mailEnvironment, startMailServer, type MailServer } from './mail-server.ts'
import { anOperator } from './operators.ts'
import { aPlayer, type Portal } from './players.ts'

/**
 * `test` with people of the portal: a test that names `player` or `owner` among its arguments gets a new one; the owner is
 * an operator with a fresh proof. `const test = testWith(portal)` after `useTestApp()` or `useMailingApp()`.
 */
export const testWith = (portal: Portal) =>
  test.extend('player', () => aPlayer(portal)).extend('owner', () => anOperator(portal, 'owner'))

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
