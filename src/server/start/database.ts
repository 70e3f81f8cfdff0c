import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { atAddress, openAppRole } from '#server/platform/db/app-role.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { migrateDatabase } from '#server/platform/db/migrate.ts'
import type { Channel } from '#server/domain/notices.ts'
import { DatabaseListener, noticesSent } from '#server/platform/db/notices.ts'
import { asOwner, requirePooler, requireUsable } from '#server/platform/db/owner.ts'
import { requireSound, watchFaults } from '#server/platform/db/faults.ts'
import { openReplica } from '#server/platform/db/replica.ts'
import { keepRights } from '#server/platform/db/rights.ts'
import { keepSequences } from '#server/platform/db/sequences.ts'
import { requireWrites, watchWrites } from '#server/platform/db/writes.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '#server/platform/embedded-postgres/index.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import type { Log } from '#server/platform/log/log.ts'
import { requireSpace } from '#server/platform/process/data-dir.ts'
import type { Clock } from '#server/platform/values/clock.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import type { Config } from '../config/config.ts'

export type Installation = {
  ownerUrl: string
  isDemo: boolean
  /** The names of the vendors in the registry. */
  providers: readonly string[]
}

/**
 * Writes down, once, what this installation is: a demo or the real thing, and its key for hashes of personal values.
 * A demo's database never becomes the real one: its players, prices and secrets are made up. The providers are written
 * here because the app's role may not add one.
 */
export async function prepareInstallation({ ownerUrl, isDemo, providers }: Installation): Promise<void> {
  const mode = isDemo ? 'demo' : 'live'
  const made = await asOwner(ownerUrl, async (client) => {
    await addProviders(client, providers)
    const stored = await readMode(client)
    if (stored !== null) return stored
    await client.query(
      `INSERT INTO installation (name, value) VALUES ('mode', $1), ('hash_key', $2) ON CONFLICT DO NOTHING`,
      [mode, randomBytes(32).toString('hex')],
    )
    return readMode(client)
  })
  requireMode(made, { isDemo })
}

/** `demo` or `live`; null while the database has not been prepared. */
export async function readMode(client: Client): Promise<string | null> {
  const { rowCount } = await client.query(`SELECT WHERE to_regclass('installation') IS NOT NULL`)
  if (rowCount === 0) return null
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM installation WHERE name = 'mode'`)
  return rows[0]?.value ?? null
}

export function requireMode(made: string | null, { isDemo }: { isDemo: boolean }): void {
  if (made === null || made === (isDemo ? 'demo' : 'live')) return
  throw new SetupProblem(
    `this database was made with DEMO=${isDemo ? 0 : 1}, here DEMO is ${isDemo ? 1 : 0}: load the portal’s settings (portal.env), or use another database`,
  )
}

/** Writes only when one is missing, so that a usual start waits for no lock. */
async function addProviders(client: Client, providers: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name EXCEPT SELECT name FROM payment_provider',
    [providers],
  )
  if (rows.length === 0) return
  await client.query('INSERT INTO payment_provider (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    rows.map(({ name }) => name),
  ])
}

export type OpenedDatabase = {
  db: Db
  listener: DatabaseListener
  /** The app role's own DSN. Holds a password: never log it. */
  appUrl: string
  ownerUrl: string
  close(): Promise<void>
}

type Starting = {
  log: Log
  clock: Clock
  /** Not of a command: that is over soon, and has to run where something is wrong with the database, to say what. */
  isServing: boolean
}

/** For connections to be given back and closed; longer than their statements may run. */
const CLOSE_MS = 6_000

const SUPERVISION_MS = 1_000

/** Starts PostgreSQL if it is embedded, migrates the database, and connects with the app role. */
export async function openPortalDatabase(
  config: Config,
  { log, clock, isServing }: Starting,
): Promise<OpenedDatabase> {
  if (config.databaseUrl === null) await requireSpace(config.dataDir)
  else await requireUsable(config.databaseUrl, clock)
  const embedded = config.databaseUrl === null ? await openEmbedded(config, log) : null
  try {
    const ownerUrl = config.databaseUrl ?? (embedded?.url as string)
    await asOwner(ownerUrl, (client) => requireWrites(client, ownerUrl))
    await migrateDatabase(ownerUrl, log)
    const providers = config.payments.map(({ vendor }) => vendor.name)
    await prepareInstallation({ ownerUrl, isDemo: config.isDemo, providers })
    const appUrl = await openAppRole(ownerUrl, log)
    await asOwner(appUrl, (client) => requireWrites(client, appUrl))
    await keepRights(ownerUrl, appUrl, log)
    if (isServing) await asOwner(ownerUrl, requireSound)
    await keepSequences(ownerUrl, log)
    const requestsUrl = config.poolerUrl === null ? appUrl : atAddress(appUrl, config.poolerUrl)
    if (requestsUrl !== appUrl) await requirePooler({ requestsUrl, appUrl })
    const listener = new DatabaseListener(appUrl, log)
    await listener.open()
    const db = openDatabase({
      url: requestsUrl,
      log,
      connectionsMax: config.databasePool,
    })
    const replica =
      config.replicaUrl === null
        ? null
        : openReplica({
            url: atAddress(appUrl, config.replicaUrl),
            primary: db,
            listener,
            changes: 'content_changed' satisfies Channel,
            log,
            connectionsMax: config.databasePool,
          })
    const watching = isServing ? [watchWrites(db, log), watchFaults(db, log)] : []
    const supervision = embedded && supervise({ first: embedded, config, log, listener })
    return {
      db,
      listener,
      appUrl,
      ownerUrl,
      async close() {
        await Promise.race([
          Promise.all([
            replica?.close(),
            ...watching.map((loop) => loop.stop()),
            listener.close(),
            noticesSent(db).then(() => db.destroy()),
          ]),
          // A server that does not answer any more must not prevent the portal from ending.
          sleep(CLOSE_MS, undefined, { ref: false }),
        ])
        // Bounds itself. Cut off, it would leave a PostgreSQL without a portal behind.
        await supervision?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Hands out the owner's DSN of the database as it is: nothing is migrated or made in it. */
export async function withOwnerUrl<Result>(
  config: Config,
  log: Log,
  work: (ownerUrl: string) => Promise<Result>,
): Promise<Result> {
  if (config.databaseUrl !== null) return work(config.databaseUrl)
  const embedded = await openEmbedded(config, log)
  try {
    return await work(embedded.url)
  } finally {
    await embedded.stop()
  }
}

function openEmbedded({ dataDir }: Config, log: Log): Promise<EmbeddedPostgres> {
  return openEmbeddedPostgres({ dataDir, log: (message, fields) => log.info(fields ?? {}, message) })
}

type Supervised = { first: EmbeddedPostgres; config: Config; log: Log; listener: DatabaseListener }

/** Starts the embedded PostgreSQL again when it ends while the portal runs. */
function supervise({ first, config, log, listener }: Supervised): { stop(): Promise<void> } {
  let current = first
  const loop = startLoop({
    name: 'embedded-postgres',
    pauseMs: SUPERVISION_MS,
    log,
    async round() {
      if (listener.isConnected) return false
      const again = await openEmbedded(config, log)
      const former = current
      current = again
      // Ends a use that is counted, not the server: the new one is registered already.
      await former.stop()
      return false
    },
  })
  return {
    async stop() {
      await loop.stop()
      await current.stop()
    },
  }
}
