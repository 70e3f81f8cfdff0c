import { chmod, chown, copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { metricsText } from '#server/platform/metrics/metrics.ts'
import { makeCertificate } from '#tests/support/certificates.ts'
import { useFolder } from '#tests/support/folder.ts'
import { asRole, UNPRIVILEGED } from '#tests/support/pgbouncer.ts'
import { eventually } from '#tests/support/purchases.ts'
import { diagnosedIn, failureOfStartIn, startReady } from '#tests/support/sick-set-ups.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const WAIT_MS = 120_000
const isThere = isSystemPostgresThere() && hasAllCases
const folder = useFolder()
let postgres: SystemPostgres
let portal: Awaited<ReturnType<typeof startReady>>

const environment = (databaseUrl = postgres.ownerUrl) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(folder, 'data'),
  DEMO: '0',
  GAME_SERVER_URL: 'embedded',
  PUBLIC_URL: 'http://ninja.test',
})

const diagnosed = (name: string, databaseUrl?: string) => diagnosedIn(environment(databaseUrl), name)
const failureOfStart = (databaseUrl?: string) => failureOfStartIn(environment(databaseUrl))
const superuser = (statement: string) => asRole(postgres.adminUrl, statement)

async function inSettings(name: string, value: string | null): Promise<void> {
  await superuser(value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`)
  await superuser('SELECT pg_reload_conf()')
}

/** Commits hang until a standby confirms them, those of the test too. */
async function mendHanging(): Promise<void> {
  const client = new Client({ connectionString: postgres.adminUrl })
  await client.connect()
  await client.query('SET synchronous_commit = local')
  await client.query('ALTER SYSTEM RESET synchronous_standby_names')
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

describe.runIf(isThere)('a PostgreSQL that is sick', { timeout: WAIT_MS }, () => {
  beforeAll(async () => {
    postgres = await SystemPostgres.open(folder, 'postgres')
    await postgres.create()
    portal = await startReady(environment())
    await portal.becomes(200, { status: 'ok' })
  }, WAIT_MS)
  afterAll(async () => {
    await portal?.stop()
    await postgres?.stop()
  }, WAIT_MS)

  test('commits that wait for a standby that is not there', async () => {
    await inSettings('synchronous_standby_names', 'zwei')
    try {
      const sentence =
        /at PostgreSQL at \S+ every change waits for the standby "zwei", which is not connected: start it, or/
      expect(await diagnosed('writes')).toMatch(sentence)
      expect(await failureOfStart()).toMatch(sentence)
      await portal.becomes(503, { status: 'read-only', reason: 'no-standby' })
      expect(await metricsText()).toContain('portal_database_refuses_changes{reason="no-standby"} 1')
      expect((await fetch(`${portal.url}/api/posts`)).status).toBe(200)
    } finally {
      await mendHanging()
    }
    await portal.becomes(200, { status: 'ok' })
  })

  test('statements that wait for a lock', async () => {
    const [holder, waiter] = [postgres.adminUrl, postgres.adminUrl].map(
      (connectionString) => new Client({ connectionString: connectionString.replace(/postgres$/, 'portal') }),
    ) as [Client, Client]
    await holder.connect()
    await waiter.connect()
    await holder.query('BEGIN')
    await holder.query('LOCK TABLE users')
    const waiting = waiter.query('SELECT FROM users LIMIT 1')
    try {
      await eventually(async () => {
        expect(await diagnosed('locks')).toMatch(
          /^error 1 statements wait for what other processes of PostgreSQL hold \(\d+\): see in pg_stat_activity/,
        )
        await sleep(200)
      }, WAIT_MS)
      expect(await failureOfStart()).toBeNull()
      await portal.becomes(200, { status: 'ok' })
    } finally {
      await holder.end()
      await waiting
      await waiter.end()
    }
    expect(await diagnosed('locks')).toBe('ok no statement waits for a lock')
  })

  test('a certificate that has ended, and one of another name', async () => {
    for (const [name, days, sentence] of [
      ['127.0.0.1', -1, /the certificate of PostgreSQL at \S+ has ended: renew it there/],
      [
        'ninja.test',
        90,
        /the certificate of PostgreSQL at \S+ is of another name: give it one of that name, or/,
      ],
    ] as const) {
      const { keyFile, file } = makeCertificate(folder, name, days)
      const [key, cert] = [join(folder, 'server.key'), join(folder, 'server.crt')]
      await copyFile(keyFile, key)
      await copyFile(file, cert)
      await chmod(key, 0o600)
      if (UNPRIVILEGED.uid !== undefined) await chown(key, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
      await inSettings('ssl_cert_file', cert)
      await inSettings('ssl_key_file', key)
      await inSettings('ssl', 'on')
      const withTls = `${postgres.ownerUrl}?sslmode=verify-full&sslrootcert=${file}`
      await eventually(async () => expect(await failureOfStart(withTls)).toMatch(sentence), WAIT_MS)
      expect(await diagnosed('database', withTls)).toMatch(sentence)
      await portal.becomes(200, { status: 'ok' })
    }
    for (const name of ['ssl', 'ssl_cert_file', 'ssl_key_file']) await inSettings(name, null)
  })

  test('a database with another encoding', async () => {
    await superuser(`CREATE DATABASE ascii OWNER portal ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0`)
    const other = postgres.ownerUrl.replace(/portal$/, 'ascii')
    const sentence =
      /the database "ascii" has the encoding SQL_ASCII: make it anew with CREATE DATABASE … ENCODING/
    expect(await diagnosed('rights', other)).toMatch(sentence)
    expect(await failureOfStart(other)).toMatch(sentence)
  })
})
