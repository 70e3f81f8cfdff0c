import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useFolder } from '#tests/support/folder.ts'
import { asRole } from '#tests/support/pgbouncer.ts'
import { refusalIn, saysIn } from '#tests/support/sick/said.ts'
import { SICK_SERVERS, type ServerWorld } from '#tests/support/sick/server.ts'
import { diagnosedIn, failureOfStartIn, startReady } from '#tests/support/sick/world.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const WAIT_MS = 120_000
const isThere = isSystemPostgresThere() && hasAllCases
const on = { folder: useFolder(), held: [] } as unknown as ServerWorld
let portal: Awaited<ReturnType<typeof startReady>>

const environment = (databaseUrl = on.postgres.ownerUrl) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(on.folder, 'data'),
  DEMO: '0',
  GAME_SERVER_URL: 'embedded',
  PUBLIC_URL: 'http://ninja.test',
})

describe.runIf(isThere)('a PostgreSQL that is sick', { timeout: 2 * WAIT_MS }, () => {
  beforeAll(async () => {
    const settings = ['max_prepared_transactions=5', 'archive_mode=on', 'archive_timeout=0']
    on.postgres = await SystemPostgres.open(on.folder, 'postgres', { settings })
    await on.postgres.create()
    await asRole(on.postgres.adminUrl, `ALTER SYSTEM SET archive_command = 'true'`)
    await asRole(on.postgres.adminUrl, 'SELECT pg_reload_conf()')
    portal = await startReady(environment())
    await portal.becomes(200, { status: 'ok' })
  }, WAIT_MS)
  afterAll(async () => {
    await portal?.stop()
    await on.postgres?.stop()
  }, WAIT_MS)

  test.each(Object.entries(SICK_SERVERS))('%s', async (_, { harm, mend, parameters, ...said }) => {
    await harm(on)
    try {
      const url = `${on.postgres.ownerUrl}${parameters?.(on) ?? ''}`
      expect(await diagnosedIn(environment(url), said.name)).toMatch(saysIn(said.diagnosed))
      expect(String(await failureOfStartIn(environment(url)))).toMatch(refusalIn(said.refused))
      await portal.says(said)
      const isRead = said.ready?.status !== 'unavailable'
      expect((await fetch(`${portal.url}/api/posts`)).status).toBe(isRead ? 200 : 503)
    } finally {
      for (const client of on.held.splice(0)) await client.end()
      await mend(on)
    }
    await portal.says({ ...said, ready: { status: 'ok' }, fault: undefined })
    expect(await failureOfStartIn(environment())).toBeNull()
  })

  test('a database with another encoding', async () => {
    await asRole(
      on.postgres.adminUrl,
      `CREATE DATABASE ascii OWNER portal ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`,
    )
    const other = on.postgres.ownerUrl.replace(/portal$/, 'ascii')
    const sentence =
      'the database "ascii" has the encoding SQL_ASCII: make it anew with CREATE DATABASE … ENCODING'
    expect(await diagnosedIn(environment(other), 'rights')).toMatch(saysIn(`error ${sentence}`))
    expect(await failureOfStartIn(environment(other))).toMatch(saysIn(sentence))
  })
})
