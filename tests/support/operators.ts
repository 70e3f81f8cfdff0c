import type { Role } from '#contract/operator/roles.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { aPlayer, type Portal, type TestPlayer } from './players.ts'
import { turnOnSecondFactor } from './second-factor.ts'

export type TestOperator = TestPlayer & { secret: string }

/** A player who holds a role, given as the command line gives it, and has done what a role asks of its holder. */
export async function anOperator(test: Portal, role: Role): Promise<TestOperator> {
  const player = await aPlayer(test, { password: 'mat-khau-dai-12' })
  await grantRole(test.db, { username: player.username, role })
  const { secret } = await turnOnSecondFactor(test, player.token)
  return { ...player, secret }
}
