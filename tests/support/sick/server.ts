import { chmod, chown, copyFile, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect } from 'vitest'
import { makeCertificate } from '../certificates.ts'
import { asRole, UNPRIVILEGED } from '../pgbouncer.ts'
import { eventually } from '../purchases.ts'
import type { SystemPostgres } from '../system-postgres.ts'
import { READY } from './access.ts'
import type { Said } from './said.ts'

/** A PostgreSQL of its own, by what makes it sick and well again. */
type SickServer = Said & {
  harm(on: ServerWorld): Promise<unknown>
  mend(on: ServerWorld): Promise<unknown>
  /** Of its DATABASE_URL. */
  parameters?(on: ServerWorld): string
}

export type ServerWorld = {
  folder: string
  postgres: SystemPostgres
  /** What stays open until the set-up is mended. */
  held: Client[]
  /** Before all were used up. */
  nextTransaction: number
}

/** A statement of a superuser beside the portal's database. */
const superuser = ({ postgres }: ServerWorld, statement: string) => asRole(postgres.adminUrl, statement)
const adminInside = ({ postgres }: ServerWorld) => postgres.adminUrl.replace(/postgres$/, 'portal')
const inside = (on: ServerWorld, statement: string) => asRole(adminInside(on), statement)

async function set(on: ServerWorld, name: string, value: string | null): Promise<void> {
  await superuser(on, value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`)
  await superuser(on, 'SELECT pg_reload_conf()')
  // Sessions hear of it in their time.
  const wanted = value === null ? `source <> 'configuration file'` : `setting = '${value}'`
  await eventually(async () =>
    expect(await superuser(on, `SELECT FROM pg_settings WHERE name = '${name}' AND ${wanted}`)).toHaveLength(
      1,
    ),
  )
}

/** Commits hang until a standby confirms them, those of the test too. */
async function mendHanging({ postgres }: ServerWorld): Promise<void> {
  const client = new Client({ connectionString: postgres.adminUrl })
  await client.connect()
  await client.query('SET synchronous_commit = local')
  await client.query('ALTER SYSTEM RESET synchronous_standby_names')
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}

async function hold(on: ServerWorld): Promise<Client> {
  const client = new Client({ connectionString: adminInside(on) })
  client.on('error', () => {})
  await client.connect()
  on.held.push(client)
  return client
}

async function withCertificate(on: ServerWorld, name: string, days: number): Promise<void> {
  const { keyFile, file } = makeCertificate(on.folder, name, days)
  const [key, cert] = [join(on.folder, 'server.key'), join(on.folder, 'server.crt')]
  await copyFile(keyFile, key)
  await copyFile(file, cert)
  await copyFile(file, join(on.folder, 'authority.crt'))
  await chmod(key, 0o600)
  if (UNPRIVILEGED.uid !== undefined) await chown(key, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  await set(on, 'ssl_cert_file', cert)
  await set(on, 'ssl_key_file', key)
  await set(on, 'ssl', 'on')
}

async function withoutCertificate(on: ServerWorld): Promise<void> {
  for (const name of ['ssl', 'ssl_cert_file', 'ssl_key_file']) await set(on, name, null)
}

const asTold = (on: ServerWorld) => `?sslmode=verify-full&sslrootcert=${join(on.folder, 'authority.crt')}`

const splitTables = async (on: ServerWorld, file: 'split' | 'join') => {
  const texts = await Promise.all(
    ['rebuild', file].map((one) => readFile(`deploy/partitions/${one}.sql`, 'utf8')),
  )
  await asRole(on.postgres.ownerUrl, texts.join('\n'))
}

/** One byte of a table on the disk, behind the back of the server. */
async function damage(on: ServerWorld): Promise<void> {
  await inside(on, 'CREATE TABLE damaged AS SELECT g FROM generate_series(1, 1000) AS g')
  const [row] = await inside(on, `SELECT pg_relation_filepath('damaged') AS path`)
  const { path } = row as { path: string }
  await on.postgres.stop()
  const file = await open(join(on.postgres.dataDir, path), 'r+')
  await file.write(Buffer.from([255]), 0, 1, 4_000)
  await file.close()
  await on.postgres.start()
  await inside(on, 'SELECT count(*) FROM damaged').catch(() => {})
  await eventually(async () =>
    expect(await inside(on, 'SELECT FROM pg_stat_database WHERE checksum_failures > 0')).not.toEqual([]),
  )
}

/** Opens connections until there is none any more. */
async function useUp(on: ServerWorld): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: on.postgres.ownerUrl })
    client.on('error', () => {})
    try {
      await client.connect()
    } catch {
      return
    }
    on.held.push(client)
  }
}

/** So far back that PostgreSQL has to clean up at once. */
const OLD = `UPDATE pg_database SET datfrozenxid = ((txid_current() % 4294967296 - 1700000000 + 4294967296) % 4294967296)::text::xid
  WHERE datname = 'portal'`

const setting = (name: string, value: string, said: Omit<Said, 'refused' | 'ready'>): SickServer => ({
  ...said,
  harm: (on) => set(on, name, value),
  mend: (on) => set(on, name, null),
  refused: null,
  ready: READY,
})

export const SICK_SERVERS: Record<string, SickServer> = {
  'commits that wait for a standby that is not there': {
    harm: (on) => set(on, 'synchronous_standby_names', 'zwei'),
    mend: mendHanging,
    name: 'writes',
    diagnosed:
      'error at PostgreSQL at … every change waits for the standby "zwei", which is not connected: start it, or',
    refused:
      'at PostgreSQL at … every change waits for the standby "zwei", which is not connected: start it, or',
    ready: { status: 'read-only', reason: 'no-standby' },
  },
  'statements that wait for a lock': {
    async harm(on) {
      const [holder, waiter] = [await hold(on), await hold(on)]
      await holder.query('BEGIN')
      await holder.query('LOCK TABLE users')
      waiter.query('SELECT FROM users LIMIT 1').catch(() => {})
      const waiting = `SELECT FROM pg_locks WHERE NOT granted AND waitstart < clock_timestamp() - interval '3 seconds'`
      await eventually(async () => expect(await inside(on, waiting)).toHaveLength(1))
    },
    mend: async () => {},
    name: 'locks',
    diagnosed:
      'error 1 statements wait for what other processes of PostgreSQL hold (…): see in pg_stat_activity what these do, and end them',
    refused: null,
    ready: READY,
  },
  'a prepared transaction that nobody ends': {
    async harm(on) {
      await asRole(adminInside(on), `BEGIN; LOCK TABLE posts IN SHARE MODE; PREPARE TRANSACTION 'left'`)
      const old = `SELECT FROM pg_prepared_xacts WHERE prepared < clock_timestamp() - interval '3 seconds'`
      await eventually(async () => expect(await inside(on, old)).toHaveLength(1))
    },
    mend: (on) => inside(on, `ROLLBACK PREPARED 'left'`),
    name: 'locks',
    diagnosed: `error prepared transactions hold their locks until they are ended (0 statements wait): run in this database ROLLBACK PREPARED 'left'`,
    refused: null,
    ready: READY,
  },
  'a certificate that has ended': {
    harm: (on) => withCertificate(on, '127.0.0.1', -1),
    mend: withoutCertificate,
    parameters: asTold,
    name: 'database',
    diagnosed: 'error the certificate of PostgreSQL at … has ended: renew it there',
    refused: 'the certificate of PostgreSQL at … has ended: renew it there',
    ready: READY,
  },
  'a certificate of another name': {
    harm: (on) => withCertificate(on, 'ninja.test', 90),
    mend: withoutCertificate,
    parameters: asTold,
    name: 'database',
    diagnosed: 'error the certificate of PostgreSQL at … is of another name: give it one of that name, or',
    refused: 'the certificate of PostgreSQL at … is of another name: give it one of that name, or',
    ready: READY,
  },
  'a PostgreSQL that a crash may damage': setting('fsync', 'off', {
    name: 'server',
    diagnosed:
      'warning fsync=off: a crash of the machine loses confirmed operations and can damage the whole database; let a superuser run ALTER SYSTEM RESET fsync; SELECT pg_reload_conf(), or take it out of',
    fault: 'not-durable',
  }),
  'a PostgreSQL that cleans nothing up': setting('autovacuum', 'off', {
    name: 'server',
    diagnosed:
      'warning autovacuum=off: nothing cleans up, so that tables grow, and at last PostgreSQL takes no more changes; let a superuser run ALTER SYSTEM RESET autovacuum',
    fault: 'autovacuum',
  }),
  'an archive that takes nothing': {
    async harm(on) {
      await set(on, 'archive_command', 'false')
      await superuser(on, 'SELECT pg_switch_wal()')
      await eventually(async () =>
        expect(await superuser(on, 'SELECT FROM pg_stat_archiver WHERE failed_count > 0')).toHaveLength(1),
      )
    },
    async mend(on) {
      await set(on, 'archive_command', 'true')
      await superuser(on, 'SELECT pg_switch_wal()')
      const is = 'SELECT FROM pg_stat_archiver WHERE last_archived_time > last_failed_time'
      await eventually(async () => expect(await superuser(on, is)).toHaveLength(1), 90_000)
    },
    name: 'server',
    diagnosed:
      'error archive_command has failed … times, last with …: what is not archived cannot be restored, and fills the disk',
    refused: null,
    ready: READY,
    fault: 'archive',
  },
  'a replication slot that nobody reads': {
    async harm(on) {
      await superuser(on, `SELECT pg_create_physical_replication_slot('left', true)`)
      for (let count = 0; count < 6; count++) {
        await superuser(on, `SELECT pg_logical_emit_message(false, '', 'x')`)
        await superuser(on, 'SELECT pg_switch_wal()')
      }
    },
    mend: (on) => superuser(on, `SELECT pg_drop_replication_slot('left')`),
    name: 'server',
    diagnosed:
      'warning nobody reads the replication slot "left", and … are kept for it, until the disk is full: start its standby, or let a superuser run SELECT pg_drop_replication_slot(\'left\')',
    refused: null,
    ready: READY,
    fault: 'slot',
  },
  'transactions that are nearly used up': {
    async harm(on) {
      await set(on, 'autovacuum_naptime', '86400')
      await superuser(on, OLD)
    },
    async mend(on) {
      await inside(on, 'VACUUM')
      await set(on, 'autovacuum_naptime', null)
      const age = `SELECT FROM pg_database WHERE datname = 'portal' AND age(datfrozenxid) < 1000000000`
      if ((await superuser(on, age)).length === 0)
        await superuser(
          on,
          `UPDATE pg_database SET datfrozenxid = (SELECT datfrozenxid FROM pg_database WHERE datname = 'postgres') WHERE datname = 'portal'`,
        )
    },
    name: 'server',
    diagnosed:
      'error PostgreSQL has not cleaned up behind 17… transactions, and after 2,100 million takes no more: end what holds it up',
    refused: null,
    ready: READY,
    fault: 'wraparound',
  },
  'transactions that are used up': {
    async harm(on) {
      const [row] = await superuser(
        on,
        `SELECT txid_current() AS next, min(datfrozenxid::text::bigint) AS oldest FROM pg_database`,
      )
      const { next, oldest } = row as { next: string; oldest: string }
      on.nextTransaction = Number(next) + 1_000
      await on.postgres.stop()
      await on.postgres.setNextTransaction(Number(oldest) + 2 ** 31 - 1_000_000)
      await on.postgres.start()
    },
    async mend(on) {
      await on.postgres.stop()
      await on.postgres.setNextTransaction(on.nextTransaction)
      await on.postgres.start()
    },
    name: 'writes',
    diagnosed:
      'error PostgreSQL at … refuses to write (database is not accepting commands to avoid wraparound data loss in database "…"): its log says why',
    refused:
      'PostgreSQL at … refuses to write (database is not accepting commands to avoid wraparound data loss in database "…"): its log says why',
    ready: { status: 'read-only', reason: 'refused' },
    fault: 'wraparound',
  },
  'a disk that changed what was written': {
    harm: damage,
    async mend(on) {
      await inside(on, 'SELECT pg_stat_reset()')
      await inside(on, 'DROP TABLE damaged')
    },
    name: 'server',
    diagnosed:
      'error PostgreSQL has read … damaged pages, the last one at …: its log names the files; change the disk',
    refused: null,
    ready: READY,
    fault: 'damaged-pages',
  },
  'a partition of the ledger that was detached': {
    async harm(on) {
      await splitTables(on, 'split')
      await inside(on, 'ALTER TABLE ledger_entry DETACH PARTITION ledger_entry_07')
    },
    async mend(on) {
      await inside(
        on,
        'ALTER TABLE ledger_entry ATTACH PARTITION ledger_entry_07 FOR VALUES WITH (MODULUS 16, REMAINDER 7)',
      )
      await splitTables(on, 'join')
    },
    name: 'server',
    diagnosed:
      'error ledger_entry has 15 of its 16 partitions: what belongs to the others is refused; ATTACH what was detached',
    refused: null,
    ready: READY,
    fault: 'partitions',
  },
  'partitions of months that end': {
    async harm(on) {
      await splitTables(on, 'split')
      const later = `SELECT format('DROP TABLE %s', inhrelid::regclass) AS drop FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
        WHERE inhparent = 'sign_in'::regclass
          AND substring(pg_get_expr(relpartbound, c.oid) FROM 'TO \\(''([^'']+)''')::timestamptz > now() + interval '1 month'`
      for (const row of (await inside(on, later)) as { drop: string }[]) await inside(on, row.drop)
    },
    mend: (on) => splitTables(on, 'join'),
    name: 'server',
    diagnosed:
      'warning the partitions of sign_in end at …, and what comes later lies in one: run deploy/partitions once more',
    refused: null,
    ready: READY,
    fault: 'partitions',
  },
  'a month without a partition': {
    async harm(on) {
      await splitTables(on, 'split')
      await inside(on, 'ALTER TABLE sign_in DETACH PARTITION sign_in_rest')
    },
    async mend(on) {
      await inside(on, 'ALTER TABLE sign_in ATTACH PARTITION sign_in_rest DEFAULT')
      await splitTables(on, 'join')
    },
    name: 'server',
    diagnosed:
      'error sign_in has no partition for the rest: rows of a month without a partition are refused; ATTACH what was detached',
    refused: null,
    ready: READY,
    fault: 'partitions',
  },
  'connections that are all used': {
    async harm(on) {
      await useUp(on)
      // What the portal has goes too, and it gets none again.
      await inside(
        on,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'portal\\_%'`,
      )
      await useUp(on)
    },
    mend: async () => {},
    name: 'database',
    diagnosed:
      'error PostgreSQL at … has no free connection: raise its max_connections or end programs that hold them',
    refused:
      'PostgreSQL at … has no free connection: raise its max_connections or end programs that hold them',
    ready: { status: 'unavailable', reason: 'no-connection' },
  },
}
