import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { DUMP_FILE } from '#scripts/database-types.ts'
import { dumpSchema } from '#scripts/schema-dump.ts'
import { prepareInstallation } from '#server/start/database.ts'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { restoreDatabase } from '#server/platform/backup/restore.ts'
import { migrateDatabase, missingFrom } from '#server/platform/db/migrate.ts'
import { LAST_BEFORE_BASELINE, parseMigration, readMigrations } from '#server/platform/db/migration-files.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { openLog } from '#server/platform/log/log.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useFolder } from '#tests/support/folder.ts'
import { dumpDatabase } from '#tests/support/databases.ts'
import { emptyDatabase, freshDatabase } from '#tests/support/postgres.ts'

/*
 * The 74 migrations until commit 16a1e539 became one baseline: databases that have them all are brought up to date and are
 * the same as new ones, older ones are refused.
 */
const log = openLog('fatal')
const folder = useFolder()

type Noted = { name: string; checksum: string }
const FIRST = { name: '0001-foundation.sql', checksum: '1' }
const LAST = { name: LAST_BEFORE_BASELINE.name, checksum: LAST_BEFORE_BASELINE.checksum }

async function note(client: Client, migrations: readonly Noted[]): Promise<void> {
  await client.query('DELETE FROM schema_migration')
  for (const { name, checksum } of migrations)
    await client.query('INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)', [name, checksum])
}

/** What came after the baseline, as a database has it noted. */
const later = async (): Promise<Noted[]> => (await readMigrations()).slice(1)

/** A database with the baseline and nothing that came after it. */
async function baselineDatabase() {
  const database = await emptyDatabase()
  await migrateDatabase(database.ownerUrl, log, (await readMigrations()).slice(0, 1))
  return database
}

const notedIn = async (client: Client) =>
  (await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name')).rows.map(
    ({ name }) => name,
  )

describe('a database of the last commit before the baseline', () => {
  const sources = () => {
    try {
      return execFileSync('git', ['archive', LAST_BEFORE_BASELINE.commit, 'migrations'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
    } catch {
      return null
    }
  }

  test('is brought up to date and has exactly the schema and the rows of a new one', async (context) => {
    const archive = sources()
    if (archive === null)
      return context.skip(`the history of this clone does not reach ${LAST_BEFORE_BASELINE.commit}`)
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    const names = (await readdir(join(folder, 'migrations'))).toSorted()
    expect(names).toHaveLength(74)
    const [old, fresh] = [await emptyDatabase(), await emptyDatabase()]
    try {
      await asOwner(old.ownerUrl, async (client) => {
        await client.query(`CREATE TABLE schema_migration (name text PRIMARY KEY, checksum text NOT NULL,
          applied_at timestamptz NOT NULL DEFAULT now(), kind text NOT NULL DEFAULT 'contract'
          CHECK (kind IN ('expand', 'contract')))`)
        const noted: Noted[] = []
        for (const name of names) {
          const sql = await readFile(join(folder, 'migrations', name), 'utf8')
          await client.query(sql)
          noted.push({ name, checksum: createHash('sha256').update(sql).digest('hex') })
        }
        await note(client, noted)
      })
      await migrateDatabase(old.ownerUrl, log)
      await migrateDatabase(fresh.ownerUrl, log)
      expect(await asOwner(old.ownerUrl, dumpSchema)).toBe(await readFile(DUMP_FILE, 'utf8'))
      expect(await rowsOf(old.ownerUrl)).toEqual(await rowsOf(fresh.ownerUrl))
      expect((await asOwner(old.ownerUrl, notedIn)).slice(0, 74)).toEqual(names)
    } finally {
      await old.drop()
      await fresh.drop()
    }
  })
})

const MOMENTS = ['created_at', 'updated_at', 'published_at', 'due_at']

/** All rows without the moments at which they were made, and the sequences. */
async function rowsOf(ownerUrl: string): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const [table, { rows }] of await dumpDatabase({ ownerUrl })) {
    if (table === 'schema_migration' || rows.length === 0) continue
    found[table] = rows
      .map((row) => JSON.stringify(Object.entries(row).filter(([column]) => !MOMENTS.includes(column))))
      .toSorted()
  }
  expect(Object.keys(found)).toContain('ledger_account')
  found.sequences = await asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY 1, 2',
    )
    return rows
  })
  return found
}

describe('a database in which the migrations before the baseline are noted', () => {
  test('lacks nothing but what came after, and still has its notes', async () => {
    const database = await baselineDatabase()
    await asOwner(database.ownerUrl, async (client) => {
      await note(client, [FIRST, LAST])
      const more = parseMigration('9001-more.sql', '-- expand\nALTER TABLE settings ADD COLUMN more text;\n')
      const ours = [...(await readMigrations()), more]
      expect(await missingFrom(client, ours)).toEqual([
        ...ours.filter(({ name }) => name > LAST.name && name !== more.name),
        more,
      ])
      await migrateDatabase(database.ownerUrl, log, ours)
      expect(await missingFrom(client, ours)).toEqual([])
      expect((await notedIn(client)).slice(0, 2)).toEqual([FIRST.name, LAST.name])
    })
    await database.drop()
  })

  test.each([
    ['lacks the last of them', [FIRST]],
    ['has another last one', [FIRST, { ...LAST, checksum: 'changed' }]],
  ])('is refused when it %s, with what to do', async (_, noted) => {
    const database = await freshDatabase()
    await asOwner(database.ownerUrl, (client) => note(client, noted))
    const starting = migrateDatabase(database.ownerUrl, log)
    await expect(starting).rejects.toThrow(
      /^the database is older than this program .* lacks migration 0074-planned-prices\.sql\. Start the program of commit 16a1e539 on it first, then this one/,
    )
    await expect(starting).rejects.toBeInstanceOf(SetupProblem)
    await database.drop()
  })

  test('is refused too when it is from before there were kinds', async () => {
    const database = await freshDatabase()
    await asOwner(database.ownerUrl, async (client) => {
      await note(client, [FIRST])
      await client.query('ALTER TABLE schema_migration DROP COLUMN kind')
    })
    await expect(migrateDatabase(database.ownerUrl, log)).rejects.toThrow(/older than this program/)
    await database.drop()
  })
})

describe('a backup of such a database', () => {
  /** With these migrations noted, restored; what is noted there then. */
  async function restored(noted: readonly Noted[]): Promise<string[]> {
    const [database, empty] = [await baselineDatabase(), await emptyDatabase()]
    const file = join(folder, `backup-${noted.length}`)
    try {
      await prepareInstallation({ ownerUrl: database.ownerUrl, isDemo: false, providers: [] })
      await asOwner(database.ownerUrl, (client) => note(client, noted))
      await backupDatabase(database.ownerUrl, { file, key: null })
      const finish = async () => {}
      await restoreDatabase({ ownerUrl: empty.ownerUrl, log, file, key: null, mode: 'live', finish })
      return await asOwner(empty.ownerUrl, notedIn)
    } finally {
      await database.drop()
      await empty.drop()
    }
  }

  test('is restored into the schema of the baseline', async () => {
    expect(await restored([FIRST, LAST])).toEqual(['0074-baseline'])
  })

  test('is refused when it is older', async () => {
    await expect(restored([FIRST])).rejects.toThrow(
      /^the backup is older than this program .* lacks migration 0074-planned-prices\.sql/,
    )
  })
})

describe('a process on such a database', () => {
  const portal = useTestApp()

  test('is ready', async () => {
    const noted = [FIRST, LAST, ...(await later())]
    await asOwner(portal.ownerUrl, (client) => note(client, noted))
    expect(await portal.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    await asOwner(portal.ownerUrl, (client) => note(client, [FIRST]))
    expect((await portal.call('GET', '/readyz')).status).toBe(503)
  })
})
