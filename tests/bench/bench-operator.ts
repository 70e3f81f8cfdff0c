import { grantRole } from '#server/modules/accounts/index.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import type { PortalProcess } from '#tests/support/processes.ts'
import { turnOnSecondFactor } from '#tests/support/players.ts'
import { askDone, Client, portalThrough, type Answer } from '../harness/client.ts'
import { withJudge } from '../harness/judge.ts'
import { aBenchPlayer } from './bench-portal.ts'

export type Ask = (path: string) => Promise<Answer>

/** The embedded database of a running portal; it stays open as long as the portal runs. */
export async function databaseOf({ dataDir }: PortalProcess): Promise<string> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  await embedded.stop()
  return embedded.url
}

/** An owner with several sessions, so that the limit of calls of one session does not distort the measurement. */
export function anOperator(portal: PortalProcess, databaseUrl: string): Promise<Ask> {
  return withJudge(databaseUrl, async (db) => {
    const { username, password, token } = await aBenchPlayer(portal)
    await grantRole(db, { username, role: 'owner' })
    const through = portalThrough(new Client(portal.url), db)
    const { recoveryCodes } = await turnOnSecondFactor(through, token)
    const tokens: string[] = []
    for (const otp of recoveryCodes) {
      const opened = await askDone(portal.url, {
        path: '/api/operator/session',
        body: { username, password, otp },
      })
      tokens.push(opened.body.access_token as string)
    }
    let turn = 0
    return (path) => askDone(portal.url, { path: `/api${path}`, token: tokens[turn++ % tokens.length] ?? '' })
  })
}
