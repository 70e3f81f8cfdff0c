import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSessionsOf } from '#server/modules/sessions/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { openLog } from '#server/platform/log/log.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

const WITHIN_MS = 1_000

let database: FreshDatabase
let db: Db
let here: PortalProcess
let there: PortalProcess
const folders: string[] = []

async function startOne(): Promise<PortalProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-ended-'))
  folders.push(dataDir)
  return startPortalProcess({ dataDir, environment: { DATABASE_URL: database.ownerUrl, DEMO: '1' } })
}

beforeAll(async () => {
  database = await freshDatabase()
  here = await startOne()
  there = await startOne()
  db = openDatabase({ url: database.appUrl, log: openLog('warn'), connectionsMax: 2 })
}, 120_000)
afterAll(async () => {
  await Promise.all([here.end(), there.end()])
  await db.destroy()
  await database.drop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}, 60_000)

const call = (portal: PortalProcess, method: string, path: string, { token = '', body = null as unknown }) =>
  fetch(`${portal.url}/api${path}`, {
    method,
    headers: {
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })

let count = 0
/** A player who is signed in twice: by registering at one process, and by a login at the other. */
async function aPlayerSignedInTwice() {
  const username = `haidautruoc${++count}`
  const password = 'mat-khau-hai-noi'
  const body = { username, password, phone: `0977${100_000 + count}`, name: username }
  const tokenOf = async (answer: Response) => ((await answer.json()) as { access_token: string }).access_token
  const token = await tokenOf(await call(here, 'POST', '/auth/register', { body }))
  const other = await tokenOf(await call(there, 'POST', '/auth/login', { body: { username, password } }))
  const user = await call(here, 'POST', '/auth/verify', { body: { access_token: token } })
  return { id: ((await user.json()) as { id: string }).id, username, password, token, other }
}

const statusAt = async (portal: PortalProcess, token: string) =>
  (await call(portal, 'GET', '/auth/sessions', { token })).status

/** How long until both processes answer 401 to a token that both have just answered 200 to. */
async function msUntilDead(token: string, act: () => Promise<unknown>): Promise<number> {
  expect([await statusAt(here, token), await statusAt(there, token)]).toEqual([200, 200])
  await act()
  const since = performance.now()
  for (;;) {
    const statuses = [await statusAt(here, token), await statusAt(there, token)]
    if (statuses.every((status) => status === 401)) return performance.now() - since
    if (performance.now() - since > 10_000) throw new Error(`still ${statuses.join(', ')} after 10 s`)
    await sleep(20)
  }
}

describe('security row 15: with two processes on one database, both refuse a token within a second after', () => {
  test('its logout', async () => {
    const { token, other } = await aPlayerSignedInTwice()
    expect(await msUntilDead(token, () => call(here, 'POST', '/auth/logout', { token }))).toBeLessThan(
      WITHIN_MS,
    )
    expect(await statusAt(here, other)).toBe(200)
  })

  test('a change of password', async () => {
    const { token, other, password } = await aPlayerSignedInTwice()
    const body = { current_password: password, password: 'mat-khau-hai-noi-2' }
    const changed = () => call(here, 'POST', '/user/change-password', { token, body })
    expect(await msUntilDead(other, changed)).toBeLessThan(WITHIN_MS)
    expect([await statusAt(here, token), await statusAt(there, token)]).toEqual([200, 200])
  })

  test('it was ended in the list of sessions, alone or with all others', async () => {
    const { token, other } = await aPlayerSignedInTwice()
    const list = await call(here, 'GET', '/auth/sessions', { token })
    const sessions = (await list.json()) as { id: string; is_current: boolean }[]
    const { id } = sessions.find((session) => !session.is_current)!
    const ended = () => call(here, 'DELETE', `/auth/sessions/${id}`, { token })
    expect(await msUntilDead(other, ended)).toBeLessThan(WITHIN_MS)

    const again = await aPlayerSignedInTwice()
    const all = () => call(here, 'DELETE', '/auth/sessions', { token: again.token })
    expect(await msUntilDead(again.other, all)).toBeLessThan(WITHIN_MS)
    expect(await statusAt(there, again.token)).toBe(200)
  })

  test('it was ended by an operator', async () => {
    const { id, token, other } = await aPlayerSignedInTwice()
    const killed = () => inTransaction(db, (tx) => endSessionsOf(tx, { userId: id }))
    expect(await msUntilDead(token, killed)).toBeLessThan(WITHIN_MS)
    expect(await statusAt(here, other)).toBe(401)
  })

  test('any of these, and the stream it watches an order by is over as well', async () => {
    const { token } = await aPlayerSignedInTwice()
    const body = { channel: 2, amount: 50_000 }
    const order = (await (await call(here, 'POST', '/recharge/orders', { token, body })).json()) as {
      code: string
    }
    const stream = await call(here, 'GET', `/recharge/orders/${order.code}/events`, { token })
    expect(stream.status).toBe(200)
    const reader = stream.body!.getReader()
    expect((await reader.read()).done).toBe(false)
    await call(there, 'POST', '/auth/logout', { token })
    const since = performance.now()
    while (!(await reader.read()).done);
    expect(performance.now() - since).toBeLessThan(WITHIN_MS)
  })
})
