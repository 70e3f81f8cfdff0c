import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import * as z from 'zod'
import { requireCreateRole } from '../db/app-role.ts'
import { applyMigrations, migrationsTurn } from '../db/migrate.ts'
import { baselineInstead, readMigrations, type Migration } from '../db/migration-files.ts'
import { asOwner, requireServerItself } from '../db/owner.ts'
import { sqlState } from '../db/transaction.ts'
import { inTurn } from '../db/advisory-lock.ts'
import type { Log } from '../log/log.ts'
import { SetupProblem } from '../values/errors.ts'
import { writeValuesTheSameEverywhere } from './backup.ts'
import {
  openBackupFile,
  BackupReader,
  endSchema,
  FORMAT_VERSION,
  headerSchema,
  newChecksum,
  tableEndSchema,
  tableSchema,
  type Header,
} from './backup-file.ts'
import { columnList, foreignKeysOf, relationsThere, sequenceNames, tablesOf, type Table } from './catalog.ts'

export type Restoring = {
  ownerUrl: string
  log: Log
  file: string
  key: string | null
  /** Whether a file without encryption is taken although there is a key. */
  isUnencryptedTaken?: boolean
  /** What this installation is; a demo is never restored as the real one. */
  mode: 'demo' | 'live'
  /** The last thing done before everything becomes true at once. */
  finish(client: Client): Promise<void>
}

export type Restored = { moment: string; tables: number; rows: number }

/**
 * Fills an empty database with a backup, in one transaction: afterwards it holds everything, or nothing. The owner of
 * the database is enough for it. Memory does not grow with the backup.
 */
export async function restoreDatabase(restoring: Restoring): Promise<Restored> {
  const { ownerUrl, log, file, key, isUnencryptedTaken, mode } = restoring
  const reader = new BackupReader(file, await openBackupFile(file, key, isUnencryptedTaken))
  try {
    const header = await reader.line(headerSchema)
    const migrations = await migrationsOf(header)
    if (header.mode !== mode) {
      throw new SetupProblem(
        `${file} was made with DEMO=${header.mode === 'demo' ? 1 : 0}: restore it with the same`,
      )
    }
    return await asOwner(ownerUrl, async (client) => {
      await requireServerItself(client, ownerUrl)
      await requireEmpty(client)
      await requireCreateRole(client, 'portal_app')
      const done = await inTurn(client, migrationsTurn(log), async () => {
        await requireEmpty(client)
        await applyMigrations(client, migrations)
        const loaded = await load(client, reader).catch((error: unknown) => {
          // A backup writes only rows that the tables accept.
          throw /^2[23]/.test(sqlState(error) ?? '') ? reader.damaged(error) : error
        })
        await restoring.finish(client)
        return { moment: header.moment, ...loaded }
      })
      await client.query('ANALYZE')
      return done
    })
  } finally {
    await reader.close()
  }
}

/** The migrations a backup names, which this program has to have. */
async function migrationsOf(header: Header): Promise<Migration[]> {
  if (header.version > FORMAT_VERSION) throw newer(`format ${header.version}`)
  const ours = new Map((await readMigrations()).map((migration) => [migration.name, migration]))
  return baselineInstead('the backup', header.migrations).map(({ name, checksum }) => {
    const migration = ours.get(name)
    if (migration === undefined) throw newer(`migration ${name}`)
    if (checksum !== null && migration.checksum !== checksum) {
      throw new SetupProblem(
        `migration ${name} of this program is not the one of the backup: restore with the program it was made with`,
      )
    }
    return migration
  })
}

const newer = (what: string) =>
  new SetupProblem(
    `the backup is of a newer program (${what}): restore it with the program it was made with, or a later one`,
  )

async function requireEmpty(client: Client): Promise<void> {
  const there = await relationsThere(client)
  if (there.length === 0) return
  throw new SetupProblem(
    `the database is not empty (${there.join(', ')} …): give DATABASE_URL of a new one, or another DATA_DIR; nothing was changed`,
  )
}

/**
 * Without foreign keys and the portal's own triggers, which would refuse rows that come in another order than they were
 * made. The keys are made again at the end, and with that checked for every row.
 */
async function load(client: Client, reader: BackupReader): Promise<{ tables: number; rows: number }> {
  await writeValuesTheSameEverywhere(client)
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, table]))
  const foreignKeys = await foreignKeysOf(client)
  for (const { table, name } of foreignKeys)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { sql } of tables.values()) await client.query(`ALTER TABLE ${sql} DISABLE TRIGGER USER`)
  // Migrations put rows of their own into some.
  await client.query(`TRUNCATE ${[...tables.values()].map(({ sql }) => sql).join(', ')}`)
  const end = await loadTables(client, reader, tables)
  const there = await sequenceNames(client)
  for (const [name, value] of Object.entries(end.sequences)) {
    if (!there.has(name)) throw reader.damaged()
    await client.query('SELECT setval($1::regclass, $2::bigint)', [name, value])
  }
  for (const { table, name, definition } of foreignKeys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  for (const { sql } of tables.values()) await client.query(`ALTER TABLE ${sql} ENABLE TRIGGER USER`)
  return { tables: end.tables, rows: end.rows }
}

async function loadTables(client: Client, reader: BackupReader, tables: Map<string, Table>) {
  const missing = new Map(tables)
  let rows = 0
  for (;;) {
    const line = await reader.line(z.union([tableSchema, endSchema]))
    if ('end' in line) {
      if (missing.size > 0 || line.tables !== tables.size || line.rows !== rows) throw reader.damaged()
      await reader.requireEnd()
      return line
    }
    const table = missing.get(line.table)
    if (table === undefined || line.columns.toSorted().join() !== table.columns.toSorted().join())
      throw reader.damaged()
    missing.delete(line.table)
    rows += await loadTable(client, reader, { ...table, columns: line.columns })
  }
}

async function loadTable(client: Client, reader: BackupReader, { sql, columns }: Table): Promise<number> {
  const checksum = newChecksum()
  const rows = client.query(copyFrom(`COPY ${sql} (${columnList(columns)}) FROM STDIN`))
  const summing = new Transform({
    transform(chunk: Buffer, _, done) {
      checksum.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(reader.rows(), summing, rows)
  const end = await reader.line(tableEndSchema)
  if (end.rows !== rows.rowCount || end.sha256 !== checksum.digest('hex')) throw reader.damaged()
  return end.rows
}
