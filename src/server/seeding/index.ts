import { seedServers as demoServers } from '#seeds/servers.ts'
import { insertServersIfNone, type Server } from '#server/modules/servers/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { seedDemoData } from './demo-data.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'

/** The server of new accounts until operators name others. */
const LIVE_SERVERS = [{ id: '1', name: 'Máy chủ 1' }]

export type SeedingDeps = PlatformDeps & { game: GameBridge; config: { isDemo: boolean } }

/**
 * Gives a new installation its servers, and a demo its data. Called at every start: what is there already, even in part
 * after a start that was cut short, is left as it is.
 */
export async function seedInstallation(
  deps: SeedingDeps,
  { withDemoData = deps.config.isDemo }: { withDemoData?: boolean } = {},
): Promise<void> {
  await seedServers(deps, deps.config.isDemo ? demoServers : LIVE_SERVERS)
  if (withDemoData) await seedDemoData(deps)
}

/** A portal without a game server could not register anybody. Servers that an operator renamed or removed stay so. */
export async function seedServers({ db }: PlatformDeps, servers: readonly Server[]): Promise<void> {
  await inTransaction(db, (tx) => insertServersIfNone(tx, servers))
}
