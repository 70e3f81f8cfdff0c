import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config/config.ts'
import { diagnose } from '#server/health/checkup.ts'
import { openAppRole } from '#server/platform/db/app-role.ts'
import { DatabaseListener } from '#server/platform/db/notices.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import { readMigrations } from '#server/platform/db/migration-files.ts'
import { openLog } from '#server/platform/log/log.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { openPortalDatabase } from '#server/start/database.ts'
import { startPortal } from '#server/start/portal.ts'
import { sentenceOf } from '#server/start/start-failure.ts'
import { byTcp, freePort } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import { asRole, isPgbouncerThere, startPgbouncer, type Pgbouncer } from '#tests/support/pgbouncer.ts'
import { START_MS_MAX, startPortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { emptyDisk, fillDisk, mayMount, openDisk } from '../harness/faults.ts'

const isThere = isSystemPostgresThere()
/** The portal checks every five seconds. */
const NOTICED_MS_MAX = 30_000

const log = openLog('fatal')
const folder = useFolder()
let primary: SystemPostgres
let standby: SystemPostgres
let pgbouncer: Pgbouncer | null = null
/** Another PostgreSQL, with the same roles and passwords, and what follows it; made by the first who needs it. */
let another: Promise<{ primary: SystemPostgres; standby: SystemPostgres }> | null = null
let closedPort: number

beforeAll(async () => {
  if (!isThere) return
  primary = await SystemPostgres.open(folder, 'primary')
  standby = await SystemPostgres.open(folder, 'standby')
  await primary.create()
  await migrateDatabase(primary.ownerUrl, log)
  await openAppRole(primary.ownerUrl, log)
  await standby.follow(primary)
  closedPort = await freePort()
  if (!isPgbouncerThere()) return
  const adminUrl = primary.adminUrl.replace(/postgres$/, 'portal')
  pgbouncer = await startPgbouncer({
    folder,
    adminUrl,
    directUrl: primary.ownerUrl,
    change: (file) => file.replace(/^pool_mode = .*$/m, `pool_mode = ${pooled}`),
  })
}, 2 * START_MS_MAX)
afterAll(async () => {
  if (!isThere) return
  await pgbouncer?.end()
  const others = await another
  for (const server of [others?.standby, others?.primary, standby, primary]) await server?.stop()
}, START_MS_MAX)

async function makeAnother() {
  const [first, second] = [
    await SystemPostgres.open(folder, 'another'),
    await SystemPostgres.open(folder, 'another-standby'),
  ]
  await first.create()
  await migrateDatabase(first.ownerUrl, log)
  await openAppRole(first.ownerUrl, log)
  await second.follow(first)
  return { primary: first, standby: second }
}

let pooled: 'transaction' | 'statement' = 'transaction'

/** What PgBouncer keeps on one connection of the server: all of a transaction, or each statement alone. */
async function pool(what: 'transaction' | 'statement'): Promise<void> {
  if (what === pooled || pgbouncer === null) return
  pooled = what
  await pgbouncer.end()
  await pgbouncer.repoint(primary.port)
  await pgbouncer.start()
}

/** The sentence with which a start in that environment ends. */
async function refusalOf(environment: Record<string, string>): Promise<string> {
  const config = readConfig({ DEMO: '0', GAME_SERVER_URL: 'embedded', ...environment })
  const opening = openPortalDatabase(config, { log, clock: systemClock, isServing: true })
  return opening.then(
    ({ close }) => close().then(() => 'it starts'),
    (error: unknown) => sentenceOf(error),
  )
}

const atHosts = (hosts: string) =>
  `${primary.ownerUrl.replace(/@[^/]+/, `@${hosts}`)}?target_session_attrs=read-write`
const hostOf = ({ port }: SystemPostgres) => `127.0.0.1:${port}`

const DATABASE_ROWS =
  /^(?:database|rights|schema|tables|mode|writes|server|connections|clock|standby|pooler|replica)$/

/** What doctor reports of the database in that environment: each row as its level and name, and all of it as text. */
async function rowsOf(environment: Record<string, string>): Promise<{ rows: string[]; text: string }> {
  const findings = await diagnose({
    ...process.env,
    PORT: String(await freePort()),
    DATA_DIR: join(folder, 'unused'),
    DEMO: '0',
    GAME_SERVER_URL: 'embedded',
    PUBLIC_URL: 'https://ninja.test',
    ...environment,
  })
  const ofDatabase = findings.filter(({ name }) => DATABASE_ROWS.test(name))
  return {
    rows: ofDatabase.map(({ level, name }) => `${level} ${name}`),
    text: ofDatabase.map(({ level, name, text }) => `${level} ${name}: ${text}`).join('\n'),
  }
}

const USUAL = [
  'ok database',
  'ok rights',
  'ok schema',
  'ok tables',
  'ok mode',
  'ok writes',
  'ok server',
  'ok connections',
  'ok clock',
  'ok standby',
]

type SetUp = {
  environment: () => Record<string, string> | Promise<Record<string, string>>
  rows: string[]
  diagnosed: RegExp
  withPgbouncer?: boolean
  /** A start ends with the sentence of the row that is an error. */
  refused?: true
  pooling?: 'statement'
  isLong?: true
}

const SET_UPS: Record<string, SetUp> = {
  'one host': {
    environment: () => ({ DATABASE_URL: primary.ownerUrl }),
    rows: USUAL,
    diagnosed: /^ok connections: 23 at most of the \d+ that PostgreSQL allows \(1 × 23\)$/m,
  },
  'one host that has to take writes': {
    environment: () => ({ DATABASE_URL: `${primary.ownerUrl}?target_session_attrs=read-write` }),
    rows: USUAL,
    diagnosed: /^ok database: PostgreSQL \d.* at 127\.0\.0\.1:\d+ as portal, live$/m,
  },
  'several hosts, of which one is the standby': {
    environment: () => ({ DATABASE_URL: atHosts(`${hostOf(standby)},${hostOf(primary)}`) }),
    rows: USUAL,
    diagnosed: /^ok database: PostgreSQL \d.* at 127\.0\.0\.1:\d+ or 127\.0\.0\.1:\d+ as portal, live$/m,
  },
  'several hosts, of which one is away': {
    environment: () => ({ DATABASE_URL: atHosts(`127.0.0.1:${closedPort},${hostOf(primary)}`) }),
    rows: USUAL,
    diagnosed: /^ok clock: /m,
  },
  'several hosts, of which none takes writes': {
    environment: () => ({ DATABASE_URL: atHosts(`127.0.0.1:${closedPort},${hostOf(standby)}`) }),
    rows: ['error database'],
    diagnosed:
      /of 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+ none takes writes: promote one of them, .*, or correct the hosts/,
    refused: true,
  },
  'a standby alone': {
    environment: () => ({ DATABASE_URL: standby.ownerUrl }),
    rows: USUAL.with(5, 'error writes'),
    diagnosed:
      /^error writes: PostgreSQL at 127\.0\.0\.1:\d+ is a standby, which takes no writes: promote it \(SELECT pg_promote\(\)\), or name the server that takes writes in DATABASE_URL, then start again$/m,
    refused: true,
  },
  'several processes': {
    environment: () => ({ DATABASE_URL: primary.ownerUrl, PROCESSES: '2', DATABASE_POOL: '20' }),
    rows: USUAL,
    diagnosed: /^ok connections: 69 at most of the \d+ that PostgreSQL allows \(3 × 23\)$/m,
  },
  'more processes than PostgreSQL has connections for': {
    environment: () => ({ DATABASE_URL: primary.ownerUrl, PROCESSES: '8', DATABASE_POOL: '20' }),
    rows: USUAL.with(7, 'warning connections'),
    diagnosed: /^warning connections: 207 at most .* \(9 × 23\): lower DATABASE_POOL or PROCESSES/m,
  },
  'a replica': {
    environment: () => ({ DATABASE_URL: primary.ownerUrl, DATABASE_REPLICA_URL: standby.ownerUrl }),
    rows: [...USUAL, 'ok replica'],
    diagnosed: /^ok replica: public data is read from the server at 127\.0\.0\.1:\d+$/m,
  },
  'a replica that is away': {
    environment: () => ({
      DATABASE_URL: primary.ownerUrl,
      DATABASE_REPLICA_URL: byTcp(primary.ownerUrl, closedPort),
    }),
    rows: [...USUAL, 'warning replica'],
    diagnosed: /^warning replica: public data is read from the primary \(/m,
  },
  'a replica of another PostgreSQL': {
    async environment() {
      const { standby: other } = await (another ??= makeAnother())
      return { DATABASE_URL: primary.ownerUrl, DATABASE_REPLICA_URL: other.ownerUrl }
    },
    rows: [...USUAL, 'error replica'],
    diagnosed:
      /^error replica: the server at 127\.0\.0\.1:\d+ follows another PostgreSQL than that of DATABASE_URL: correct DATABASE_REPLICA_URL, or leave it out/m,
    isLong: true,
  },
  'PgBouncer that leads to another database': {
    async environment() {
      const { primary: other } = await (another ??= makeAnother())
      return { DATABASE_URL: (pgbouncer as Pgbouncer).url, DATABASE_DIRECT_URL: other.ownerUrl }
    },
    rows: [...USUAL, 'error pooler'],
    diagnosed:
      /^error pooler: the pooler at 127\.0\.0\.1:\d+ leads to another database than DATABASE_DIRECT_URL \(127\.0\.0\.1:\d+\): correct host, port and dbname/m,
    withPgbouncer: true,
    refused: true,
    isLong: true,
  },
  'PgBouncer, and PostgreSQL itself beside it': {
    environment: () => ({
      DATABASE_URL: (pgbouncer as Pgbouncer).url,
      DATABASE_DIRECT_URL: primary.ownerUrl,
      PROCESSES: '8',
    }),
    rows: [...USUAL, 'ok pooler'],
    diagnosed: /^ok connections: 27 at most [^]*^ok pooler: requests go through 127\.0\.0\.1:\d+$/m,
    withPgbouncer: true,
  },
  'PgBouncer, and several hosts of PostgreSQL beside it': {
    environment: () => ({
      DATABASE_URL: (pgbouncer as Pgbouncer).url,
      DATABASE_DIRECT_URL: atHosts(`${hostOf(standby)},${hostOf(primary)}`),
    }),
    rows: [...USUAL, 'ok pooler'],
    diagnosed: /^ok pooler: /m,
    withPgbouncer: true,
  },
  'PgBouncer that is away': {
    environment: () => ({
      DATABASE_URL: byTcp(primary.ownerUrl, closedPort),
      DATABASE_DIRECT_URL: primary.ownerUrl,
    }),
    rows: [...USUAL, 'error pooler'],
    diagnosed:
      /^error pooler: PostgreSQL at 127\.0\.0\.1:\d+ does not answer: start it, or correct host and port/m,
    refused: true,
  },
  'PgBouncer that keeps no transaction together': {
    environment: () => ({
      DATABASE_URL: (pgbouncer as Pgbouncer).url,
      DATABASE_DIRECT_URL: primary.ownerUrl,
    }),
    rows: [...USUAL, 'error pooler'],
    diagnosed:
      /^error pooler: the pooler at 127\.0\.0\.1:\d+ keeps no transaction together \(.*\): set pool_mode = transaction in its pgbouncer\.ini and reload it$/m,
    withPgbouncer: true,
    refused: true,
    pooling: 'statement',
  },
  'PgBouncer alone': {
    environment: () => ({ DATABASE_URL: (pgbouncer as Pgbouncer).url }),
    rows: [...USUAL, 'error pooler'],
    diagnosed: /^error pooler: 127\.0\.0\.1:\d+ is a connection pooler: .* DATABASE_DIRECT_URL/m,
    withPgbouncer: true,
  },
  'PgBouncer, also as the direct address': {
    environment: () => {
      const { url } = pgbouncer as Pgbouncer
      return { DATABASE_URL: url, DATABASE_DIRECT_URL: url }
    },
    rows: [...USUAL, 'error pooler'],
    diagnosed: /^error pooler: 127\.0\.0\.1:\d+ is a connection pooler: .* DATABASE_DIRECT_URL/m,
    withPgbouncer: true,
  },
}

describe.skipIf(!isThere)(
  'what doctor reports of each documented set-up (skipped without PostgreSQL of the machine)',
  { timeout: START_MS_MAX },
  () => {
    test.for(
      everyNth(
        Object.entries<SetUp>(SET_UPS).filter(([, { isLong }]) => hasAllCases || !isLong),
        2,
      ),
    )('%s', async ([, { environment, rows, diagnosed, withPgbouncer, refused, pooling }], context) => {
      if (withPgbouncer && pgbouncer === null) context.skip('pgbouncer is not installed')
      await pool(pooling ?? 'transaction')
      const given = await environment()
      const found = await rowsOf(given)
      const refusal = refused ? await refusalOf(given) : ''
      await pool('transaction')
      expect(found.rows, found.text).toEqual(rows)
      expect(found.text).toMatch(diagnosed)
      expect(found.text).toContain(refusal)
    })

    test.runIf(hasAllCases)(
      'a running portal that its pooler leads to a standby is not ready, until it leads back',
      async (context) => {
        if (pgbouncer === null) return context.skip('pgbouncer is not installed')
        const PORT = String(await freePort())
        const environment = { DATABASE_URL: pgbouncer.url, DATABASE_DIRECT_URL: primary.ownerUrl, DEMO: '0' }
        const others = {
          GAME_SERVER_URL: 'embedded',
          DATA_DIR: join(folder, 'led'),
          PORT,
          LOG_LEVEL: 'fatal',
        }
        const roles = { isWeb: true, isWorker: false }
        const portal = await startPortal({ ...environment, ...others }, roles, { withPages: false })
        const becomes = (status: number, body: unknown) =>
          eventually(async () => {
            const answer = await fetch(`http://127.0.0.1:${PORT}/readyz`)
            expect([answer.status, await answer.json()]).toEqual([status, body])
          }, NOTICED_MS_MAX)
        try {
          await becomes(200, { status: 'ok' })
          await pgbouncer.repoint(standby.port)
          await becomes(503, { status: 'read-only', reason: 'standby' })
          await pgbouncer.repoint(primary.port)
          await becomes(200, { status: 'ok' })
        } finally {
          await pgbouncer.repoint(primary.port)
          await portal.stop({ withDelay: false })
        }
      },
    )

    test('processes that run already are counted, whoever started them', async () => {
      const appUrl = await openAppRole(primary.ownerUrl, log)
      const listeners = Array.from({ length: 3 }, () => new DatabaseListener(appUrl, log))
      for (const listener of listeners) await listener.open()
      try {
        const { text } = await rowsOf({ DATABASE_URL: primary.ownerUrl })
        expect(text).toMatch(/^ok connections: 69 at most of the \d+ that PostgreSQL allows \(3 × 23\)$/m)
      } finally {
        for (const listener of listeners) await listener.close()
      }
    })

    test('migrations that the database lacks are reported', async () => {
      const url = primary.adminUrl.replace(/postgres$/, 'portal')
      const last = (await readMigrations()).at(-1)
      await asRole(url, `DELETE FROM schema_migration WHERE name = '${last?.name}'`)
      expect((await rowsOf({ DATABASE_URL: primary.ownerUrl })).text).toMatch(
        /^ok schema: 1 migrations are missing: the next start applies them$/m,
      )
      await asRole(
        url,
        `INSERT INTO schema_migration VALUES ('${last?.name}', '${last?.checksum}', now(), '${last?.kind}')`,
      )
    })

    test('nothing of it stays on a connection of the pooler', async (context) => {
      if (pgbouncer === null) return context.skip('pgbouncer is not installed')
      await rowsOf({ DATABASE_URL: pgbouncer.url })
      for (let attempt = 0; attempt < 10; attempt++)
        expect(await asRole(pgbouncer.url, 'SHOW default_transaction_read_only')).toEqual([
          { default_transaction_read_only: 'off' },
        ])
    })
  },
)

describe.skipIf(!isThere || !mayMount())(
  'a full disk of PostgreSQL (skipped where no small disk can be mounted)',
  { timeout: 3 * START_MS_MAX },
  () => {
    test.runIf(hasAllCases)(
      'is an error of doctor, 503 at /readyz and a metric, until there is room',
      async () => {
        const disk = join(folder, 'disk')
        await mkdir(disk)
        const closeDisk = await openDisk(disk, '200m')
        const server = await SystemPostgres.open(disk, 'small')
        try {
          await server.create()
          const metricsPort = await freePort()
          const portal = await startPortalProcess({
            dataDir: join(folder, 'portal'),
            environment: {
              DATABASE_URL: server.ownerUrl,
              METRICS_PORT: String(metricsPort),
              DEMO: '0',
              GAME_SERVER_URL: 'embedded',
            },
          })
          const ready = async () => {
            const answer = await fetch(`${portal.url}/readyz`)
            return { status: answer.status, body: await answer.json() }
          }
          const isFull = async () =>
            /^portal_database_disk_full (\d)$/m.exec(
              await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
            )?.[1]
          await eventually(async () => expect(await isFull()).toBe('0'), NOTICED_MS_MAX)
          expect(await ready()).toEqual({ status: 200, body: { status: 'ok' } })

          await fillDisk(disk)
          await eventually(async () => expect((await ready()).status).toBe(503), NOTICED_MS_MAX)
          expect((await ready()).body).toEqual({ status: 'read-only', reason: 'disk-full' })
          expect(await isFull()).toBe('1')
          expect((await fetch(`${portal.url}/home`)).status).toBe(200)
          const { rows, text } = await rowsOf({ DATABASE_URL: server.ownerUrl })
          expect(rows).toEqual(USUAL.with(5, 'error writes'))
          expect(text).toMatch(
            /^error writes: no space is left on the disk of PostgreSQL: make room there, then start again$/m,
          )

          await emptyDisk(disk)
          await eventually(async () => expect((await ready()).status).toBe(200), NOTICED_MS_MAX)
          expect(await isFull()).toBe('0')
          expect(await portal.end(), portal.output()).toBe(0)
        } finally {
          await server.stop()
          await closeDisk()
        }
      },
    )
  },
)
