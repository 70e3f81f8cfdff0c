import { seedServers as servers } from '#seeds/servers.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import { insertServersIfNone } from './seeding.queries.ts'

/** A portal without a game server could not register anybody. Operators rename and add to these. */
export async function seedServers({ db }: PlatformDeps): Promise<void> {
  await inTransaction(db, (tx) => insertServersIfNone(tx, servers))
}
