import type { Config } from './config.ts'
import { prepareInstallation } from './installation.ts'
import { openAppRole } from './platform/db/app-role.ts'
import { openDatabase, type Db } from './platform/db/database.ts'
import { migrateDatabase } from './platform/db/migrate.ts'
import { Notifications } from './platform/db/notifications.ts'
import { openEmbeddedPostgres } from './platform/embedded-postgres/index.ts'
import type { Log } from './platform/log/log.ts'

export type OpenedDatabase = {
  db: Db
  notifications: Notifications
  /** The app role's own DSN. Holds a password: never log it. */
  appUrl: string
  ownerUrl: string
  close(): Promise<void>
}

const CONNECTIONS_MAX = 20

/** From nothing to a migrated database that the app role is connected to: PostgreSQL, schema, installation, roles. */
export async function openPortalDatabase(config: Config, log: Log): Promise<OpenedDatabase> {
  const embedded =
    config.databaseUrl === null
      ? await openEmbeddedPostgres({
          dataDir: config.dataDir,
          log: (message, fields) => log.info(fields ?? {}, message),
        })
      : null
  try {
    const ownerUrl = config.databaseUrl ?? (embedded?.url as string)
    await migrateDatabase({ ownerUrl, log })
    await prepareInstallation(ownerUrl, config.isDemo)
    const appUrl = await openAppRole(ownerUrl)
    const notifications = new Notifications(appUrl, log)
    await notifications.open()
    const db = openDatabase({ url: appUrl, log, connectionsMax: CONNECTIONS_MAX })
    return {
      db,
      notifications,
      appUrl,
      ownerUrl,
      async close() {
        await notifications.close()
        await db.destroy()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}
