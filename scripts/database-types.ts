import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { openEmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { openLog } from '#server/platform/log/log.ts'
import { dumpSchema } from './schema-dump.ts'
import { exampleOutputs } from './sql-examples.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
export const TYPES_FILE = join(root, 'src/server/platform/db/schema.gen.ts')
export const DUMP_FILE = join(root, 'sql/schema.gen.sql')

/** The TypeScript types of a database at `ownerUrl`, migrated already. */
export async function typesOf(ownerUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-types-'))
  try {
    const file = join(folder, 'schema.ts')
    // The DSN travels by environment: a command line can be read by every user of the machine.
    await promisify(execFile)(
      process.execPath,
      [
        join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
        '--dialect=postgres',
        `--out-file=${file}`,
        '--exclude-pattern=public.schema_migration',
      ],
      { env: { ...process.env, DATABASE_URL: ownerUrl }, cwd: folder },
    )
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The generated files with what belongs into them, read from a throw-away database made from the migrations. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cong-ninja-codegen-'))
  const postgres = await openEmbeddedPostgres({ dataDir, log: () => {}, durable: false })
  try {
    await migrateDatabase(postgres.url, openLog('error'))
    return new Map([
      [TYPES_FILE, await typesOf(postgres.url)],
      [DUMP_FILE, await asOwner(postgres.url, dumpSchema)],
      ...(await asOwner(postgres.url, exampleOutputs)),
    ])
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
