import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app/app.ts'
import type { PortalDeps } from '#server/app/deps.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { DatabaseListener } from '#server/platform/db/listener.ts'
import { noticesSent } from '#server/platform/db/notices.ts'
import { openLimits } from '#server/platform/limits/limits.ts'
import { openVault } from '#server/platform/db/vault.ts'
import type { TestApp } from './app.ts'

/** Hears nothing: every notice is lost. */
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
