import { chown, mkdir, rm, stat } from 'node:fs/promises'
import { randomInt } from 'node:crypto'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { openAccounts } from '#tests/support/bank.ts'
import { readAlertRules, alarmExpr, type AlertRule } from '#tests/support/alert-rules.ts'
import { type TestApp, startTestApp } from '#tests/support/app.ts'
import { makeCertificate, type CertificatePair } from '#tests/support/certificates.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freePort } from '#tests/support/network.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { anAddress } from '#tests/support/players.ts'
import { spawnPortal, startGameProcess, type GameProcess } from '#tests/support/processes.ts'
import { PROVOKED } from '#tests/support/provoked-alarms.ts'
import { fillDisk, openDisk } from '../harness/faults.ts'
import { startPrometheus, type Prometheus } from './prometheus.ts'

const MINUTE_MS = 60_000
/** Rules that wait for longer are tried as after a restart of Prometheus. */
const WAITS_MINUTES_MAX = 5
const GAME_SECRET = 'the-secret-of-the-game'
/** As the runbook has them: METRICS_PORT=+6000. */
const [WORKER, FIRST, SECOND] = [3000, 3001, 3002] as const

const folder = useFolder()
const minutesOf = ({ waits }: AlertRule) => Number.parseInt(waits) * (waits.endsWith('h') ? 60 : 1)

let rules: AlertRule[]
let portal: TestApp
let disk: string
let closeDisk: (() => Promise<void>) | undefined
let certificate: CertificatePair
let site: { port: number; close(): void }
let gamePort: number
let game: GameProcess | null = null
let prometheus: Prometheus | null = null
const processes = new Map<number, ReturnType<typeof spawnPortal>>()
/** What goes on until it is mended. */
const lasting = new Set<() => Promise<unknown> | void>()

/** What is left of `list` when nothing is any more, or when the time is over. */
async function leftOf(list: () => Promise<string[]>, minutes: number): Promise<string[]> {
  const end = performance.now() + minutes * MINUTE_MS
  for (;;) {
    const left = await list()
    if (left.length === 0 || performance.now() > end) return left
    await sleep(2_000)
  }
}

function start(port: number, role: string, environment: Record<string, string> = {}): void {
  const dataDir = join(folder, String(port))
  processes.set(
    port,
    spawnPortal({
      dataDir,
      port,
      arguments: [role],
      environment: {
        DATABASE_URL: portal.ownerUrl,
        DEMO: '0',
        PUBLIC_URL: `https://localhost:${site.port}`,
        GAME_SERVER_URL: `http://127.0.0.1:${gamePort}`,
        GAME_SERVER_SECRET: GAME_SECRET,
        TRUST_PROXY: '127.0.0.1',
        METRICS_PORT: '+6000',
        LOG_LEVEL: 'info',
        ...PAYMENT_ENVIRONMENT,
        ...environment,
      },
    }),
  )
}

async function stop(port: number): Promise<void> {
  // It may have been stopped by SIGSTOP.
  process.kill(processes.get(port)?.pid ?? 0, 'SIGCONT')
  await processes.get(port)?.end('SIGKILL')
  processes.delete(port)
}

/** Until a web process answers; what it said when it ended instead. */
const silent = (port: number) => async () => {
  const process = processes.get(port)
  if (process?.hasEnded()) throw new Error(process.output())
  return (await call(port, '/settings')) === 200 ? [] : [`${port} does not answer`]
}

const call = (port: number, path: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${port}/api${path}`, {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': anAddress() },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  }).then(
    (answer) => answer.status,
    () => 0,
  )

/** Repeats `act` so often, whether the one before has ended or not. */
function every(ms: number, act: () => unknown): () => void {
  const timer = setInterval(() => void act(), ms)
  return () => clearInterval(timer)
}

/** Statements on a connection that holds what they have taken. */
async function hold(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: portal.ownerUrl })
  client.on('error', () => {})
  await client.connect()
  for (const statement of statements) await client.query(statement)
  lasting.add(() => client.end())
}

const superuser = async (statement: string) => {
  const client = new Client({ connectionString: inject('postgres').adminUrl })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Record<string, string>[]
  } finally {
    await client.end()
  }
}
const database = () => new URL(portal.ownerUrl).pathname.slice(1)

/** What a rule of the second group is about. They go on until everything is mended. */
const PROVOCATIONS: Record<string, () => Promise<unknown> | void> = {
  CertificateEnds: () => {},
  CertificateRefused: () => {},
  NotificationsRefused: async () => {
    // At once: before anybody has scraped the process.
    for (let count = 0; count < 12; count++)
      expect(await call(FIRST, '/webhooks/sepay', { forged: count })).toBe(401)
  },
  LoginsFail: () =>
    void lasting.add(
      every(70, () =>
        call(FIRST, '/auth/login', { username: `nguoila${randomInt(1e9)}`, password: 'sai-mat-khau' }),
      ),
    ),
  // Requests wait for the table, others for a connection; in the end both fail.
  RequestsFail: () => hold('BEGIN', 'LOCK TABLE posts IN ACCESS EXCLUSIVE MODE'),
  ConnectionsWaited: () => void lasting.add(every(100, () => call(SECOND, `/posts/${randomInt(1e6)}`))),
  ReplicaBehind: () => {},
  EventLoopLate: () =>
    void lasting.add(
      every(1_200, async () => {
        const { pid } = processes.get(SECOND) ?? {}
        if (pid === undefined) return
        process.kill(pid, 'SIGSTOP')
        await sleep(700)
        process.kill(pid, 'SIGCONT')
      }),
    ),
  GameDoesNotAnswer: () => {},
  MailsGivenUp: () => {},
  ReconciliationMissing: () => {},
  DailyCloseMissing: () => {},
  // The server of the tests is one that a crash may damage, until it is mended.
  DatabaseFault: () => {},
  DatabaseAway: async () => {
    await superuser(`ALTER DATABASE ${database()} CONNECTION LIMIT 0`)
    await superuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database()}'`)
  },
  DatabaseRefusesChanges: () =>
    asOwner(portal, `ALTER DATABASE ${database()} SET default_transaction_read_only = on`),
  DatabaseDiskFull: () => fillDisk(disk),
  PortalDown: () => stop(SECOND),
  NobodyWatches: () => stop(WORKER),
}
/** These make others blind, or refuse what others need. */
const LAST = ['PortalDown', 'NobodyWatches', 'DatabaseAway', 'DatabaseRefusesChanges', 'DatabaseDiskFull']
const MENDED: Record<string, () => Promise<unknown>> = {
  DatabaseRefusesChanges: () => superuser(`ALTER DATABASE ${database()} RESET default_transaction_read_only`),
  DatabaseDiskFull: () => rm(`${disk}/filler`),
  DatabaseAway: () => superuser(`ALTER DATABASE ${database()} CONNECTION LIMIT -1`),
}

/** What has to be there before the worker starts, to be found at its first round. */
async function provokeRows(): Promise<void> {
  for (const name of ALARM_NAMES) if (name !== 'one-person') await PROVOKED[name](portal)
  await asOwner(
    portal,
    // No further ahead than work may rest or be claimed: what lies beyond was written by a clock that was ahead.
    `UPDATE failed_work SET retry_at = now() + interval '55 minutes';
     UPDATE stored_check SET started_at = now();
     INSERT INTO mail_outbox (kind, sealed, created_at) VALUES ('test', 'x', now() - interval '25 hours');
     UPDATE reconciliation_run SET finished_at = now() - interval '31 hours';
     UPDATE reconciliation_task SET due_at = now() - interval '7 hours', claimed_until = now() + interval '29 minutes'
      WHERE name = 'nightly'`,
  )
  // A worker that holds them and hangs: nobody else takes them.
  await hold('BEGIN', `SELECT FROM payment_event WHERE status = 'new' FOR UPDATE`)
}

const ROWS = [
  'delivery',
  'delivery_collection',
  'proposal',
  'daily_close',
  'payment_event',
  'payment_event_seal',
  'payment_event_body',
  'bank_transaction',
  'recharge_claim',
  'help_case',
  'help_message',
  'gateway_refund',
  'game_description',
  'account_change',
  'deletion_request',
  'mail_outbox',
  'reconciliation_run',
  'failed_work',
  'client_error',
  'backup_run',
  'gift_code_batch',
  'gift_code',
]

async function mendRows(): Promise<void> {
  for (const name of ['fsync', 'full_page_writes']) await superuser(`ALTER SYSTEM SET ${name} = on`)
  await superuser('SELECT pg_reload_conf()')
  const deletions = ROWS.map((table) => `DELETE FROM ${table}`).join(';')
  await asOwner(
    portal,
    `SET session_replication_role = replica; ${deletions};
     UPDATE stored_check SET faults = 0, first_fault = NULL, first_place = NULL;
     UPDATE game_accounts SET asked_at = NULL, failing_since = NULL, failure = NULL;
     UPDATE reconciliation_task SET due_at = now(), claimed_until = NULL`,
  )
}

beforeAll(async () => {
  rules = await readAlertRules()
  certificate = makeCertificate(folder, 'localhost', 20)
  site = await serveSite(certificate)
  gamePort = await freePort()
  portal = await startTestApp()
  await openAccounts(portal)
  disk = await moveToSmallDisk()
}, 10 * MINUTE_MS)

afterAll(async () => {
  for (const end of lasting) await end()
  for (const port of processes.keys()) await stop(port)
  await prometheus?.end()
  await game?.end('SIGKILL')
  await portal.close()
  site.close()
  await superuser('DROP TABLESPACE IF EXISTS small').catch(() => {})
  await closeDisk?.()
}, MINUTE_MS)

async function serveSite({ key, cert }: CertificatePair): Promise<{ port: number; close(): void }> {
  const server = createServer({ key, cert }, (socket) => socket.on('error', () => {}))
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, done))
  return { port, close: () => void server.close() }
}

/** The database moves to a small disk of its own, which can be filled while PostgreSQL lives on. */
async function moveToSmallDisk(): Promise<string> {
  const place = join('/mnt', `alerts-check-${process.pid}`)
  await mkdir(place, { recursive: true })
  closeDisk = await openDisk(place)
  const [row] = await superuser('SHOW data_directory')
  const { uid, gid } = await stat(row?.['data_directory'] ?? '/')
  await mkdir(join(place, 'tables'))
  await chown(join(place, 'tables'), uid, gid)
  await superuser(`CREATE TABLESPACE small LOCATION '${place}/tables'`)
  await superuser(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database()}'`)
  await superuser(`ALTER DATABASE ${database()} SET TABLESPACE small`)
  return place
}

const say = (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

test(
  'every rule fires once its cause is there, first from zero, and none is left when all is mended',
  { timeout: 60 * MINUTE_MS },
  async () => {
    const alarms = rules.filter(({ expr }) => ALARM_NAMES.some((name) => expr === alarmExpr(name)))
    const others = rules.filter((rule) => !alarms.includes(rule)).map(({ name }) => name)
    expect(Object.keys(PROVOCATIONS).toSorted()).toEqual(others.toSorted())

    await provokeRows()
    prometheus = await startPrometheus(join(folder, 'first'))
    start(WORKER, '--worker', { TWO_PEOPLE: '0' })
    start(FIRST, '--web')
    // Nothing is there.
    const replica = Object.assign(new URL(portal.ownerUrl), { port: String(await freePort()) })
    start(SECOND, '--web', {
      DATABASE_POOL: '2',
      DATABASE_REPLICA_URL: replica.href,
    })
    for (const port of [FIRST, SECOND]) expect(await leftOf(silent(port), 5)).toEqual([])
    for (const [name, provoke] of Object.entries(PROVOCATIONS)) if (!LAST.includes(name)) await provoke()
    // Each failed login costs a hash; on a busy machine there are too few of them.
    setPriority(processes.get(FIRST)?.pid ?? 0, -15)
    say('everything is provoked')

    const first = prometheus
    const long = rules.filter((rule) => minutesOf(rule) > WAITS_MINUTES_MAX)
    const awaited = rules
      .map(({ name }) => name)
      .filter((name) => !long.some((rule) => rule.name === name) && !LAST.includes(name))
    const allFire = async (names: readonly string[], minutes: number, seen = first.fired) => {
      const missing = async () => {
        const found = await seen()
        return names.filter((name) => !found.includes(name))
      }
      expect(await leftOf(missing, minutes)).toEqual([])
      say(`fired: ${names.join(', ')}`)
    }
    await allFire(awaited, 20)
    await allFire(
      long.map(({ name }) => name),
      3,
      async () => [...(await first.active('pending')), ...(await first.active('firing'))],
    )
    for (const end of lasting) await end()
    lasting.clear()
    for (const name of LAST) {
      await PROVOCATIONS[name]?.()
      // The two processes that ended are away until all have fired.
      if (!(name in MENDED)) continue
      await allFire([name], 4)
      await MENDED[name]?.()
    }
    await allFire(['PortalDown', 'NobodyWatches'], 8)
    await first.end()

    start(WORKER, '--worker', { TWO_PEOPLE: '0' })
    start(SECOND, '--web')
    prometheus = await startPrometheus(join(folder, 'restarted'), long)
    const { fired } = prometheus
    await allFire(
      long.map(({ name }) => name),
      6,
      fired,
    )
    say('all have fired; now all is mended')

    for (const end of lasting) await end()
    lasting.clear()
    for (const port of processes.keys()) await stop(port)
    await mendRows()
    site.close()
    certificate = makeCertificate(folder, 'localhost', 90)
    site = await serveSite(certificate)
    game = await startGameProcess({ secret: GAME_SECRET, dataDir: join(folder, 'game'), port: gamePort })
    const trusting = { NODE_EXTRA_CA_CERTS: certificate.file }
    start(WORKER, '--worker', trusting)
    start(FIRST, '--web', trusting)
    start(SECOND, '--web', trusting)
    const second = prometheus
    expect(await leftOf(async () => ((await second.targetsUp()) === 3 ? [] : ['a target']), 5)).toEqual([])
    expect(await leftOf(() => second.active('firing'), 12)).toEqual([])
    say('nothing fires')
  },
)
