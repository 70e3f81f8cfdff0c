import { grantRole } from '#server/modules/accounts/index.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalProcess } from '#tests/support/portal-process.ts'
import { turnOnSecondFactor } from '#tests/support/second-factor.ts'
import { aBenchPlayer } from './bench-portal.ts'

export type Call = { status: number; body: any; next: string | null; ms: number }
export type Ask = (path: string) => Promise<Call>

/** The embedded database of a running portal; it stays open as long as the portal runs. */
export async function databaseOf({ dataDir }: PortalProcess): Promise<string> {
  const embedded = await openEmbeddedPostgres({ dataDir, log: () => {} })
  await embedded.stop()
  return embedded.url
}

/** An owner with several sessions, so that the limit of calls of one session does not distort the measurement. */
export async function anOperator(portal: PortalProcess, databaseUrl: string): Promise<Ask> {
  const player = await aBenchPlayer(portal)
  const db = openDatabase({ url: databaseUrl, log: openLog('error'), connectionsMax: 1 })
  await grantRole(db, { username: player.username, role: 'owner' })
  await db.destroy()
  const call = async (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: unknown } = {},
  ) => {
    const answer = await fetch(portal.url + path, {
      method,
      headers: {
        'x-forwarded-for': anAddress(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? null : JSON.parse(text), headers: answer.headers }
  }
  const { recoveryCodes } = await turnOnSecondFactor(
    { call: async (...asked) => ({ ...(await call(...asked)), headers: {} }) },
    player.token,
  )
  const tokens: string[] = []
  for (const otp of recoveryCodes) {
    const { username, password } = player
    const opened = await call('POST', '/api/operator/session', { body: { username, password, otp } })
    tokens.push((opened.body as { access_token: string }).access_token)
  }
  let turn = 0
  return async (path) => {
    const start = performance.now()
    const token = tokens[turn++ % tokens.length] ?? ''
    const { status, body, headers } = await call('GET', `/api${path}`, { token })
    return { status, body, next: headers.get('x-next-after'), ms: performance.now() - start }
  }
}
