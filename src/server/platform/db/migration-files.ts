import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { invariant, SetupProblem } from '../values/errors.ts'

const ROOT = new URL('../../../../', import.meta.url)
const MIGRATIONS = new URL('migrations/', ROOT)

/** The files of `sql/` that make a new database, in the order in which they load. */
const AREAS = [
  'foundation',
  'ledger',
  'accounts',
  'sign-in',
  'audit',
  'posts',
  'legal',
  'recharge',
  'bank',
  'deliveries',
  'game',
  'rankings',
  'tournaments',
  'operations',
]

/** The name of all files of `sql/` together in `schema_migration`. */
const BASELINE = '0074-baseline'

/** The last of the 74 migrations that the baseline took the place of: a database that has it has the same schema. */
export const LAST_BEFORE_BASELINE = {
  name: '0074-planned-prices.sql',
  checksum: 'c654f43eaf7d18740a35526a2f6d189c93464b48c711a839cf3eee0b2137102b',
  /** The last commit with all of them. */
  commit: '16a1e539',
}

/**
 * `expand`: programs that do not know the migration go on working beside it and may be started again. `contract`: only
 * programs that know it may run. A file names its kind in its first line.
 */
export type MigrationKind = 'expand' | 'contract'

export type Migration = {
  name: string
  sql: string
  checksum: string
  kind: MigrationKind
  /** The index that is built outside a transaction, so that nobody who writes has to wait; null for all other files. */
  concurrentIndex: string | null
}

/** The baseline and the files of `migrations/`, in their order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all([
    readBaseline(),
    ...names.map(async (name) => parseMigration(name, await readFile(new URL(name, MIGRATIONS), 'utf8'))),
  ])
}

const AREA_LINE = /^-- (sql\/[\w-]+\.sql)$/

async function readBaseline(): Promise<Migration> {
  const files = AREAS.map((area) => `sql/${area}.sql`)
  const texts = await Promise.all(
    files.map(async (file) => `-- ${file}\n${await readFile(new URL(file, ROOT), 'utf8')}`),
  )
  const sql = texts.join('\n')
  return { name: BASELINE, sql, checksum: checksumOf(sql), kind: 'contract', concurrentIndex: null }
}

const FIRST_LINE = /^-- (expand|contract)(, outside a transaction)?$/
const CONCURRENT_INDEX =
  /^(?:--.*\n|\s)*CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (\w+)\s[^;]*;\s*$/

/** Throws when a file does not name its kind, and when one outside a transaction is anything but one index. */
export function parseMigration(name: string, sql: string): Migration {
  const [isKind, kind, isAlone] = FIRST_LINE.exec(sql.split('\n', 1)[0] ?? '') ?? []
  invariant(
    isKind !== undefined && (isAlone === undefined || kind === 'expand'),
    `the first line of ${name} is "-- expand", "-- expand, outside a transaction" or "-- contract"`,
  )
  const concurrentIndex = isAlone === undefined ? null : (CONCURRENT_INDEX.exec(sql)?.[1] ?? null)
  invariant(
    isAlone === undefined || concurrentIndex !== null,
    `${name} holds one CREATE INDEX CONCURRENTLY IF NOT EXISTS and nothing else`,
  )
  return { name, sql, checksum: checksumOf(sql), kind: kind as MigrationKind, concurrentIndex }
}

const checksumOf = (sql: string) => createHash('sha256').update(sql).digest('hex')

/** The checksum is null where the baseline stands for the files before it. */
export type Applied = { name: string; checksum: string | null; kind?: MigrationKind }

/**
 * Applied migrations as this program knows them: those that the baseline took the place of are the baseline. Throws for
 * a database, or a backup of one, that has only some of them.
 */
export function baselineInstead(what: string, applied: readonly Applied[]): Applied[] {
  if (applied.length === 0 || applied.some(({ name }) => name === BASELINE)) return [...applied]
  const { name: last, checksum, commit } = LAST_BEFORE_BASELINE
  if (!applied.some((one) => one.name === last && one.checksum === checksum)) {
    throw new SetupProblem(
      `${what} is older than this program can bring up to date: it lacks migration ${last}. ` +
        `Start the program of commit ${commit} on it first, then this one (docs/runbooks/upgrade.md)`,
    )
  }
  const since = applied.filter(({ name }) => name > last)
  return [{ name: BASELINE, checksum: null, kind: 'contract' }, ...since]
}

/** Where in a migration a position of PostgreSQL lies; in the baseline with its file. */
export function placeIn({ name, sql }: Migration, position: number): string {
  const lines = sql.slice(0, position).split('\n')
  const start = name === BASELINE ? lines.findLastIndex((line) => AREA_LINE.test(line)) : -1
  const file = AREA_LINE.exec(lines[start] ?? '')?.[1]
  return file === undefined ? `at line ${lines.length}` : `in ${file} at line ${lines.length - start - 1}`
}
