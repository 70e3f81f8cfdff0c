import type { Role } from '#contract/operator/roles.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import type { TestApp } from './app.ts'
import { aPlayer, type TestPlayer } from './players.ts'

/** A player who holds a role, given as the command line gives it. */
export async function anOperator(test: TestApp, role: Role): Promise<TestPlayer> {
  const player = await aPlayer(test)
  await grantRole(test.db, { username: player.username, role })
  return player
}
