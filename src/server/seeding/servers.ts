import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { insertServersIfNone, type Server } from './seeding.queries.ts'

/** A portal without a game server could not register anybody. Servers that an operator renamed or removed stay so. */
export async function seedServers({ db }: PlatformDeps, servers: readonly Server[]): Promise<void> {
  await inTransaction(db, (tx) => insertServersIfNone(tx, servers))
}
