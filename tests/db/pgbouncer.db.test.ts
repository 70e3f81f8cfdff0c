import { sql } from 'kysely'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { restoreDatabase } from '#server/platform/backup/restore.ts'
import { openLog } from '#server/platform/log/log.ts'
import { byTcp } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { asRole, isPgbouncerThere, startPgbouncer, type Pgbouncer } from '#tests/support/pgbouncer.ts'
import { runCommand, START_MS_MAX, startPortalProcess } from '#tests/support/processes.ts'
import { emptyDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { eventually } from '#tests/support/purchases.ts'

const isThere = isPgbouncerThere()

const folder = useFolder()
let database: FreshDatabase
let pgbouncer: Pgbouncer | null = null

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await pgbouncer?.end()
  await database.drop()
  if (isThere) await asRole(inject('postgres').adminUrl, 'DROP ROLE IF EXISTS pgbouncer')
})

/** A prepared statement of a server would be missing on the next one, which a transaction may be sent to. */
async function expectNothingIsLeft(url: string): Promise<void> {
  const db = openDatabase({ url, log: openLog('fatal'), connectionsMax: 4 })
  try {
    for (let time = 0; time < 20; time++)
      await Promise.all([1, 2, 3].map((number) => sql`SELECT ${number}::int AS often`.execute(db)))
    expect((await sql`SELECT statement FROM pg_prepared_statements`.execute(db)).rows).toEqual([])
  } finally {
    await db.destroy()
  }
}

describe('behind PgBouncer in transaction mode', { timeout: 3 * START_MS_MAX }, () => {
  test.skipIf(!isThere)(
    'the portal starts, serves and has its time-outs (skipped without pgbouncer)',
    async () => {
      const directUrl = database.ownerUrl
      // So few connections that they must be shared.
      const change = (file: string) => file.replace(/^default_pool_size = .*$/m, 'default_pool_size = 3')
      pgbouncer = await startPgbouncer({ folder, adminUrl: directUrl, directUrl, change })
      const { port, url } = pgbouncer
      await eventually(async () => void (await asRole(url, 'SELECT 1')))
      const portal = await startPortalProcess({
        dataDir: folder,
        environment: {
          DATABASE_URL: url,
          DATABASE_DIRECT_URL: directUrl,
          DATABASE_POOL: '12',
          DEMO: '0',
          GAME_SERVER_URL: 'embedded',
        },
      })
      const answers = await Promise.all(
        Array.from({ length: 60 }, async () => (await fetch(`${portal.url}/api/posts`)).status),
      )
      expect(answers).toEqual(answers.map(() => 200))
      const role = new URL(database.appUrl).username
      const connections = await asRole(
        directUrl,
        `SELECT count(*) FILTER (WHERE application_name = 'cong-ninja')::int AS pooled,
              count(*) FILTER (WHERE application_name = 'cong-ninja listen')::int AS listening
       FROM pg_stat_activity WHERE usename = '${role}'`,
      )
      expect(connections[0]?.pooled).toBeLessThanOrEqual(3)
      expect(connections[0]?.listening).toBe(1)

      const appUrl = byTcp(database.appUrl, port)
      const shown = await asRole(
        appUrl,
        `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle`,
      )
      expect(shown).toEqual([{ statement: '5s', lock: '2s', idle: '10s' }])
      await expectNothingIsLeft(appUrl)
      await eventually(async () => expect(portal.output()).toMatch(/^ +ok +pooler +requests go through /m))
      expect(portal.output()).not.toMatch(/^ +error +(?!address)\S/m)
      expect(await portal.end(), portal.output()).toBe(0)
    },
  )

  test.skipIf(!isThere)(
    'a restore goes past it, or names DATABASE_DIRECT_URL (skipped without pgbouncer)',
    async () => {
      const { url: pooledUrl, port } = pgbouncer as Pgbouncer
      const file = join(folder, 'behind')
      await backupDatabase(pooledUrl, { file, key: null })
      const restoring = (ownerUrl: string) =>
        restoreDatabase({
          ownerUrl,
          log: openLog('fatal'),
          file,
          key: null,
          mode: 'live',
          finish: async () => {},
        })
      await expect(restoring(pooledUrl)).rejects.toThrow(
        /^127\.0\.0\.1:\d+ is a connection pooler: .* DATABASE_DIRECT_URL/,
      )
      const empty = await emptyDatabase()
      const behind = byTcp(empty.ownerUrl, port)
      await expect(restoring(behind)).rejects.toThrow(
        /^the pooler at 127\.0\.0\.1:\d+ does not let the role "\w+" into the database "\w+": .*pgbouncer\.sql.*DATABASE_DIRECT_URL/,
      )
      const direct = { DATABASE_DIRECT_URL: empty.ownerUrl }
      expect(await runCommand({ ownerUrl: behind }, ['restore', file], direct)).toMatchObject({
        code: 0,
        errors: '',
      })
      await empty.drop()
    },
  )
})
