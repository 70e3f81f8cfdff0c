import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { asOwner } from '../db/owner.ts'
import { SetupProblem } from '../values/errors.ts'
import {
  writeBackupFile,
  END_OF_ROWS,
  FORMAT,
  FORMAT_VERSION,
  lineOf,
  newChecksum,
  type BackupEnd,
  type Header,
} from './backup-file.ts'
import { columnList, sequencesOf, tablesOf, type Table } from './catalog.ts'

export type Backup = { tables: number; rows: number; bytes: number; moment: string }

/**
 * Writes everything the database holds, as it was at one moment, while the portal goes on working: one snapshot, read
 * only. Nothing is migrated or made before; an older database is backed up as it is.
 */
export async function backupDatabase(
  ownerUrl: string,
  { file, key }: { file: string; key: string | null },
): Promise<Backup> {
  return asOwner(ownerUrl, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await writeValuesTheSameEverywhere(client)
    const header = await headerOf(client)
    const tables = await tablesOf(client)
    const end: BackupEnd = { end: true, tables: tables.length, rows: 0, sequences: {} }
    const bytes = await writeBackupFile(file, key, content(client, { header, tables, end }))
    return { tables: end.tables, rows: end.rows, bytes, moment: header.moment }
  })
}

/** COPY's text depends on settings of the server, the database and the role. */
export async function writeValuesTheSameEverywhere(client: Client): Promise<void> {
  await client.query(
    `SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL timezone = 'UTC';
     SET LOCAL extra_float_digits = 3; SET LOCAL statement_timeout = 0`,
  )
}

async function headerOf(client: Client): Promise<Header> {
  const { rows: books } = await client.query(`SELECT WHERE to_regclass('public.installation') IS NOT NULL`)
  const { rows } =
    books.length === 0
      ? { rows: [] }
      : await client.query<{ mode: 'demo' | 'live'; moment: Date }>(
          `SELECT value AS mode, now() AS moment FROM installation WHERE name = 'mode'`,
        )
  const found = rows[0]
  if (found === undefined) {
    throw new SetupProblem(
      'this database holds no portal yet: give the DATABASE_URL or DATA_DIR of the portal to back up',
    )
  }
  const { rows: migrations } = await client.query<{ name: string; checksum: string }>(
    'SELECT name, checksum FROM schema_migration ORDER BY name',
  )
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    moment: found.moment.toISOString(),
    mode: found.mode,
    migrations,
  }
}

type Content = { header: Header; tables: readonly Table[]; end: BackupEnd }

async function* content(client: Client, { header, tables, end }: Content): AsyncGenerator<Buffer | string> {
  yield lineOf(header)
  for (const { name, sql, columns } of tables) {
    yield lineOf({ table: name, columns })
    const checksum = newChecksum()
    const rows = client.query(copyTo(`COPY (SELECT ${columnList(columns)} FROM ${sql}) TO STDOUT`))
    for await (const chunk of rows) {
      checksum.update(chunk as Buffer)
      yield chunk as Buffer
    }
    yield END_OF_ROWS
    yield lineOf({ rows: rows.rowCount, sha256: checksum.digest('hex') })
    end.rows += rows.rowCount
  }
  // Sequences know no snapshot: read last, they are ahead of every row.
  end.sequences = await sequencesOf(client)
  yield lineOf(end)
}
