import { seedServers as demoServers } from '#seeds/servers.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { seedDemoWorld } from './demo-world.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { insertServersIfNone, type Server } from './seeding.queries.ts'

/** What accounts register at while the operators have named no server; a real game has no invented ones. */
const LIVE_SERVERS = [{ id: '1', name: 'Máy chủ 1' }]

export type SeedingDeps = PlatformDeps & { game: GameBridge; config: { isDemo: boolean } }

/**
 * Gives a new installation what it cannot do without, and a demo its world. Called at every start: what is there
 * already, even in part after a start that was cut short, is left as it is.
 */
export async function seedInstallation(
  deps: SeedingDeps,
  { withDemoWorld = deps.config.isDemo }: { withDemoWorld?: boolean } = {},
): Promise<void> {
  await seedServers(deps, deps.config.isDemo ? demoServers : LIVE_SERVERS)
  if (withDemoWorld) await seedDemoWorld(deps)
}

/** A portal without a game server could not register anybody. Servers that an operator renamed or removed stay so. */
export async function seedServers({ db }: PlatformDeps, servers: readonly Server[]): Promise<void> {
  await inTransaction(db, (tx) => insertServersIfNone(tx, servers))
}
