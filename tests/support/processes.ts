import type { FastifyInstance } from 'fastify'
import { buildApp } from '#server/app.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { DatabaseListener } from '#server/platform/db/listener.ts'
import { openLimits } from '#server/platform/limits/limits.ts'
import { openVault } from '#server/platform/vault/vault.ts'
import type { TestApp } from './app.ts'

/** The portal once more on the same database, with connections and memory of its own, as a second process has them. */
export async function anotherProcess({
  deps,
  appUrl,
}: TestApp): Promise<{ app: FastifyInstance; close(): Promise<void> }> {
  const db = openDatabase({ url: appUrl, log: deps.log, connectionsMax: 3 })
  const listener = new DatabaseListener(appUrl, deps.log)
  await listener.open()
  const vault = openVault(db)
  const app = await buildApp({ ...deps, db, listener, vault, limits: openLimits(db, vault) })
  return {
    app,
    async close() {
      await app.close()
      await listener.close()
      await db.destroy()
    },
  }
}
