import type { Client } from 'pg'
import { sql } from 'kysely'
import { startLoop, type Loop } from '../jobs/loop.ts'
import type { Log } from '../log/log.ts'
import { PLATFORM_METRICS, setGauge } from '../metrics/metrics.ts'
import { SetupProblem } from '../values/errors.ts'
import { IS_UNGUARDED } from './app-role.ts'
import type { Db } from './database.ts'
import { operationalRefusal } from './operational-failures.ts'
import { baselineInstead, readMigrations, type Applied } from './migration-files.ts'
import { faultsInWords, readSchemaFaults, type Ask } from './schema-faults.ts'
import { unlessLocked } from './unless-locked.ts'

type FaultName = (typeof PLATFORM_METRICS.portal_database_faults.labels.fault)[number]

/** What is wrong with a database that answers and takes changes. With one that `stopsStart` money or records can be lost or doubled. */
export type DatabaseFault = { name: FaultName; sentence: string; isError: boolean; stopsStart: boolean }

type Question = {
  name: Exclude<FaultName, 'tables' | 'unguarded'>
  isError?: boolean
  stopsStart?: boolean
  /** A row for each fault, with the columns that the sentence needs. */
  statement: string
  sentence(row: Record<string, string>): string
}

const settingsThat = (condition: string) => `
  SELECT string_agg(name || '=' || setting, ', ' ORDER BY name) AS settings,
         string_agg('ALTER SYSTEM RESET ' || name, '; ' ORDER BY name) AS resets
    FROM pg_settings WHERE ${condition} HAVING count(*) > 0`
const reset = (resets: string | undefined) =>
  `let a superuser run ${resets}; SELECT pg_reload_conf(), or take it out of postgresql.conf and the command line`

/** Of 2 billion that there are. At this one PostgreSQL itself stops sparing others in its clean-up (vacuum_failsafe_age). */
const TRANSACTIONS_MAX = 1_600_000_000
const SLOT_BYTES_MAX = 64 * 1024 * 1024

/** Everybody may ask these. */
const QUESTIONS: Question[] = [
  {
    name: 'not-durable',
    statement: settingsThat(`name IN ('fsync', 'full_page_writes') AND setting = 'off'`),
    sentence: ({ settings, resets }) =>
      `${settings}: a crash of the machine loses confirmed operations and can damage the whole database; ${reset(resets)}`,
  },
  {
    name: 'collation',
    isError: true,
    stopsStart: true,
    statement: `
      SELECT quote_ident(datname) AS database, datcollversion AS made, pg_database_collation_actual_version(oid) AS now
        FROM pg_database WHERE datname = current_database()
         AND datcollversion <> pg_database_collation_actual_version(oid)`,
    sentence: ({ database, made, now }) =>
      `the indexes of texts were sorted by version ${made} of the system’s rules, and PostgreSQL now has version ${now}: they can miss ` +
      `what is there and let it in twice; run REINDEX DATABASE ${database}; ALTER DATABASE ${database} REFRESH COLLATION VERSION`,
  },
  {
    name: 'damaged-pages',
    isError: true,
    statement: `SELECT checksum_failures AS failures, checksum_last_failure::timestamptz(0)::text AS at FROM pg_stat_database
                 WHERE datname = current_database() AND checksum_failures > 0`,
    sentence: ({ failures, at }) =>
      `PostgreSQL has read ${failures} damaged pages, the last one at ${at}: its log names the files; change the disk and restore a ` +
      'backup (docs/runbooks/restore.md), then SELECT pg_stat_reset()',
  },
  {
    name: 'wraparound',
    isError: true,
    statement: `SELECT quote_ident(datname) AS database, greatest(age(datfrozenxid), mxid_age(datminmxid)) AS age FROM pg_database
                 WHERE datname = current_database()
                   AND greatest(age(datfrozenxid), mxid_age(datminmxid)) > ${TRANSACTIONS_MAX}`,
    sentence: ({ database, age }) =>
      `PostgreSQL has not cleaned up behind ${age} transactions, and after 2,100 million takes no more: end what holds it up ` +
      '(SELECT * FROM pg_prepared_xacts; old rows of pg_stat_activity and pg_replication_slots), then run VACUUM (FREEZE) in ' +
      `the database ${database} as a superuser`,
  },
  {
    name: 'autovacuum',
    statement: settingsThat(`name IN ('autovacuum', 'track_counts') AND setting = 'off'`),
    sentence: ({ settings, resets }) =>
      `${settings}: nothing cleans up, so that tables grow, and at last PostgreSQL takes no more changes; ${reset(resets)}`,
  },
  {
    name: 'archive',
    isError: true,
    statement: `SELECT failed_count AS count, last_failed_wal AS file FROM pg_stat_archiver
                 WHERE current_setting('archive_mode') <> 'off'
                   AND last_failed_time > coalesce(last_archived_time, '-infinity')`,
    sentence: ({ count, file }) =>
      `archive_command has failed ${count} times, last with ${file}: what is not archived cannot be restored, and fills the disk; ` +
      'PostgreSQL’s log has its message',
  },
  {
    name: 'slot',
    statement: `SELECT slot_name AS slot, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) AS size
                  FROM pg_replication_slots
                 WHERE NOT pg_is_in_recovery() AND NOT active
                   AND (wal_status = 'lost' OR pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > ${SLOT_BYTES_MAX})`,
    sentence: ({ slot, size }) =>
      `nobody reads the replication slot "${slot}", and ${size} are kept for it, until the disk is full: start its standby, or let a ` +
      `superuser run SELECT pg_drop_replication_slot('${slot}')`,
  },
  {
    name: 'partitions',
    isError: true,
    statement: `
      SELECT t.oid::regclass AS table, 'has ' || count(inhrelid) || ' of its 16 partitions' AS lack,
             'what belongs to the others is refused' AS harm
        FROM pg_class t JOIN pg_partitioned_table p ON partrelid = t.oid LEFT JOIN pg_inherits ON inhparent = t.oid
       WHERE partstrat = 'h' AND t.relname = 'ledger_entry' GROUP BY 1 HAVING count(inhrelid) < 16
      UNION ALL
      SELECT t.oid::regclass, 'has no partition for the rest', 'rows of a month without a partition are refused'
        FROM pg_class t JOIN pg_partitioned_table ON partrelid = t.oid
       WHERE partstrat = 'r' AND partdefid = 0 AND t.relname = 'sign_in'`,
    sentence: ({ table, lack, harm }) =>
      `${table} ${lack}: ${harm}; ATTACH what was detached, or run deploy/partitions (docs/runbooks/partitions.md)`,
  },
  {
    name: 'partitions',
    statement: `
      SELECT inhparent::regclass AS table, max(substring(pg_get_expr(relpartbound, c.oid) FROM 'TO \\(''([^'']+)''')) AS last
        FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_partitioned_table ON partrelid = inhparent
       WHERE partstrat = 'r' AND inhparent = to_regclass('public.sign_in') GROUP BY 1
      HAVING max(substring(pg_get_expr(relpartbound, c.oid) FROM 'TO \\(''([^'']+)''')::timestamptz) < now() + interval '1 month'`,
    sentence: ({ table, last }) =>
      `the partitions of ${table} end at ${last}, and what comes later lies in one: run deploy/partitions once more ` +
      '(docs/runbooks/partitions.md)',
  },
]

/** In a transaction that reads. */
async function readServerFaults(ask: Ask): Promise<DatabaseFault[]> {
  const faults: DatabaseFault[] = []
  for (const { name, statement, sentence, isError = false, stopsStart = false } of QUESTIONS) {
    for (const row of await ask<Record<string, string>>(statement))
      faults.push({ name, sentence: sentence(row), isError, stopsStart })
  }
  return faults
}

/** Whether the database has the migrations of this program and no others: only then it is known what its tables should be. */
async function isOfThisProgram(ask: Ask): Promise<boolean> {
  const expected = await readMigrations()
  const applied = baselineInstead(
    'the database',
    await ask<Applied>('SELECT name, checksum FROM schema_migration'),
  )
  const names = new Set(applied.map(({ name }) => name))
  return names.size === expected.length && expected.every(({ name }) => names.has(name))
}

/** Of the tables, in a transaction that reads a database that has been prepared. */
async function readTableFaults(ask: Ask): Promise<DatabaseFault[]> {
  const faults = (await isOfThisProgram(ask)) ? await readSchemaFaults(ask) : []
  if (faults.length === 0) return []
  const stopsStart = faults.some(({ isGrave }) => isGrave)
  return [{ name: 'tables', sentence: faultsInWords(faults), isError: true, stopsStart }]
}

const askOf =
  (client: Client): Ask =>
  async <Row>(statement: string) =>
    (await client.query(statement)).rows as Row[]

/** In a transaction that reads a database that has been prepared. */
export const tableFaultsOf = (client: Client): Promise<DatabaseFault[]> =>
  unlessLocked(client, () => readTableFaults(askOf(client)))

/** In a transaction that reads. */
export const serverFaultsOf = (client: Client): Promise<DatabaseFault[]> => readServerFaults(askOf(client))

/** Throws a SetupProblem where a portal would run without what protects its money and records. */
export async function requireSound(client: Client): Promise<void> {
  await client.query('BEGIN READ ONLY')
  try {
    const faults = [...(await tableFaultsOf(client)), ...(await serverFaultsOf(client))]
    const fault = faults.find(({ stopsStart }) => stopsStart)
    if (fault !== undefined) throw new SetupProblem(`${fault.sentence}, then start again`)
  } finally {
    await client.query('ROLLBACK').catch(() => {})
  }
}

const LOOK_EVERY_MS = 60_000
/** PostgreSQL locks a table to say how it is made; nobody else is to wait behind that. */
const LOCK_MS_MAX = 1_000

type Look = (ask: Ask) => Promise<DatabaseFault[]>

/** Each in a transaction of its own, so that a locked table hides only what is wrong with tables. */
const LOOKS: readonly Look[] = [readTableFaults, readServerFaults, readUnguarded]

/** Looks each minute: what a start refuses can come up later, and then somebody is told. */
export function watchFaults(db: Db, log: Log): Loop {
  const found = new Map<Look, DatabaseFault[]>()
  let known = new Set<string>()
  show([])
  return startLoop({
    name: 'database-faults',
    pauseMs: LOOK_EVERY_MS,
    log,
    async round() {
      for (const look of LOOKS) found.set(look, (await foundBy(look, db)) ?? found.get(look) ?? [])
      const faults = [...found.values()].flat()
      show(faults)
      for (const { name, sentence } of faults)
        if (!known.has(name)) log.error({ fault: name }, `the database is not sound: ${sentence}`)
      known = new Set(faults.map(({ name }) => name))
    },
  })
}

function show(faults: readonly DatabaseFault[]): void {
  const names = new Set(faults.map(({ name }) => name))
  for (const fault of PLATFORM_METRICS.portal_database_faults.labels.fault)
    setGauge('portal_database_faults', { fault }, names.has(fault) ? 1 : 0)
}

/** Null where nothing could be seen: the table is locked, or the database does not answer, which is reported elsewhere. */
async function foundBy(look: Look, db: Db): Promise<DatabaseFault[] | null> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql.raw(`SET LOCAL lock_timeout = ${LOCK_MS_MAX}`).execute(tx)
      return look(async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(tx)).rows)
    })
  } catch (error) {
    if (operationalRefusal(error) === null) throw error
    return null
  }
}

async function readUnguarded(ask: Ask): Promise<DatabaseFault[]> {
  const settings = await ask<{ name: string; setting: string }>(
    `SELECT name, setting FROM pg_settings WHERE ${IS_UNGUARDED}`,
  )
  return settings.map(({ name, setting }) => ({
    name: 'unguarded' as const,
    sentence: `${name} is ${setting} for the role of the portal: portal doctor names the statement that takes it back`,
    isError: true,
    stopsStart: true,
  }))
}
