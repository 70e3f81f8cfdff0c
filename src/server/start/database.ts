import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import { prepareInstallation } from './installation.ts'
import type { Clock } from '#server/platform/values/clock.ts'
import { requireSpace } from '#server/platform/process/data-dir.ts'
import { atAddress, openAppRole } from '../platform/db/app-role.ts'
import { openDatabase, type Db } from '../platform/db/database.ts'
import { migrateDatabase } from '../platform/db/migrate.ts'
import { requireUsable } from '../platform/db/requirements.ts'
import { watchDisk } from '../platform/db/disk.ts'
import { DatabaseListener } from '../platform/db/listener.ts'
import { noticesSent } from '../platform/db/notices.ts'
import { openEmbeddedPostgres, type EmbeddedPostgres } from '../platform/embedded-postgres/index.ts'
import { openReplica } from '../platform/db/replica.ts'
import { startLoop } from '../platform/jobs/loop.ts'
import type { Log } from '../platform/log/log.ts'

export type OpenedDatabase = {
  db: Db
  listener: DatabaseListener
  /** The app role's own DSN. Holds a password: never log it. */
  appUrl: string
  ownerUrl: string
  close(): Promise<void>
}

type Starting = { log: Log; clock: Clock }

/** For connections to be given back and closed; longer than their statements may run. */
const CLOSE_MS = 6_000

const SUPERVISION_MS = 1_000

/** From nothing to a migrated database that the app role is connected to: PostgreSQL, schema, installation, roles. */
export async function openPortalDatabase(config: Config, { log, clock }: Starting): Promise<OpenedDatabase> {
  if (config.databaseUrl === null) await requireSpace(config.dataDir)
  else await requireUsable(config.databaseUrl, clock)
  const embedded = config.databaseUrl === null ? await openEmbedded(config, log) : null
  try {
    const ownerUrl = config.databaseUrl ?? (embedded?.url as string)
    await migrateDatabase(ownerUrl, log)
    const providers = config.payments.map(({ vendor }) => vendor.name)
    await prepareInstallation({ ownerUrl, isDemo: config.isDemo, providers })
    const appUrl = await openAppRole(ownerUrl, log)
    const listener = new DatabaseListener(appUrl, log)
    await listener.open()
    const db = openDatabase({
      url: config.poolerUrl === null ? appUrl : atAddress(appUrl, config.poolerUrl),
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
            log,
            connectionsMax: config.databasePool,
          })
    const disk = watchDisk(db, log)
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
            disk.stop(),
            listener.close(),
            noticesSent(db).then(() => db.destroy()),
          ]),
          // A server that does not answer any more must not keep the portal from ending.
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
