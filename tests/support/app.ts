import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, inject } from 'vitest'
import { buildApp } from '#server/app/app.ts'
import { readConfig } from '#server/config/config.ts'
import { wireDeps, type PortalDeps } from '#server/app/deps.ts'
import { prepareInstallation } from '#server/start/database.ts'
import type { PaymentVendor } from '#server/modules/payment-providers/payment-vendor.rules.ts'
import { openDemoBeacon } from '#server/modules/tournaments/index.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { DatabaseListener, noticesSent } from '#server/platform/db/notices.ts'
import { openLimits } from '#server/platform/limits/limits.ts'
import { openLog, type Log } from '#server/platform/log/log.ts'
import { openVault } from '#server/platform/db/vault.ts'
import { seedServers as demoServers } from '#seeds/servers.ts'
import { seedInstallation, seedServers } from '#server/seeding/index.ts'
import { cloneTemplate } from './databases.ts'
import { PAYMENT_ENVIRONMENT, PAYMENT_KEYS } from './payment-keys.ts'
import { NO_LIMITS_OF_ADDRESSES } from './processes.ts'

/** The secret the test portal checks SePay's notifications with. */
export const SEPAY_SECRET = PAYMENT_KEYS.sepay

/** The secret the test portal checks the providers of messages with. */
export const SMS_SECRET = 'sms-secret-of-the-tests'

export type TestCall = {
  token?: string | undefined
  body?: unknown
  headers?: Record<string, string>
  /** Idempotency-Key. */
  key?: string | undefined
  /** Where the call comes from; this machine when left out. */
  from?: string | undefined
}

export type TestAnswer = { status: number; body: any; headers: Record<string, unknown> }

export type TestApp = {
  app: FastifyInstance
  deps: PortalDeps
  db: Db
  ownerUrl: string
  appUrl: string
  /** Every line logged so far at info or above. */
  logged(): string
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call?: TestCall): Promise<TestAnswer>
  close(): Promise<void>
}

export type TestAppOptions = {
  /** `live` leaves out what exists only in a demo. */
  mode?: 'demo' | 'live'
  environment?: Record<string, string>
  overrides?: Partial<PortalDeps>
  /** In place of the registry's. */
  vendors?: readonly PaymentVendor[]
}

/** Its rounds come a hundred times a second, so that no test waits for one. */
export const testBeacon = openDemoBeacon('the beacon of the tests', { period: 0.01 })

function collectLog(): { log: Log; text: () => string } {
  let text = ''
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  return { log: openLog('info', destination as unknown as pino.DestinationStream), text: () => text }
}

/** The whole portal without pages and worker, on a new database with servers and settings but without demo data. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { adminUrl, template } = inject('postgres')
  const fresh = await cloneTemplate(adminUrl, template)
  const isDemo = (options.mode ?? 'live') === 'demo'
  const { log, text } = collectLog()
  const config = readConfig(
    {
      DATABASE_URL: fresh.appUrl,
      DATA_DIR: join(tmpdir(), 'data'),
      DEMO: isDemo ? '1' : '0',
      GAME_SERVER_URL: 'embedded',
      ...PAYMENT_ENVIRONMENT,
      SMS_MO_SECRET: SMS_SECRET,
      // A call may say where it comes from: limits are per address, and tests need many players.
      TRUST_PROXY: '127.0.0.1',
      ...NO_LIMITS_OF_ADDRESSES,
      ...options.environment,
    },
    options.vendors,
  )
  const providers = config.payments.map(({ vendor }) => vendor.name)
  await prepareInstallation({ ownerUrl: fresh.ownerUrl, isDemo, providers })
  const db = openDatabase({ url: fresh.appUrl, log, connectionsMax: 10 })
  const listener = new DatabaseListener(fresh.appUrl, log)
  await listener.open()
  const deps = wireDeps({
    config,
    log,
    database: { db, listener },
    overrides: { withPages: false, beacon: testBeacon, ...options.overrides },
  })
  await seedServers(deps, demoServers)
  await seedInstallation(deps, { withDemoData: false })
  const app = await buildApp(deps)
  return {
    app,
    deps,
    db,
    ownerUrl: fresh.ownerUrl,
    appUrl: fresh.appUrl,
    logged: text,
    call: (method, path, call) => callApp(app, { method, path, ...call }),
    async close() {
      await app.close()
      await listener.close()
      await noticesSent(db)
      await db.destroy()
      await fresh.drop()
    },
  }
}

/** Another process of the portal on the same database, as after a restart. */
export const startBeside = ({ deps, db }: TestApp): Promise<FastifyInstance> =>
  buildApp(
    wireDeps({
      config: deps.config,
      log: deps.log,
      database: { db, listener: deps.listener },
      overrides: { withPages: false, beacon: testBeacon },
    }),
  )

/** Receives nothing: every notice is lost. */
class DeafListener extends DatabaseListener {
  override on(): () => void {
    return () => {}
  }
}

/** The portal once more on the same database, with connections and memory of its own, as a second process has them. */
export async function anotherProcess(
  { deps, appUrl }: TestApp,
  { isDeaf = false } = {},
): Promise<{ app: FastifyInstance; deps: PortalDeps; close(): Promise<void> }> {
  const db = openDatabase({ url: appUrl, log: deps.log, connectionsMax: 3 })
  const listener = new (isDeaf ? DeafListener : DatabaseListener)(appUrl, deps.log)
  await listener.open()
  const vault = openVault(db)
  const own = { ...deps, db, listener, vault, limits: openLimits(db, vault) }
  const app = await buildApp(own)
  return {
    app,
    deps: own,
    async close() {
      await app.close()
      await listener.close()
      await noticesSent(db)
      await db.destroy()
    },
  }
}

/**
 * The portal of a test file: started before its tests and hooks that follow, closed after them. What is returned is
 * filled when it has started.
 */
export function useTestApp(options: TestAppOptions = {}): TestApp {
  const portal = {} as TestApp
  beforeAll(async () => void Object.assign(portal, await startTestApp(options)))
  afterAll(() => portal.close())
  return portal
}

async function callApp(
  app: FastifyInstance,
  {
    method,
    path,
    token,
    body,
    headers,
    key,
    from,
  }: TestCall & { method: InjectOptions['method']; path: string },
): Promise<TestAnswer> {
  const answer = await app.inject({
    method,
    url: path,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body as object }),
  } as InjectOptions)
  const isJson = String(answer.headers['content-type'] ?? '').includes('json')
  return {
    status: answer.statusCode,
    body: isJson && answer.body !== '' ? (answer.json() as unknown) : answer.body,
    headers: answer.headers,
  }
}
