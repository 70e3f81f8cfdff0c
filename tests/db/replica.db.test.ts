import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import { asRole } from '#tests/support/pgbouncer.ts'
import { START_MS_MAX, startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const isThere = hasAllCases && isSystemPostgresThere()
/** The replica may be 5 s behind, and is looked at once a second. */
const VISIBLE_MS_MAX = 20_000
/** A poll for changed content, every two seconds, and a read. */
const CHANGE_MS_MAX = 4_000

const folder = useFolder()
let primary: SystemPostgres
let replica: SystemPostgres
let metricsPort: number
let portal: PortalProcess | null = null

beforeAll(async () => {
  if (!isThere) return
  primary = await SystemPostgres.open(folder, 'primary')
  replica = await SystemPostgres.open(folder, 'replica')
  await primary.create()
  await replica.follow(primary)
  // It follows, and no commit waits for it.
  await asRole(primary.adminUrl, `ALTER SYSTEM SET synchronous_standby_names = ''`)
  await asRole(primary.adminUrl, 'SELECT pg_reload_conf()')
  metricsPort = await freePort()
  portal = await startPortalProcess({
    dataDir: join(folder, 'portal'),
    environment: {
      DATABASE_URL: primary.ownerUrl,
      DATABASE_REPLICA_URL: replica.ownerUrl,
      METRICS_PORT: String(metricsPort),
      DEMO: '0',
      GAME_SERVER_URL: 'embedded',
    },
  })
}, 2 * START_MS_MAX)
afterAll(async () => {
  if (!isThere) return
  await portal?.end()
  for (const server of [replica, primary]) await server.stop()
}, START_MS_MAX)

/** Reads the categories, and names the server that answered. */
async function readOnce(): Promise<{ names: string[]; from: 'replica' | 'primary' }> {
  const before = await answeredByReplica()
  const answer = await fetch(`${portal?.url}/api/categories`)
  expect(answer.status).toBe(200)
  const names = ((await answer.json()) as { title: string }[]).map(({ title }) => title)
  return { names, from: (await answeredByReplica()) > before ? 'replica' : 'primary' }
}

const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

async function answeredByReplica(): Promise<number> {
  return Number(/^portal_public_reads_total\{from="replica"\} (\d+)/m.exec(await metrics())?.[1] ?? 0)
}

async function lagSeconds(): Promise<number> {
  return Number(/^portal_replica_lag_seconds (\S+)/m.exec(await metrics())?.[1])
}

/** As the portal writes it: the notice saves waiting, and a process that misses it sees the version at its next poll. */
const addCategory = (title: string) =>
  asRole(
    primary.adminUrl.replace(/postgres$/, 'portal'),
    `BEGIN;
     INSERT INTO categories (title) VALUES ('${title}');
     INSERT INTO content_version (kind) VALUES ('categories')
       ON CONFLICT (kind) DO UPDATE SET version = content_version.version + 1;
     SELECT pg_notify('content_changed', 'categories ' || version) FROM content_version WHERE kind = 'categories';
     COMMIT`,
  )

describe.skipIf(!isThere)(
  'a DATABASE_REPLICA_URL (skipped without PostgreSQL of the machine)',
  { timeout: 3 * START_MS_MAX },
  () => {
    test('public data is read from the replica', async () => {
      await eventually(async () => expect((await readOnce()).from).toBe('replica'), VISIBLE_MS_MAX)
    })

    test('what was changed is read from the primary until the replica has it, and always as it is', async () => {
      await asRole(replica.adminUrl, 'SELECT pg_wal_replay_pause()')
      await addCategory('Mới nhất')
      await eventually(async () => expect((await readOnce()).names).toContain('Mới nhất'), CHANGE_MS_MAX)
      expect((await readOnce()).from).toBe('primary')
      await asRole(replica.adminUrl, 'SELECT pg_wal_replay_resume()')
      await eventually(async () => expect((await readOnce()).from).toBe('replica'), VISIBLE_MS_MAX)
      expect((await readOnce()).names).toContain('Mới nhất')
    })

    test('one that is too far behind is not read from, and the metrics show it', async () => {
      await asRole(replica.adminUrl, 'SELECT pg_wal_replay_pause()')
      await asRole(primary.adminUrl, 'SELECT pg_switch_wal(), txid_current()')
      await eventually(async () => expect((await readOnce()).from).toBe('primary'), VISIBLE_MS_MAX)
      // The metrics hold the distance of the last look.
      await eventually(async () => expect(await lagSeconds()).toBeGreaterThan(5), VISIBLE_MS_MAX)
      await asRole(replica.adminUrl, 'SELECT pg_wal_replay_resume()')
      await eventually(async () => expect((await readOnce()).from).toBe('replica'), VISIBLE_MS_MAX)
    })

    test('one that is killed costs nobody an answer', async () => {
      await replica.kill()
      for (let reads = 0; reads < 5; reads++) expect((await readOnce()).from).toBe('primary')
      await replica.start()
      await eventually(async () => expect((await readOnce()).from).toBe('replica'), VISIBLE_MS_MAX)
    })
  },
)
