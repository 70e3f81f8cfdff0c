import { randomUUID } from 'node:crypto'
import type { Role } from '#contract/operator/roles.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { invariant } from '#server/platform/invariant.ts'
import { aPlayer, type Portal, type TestPlayer } from './players.ts'
import { appCode, turnOnSecondFactor } from './second-factor.ts'

/** `token` is of the console; `playerToken` of the same person's session at the player site. */
export type TestOperator = TestPlayer & { secret: string; playerToken: string }

/** A player with a role, granted as by the command line, with long password and second factor, signed in to the console. */
export async function anOperator(test: Portal, role: Role): Promise<TestOperator> {
  const player = await aPlayer(test, { password: 'mat-khau-dai-12' })
  await grantRole(test.db, { username: player.username, role })
  const { secret, recoveryCodes } = await turnOnSecondFactor(test, player.token)
  // The codes of the app are left for step-ups: each works once.
  const token = await openConsole(test, player, recoveryCodes[0])
  return { ...player, token, playerToken: player.token, secret }
}

/** Signs in to the console; returns the token. */
export async function openConsole(
  test: Pick<Portal, 'call'>,
  { username, password, address }: Pick<TestPlayer, 'username' | 'password' | 'address'>,
  otp: string | undefined,
): Promise<string> {
  const body = { username, password, otp }
  const answer = await test.call('POST', '/api/operator/session', { from: address, body })
  invariant(answer.status === 201, `a console session opens: ${JSON.stringify(answer.body)}`)
  return (answer.body as { access_token: string }).access_token
}

/** Does an operator's step-up, with the code after the one used for the set-up. */
export async function stepUp(
  test: Pick<Portal, 'call'>,
  { token, secret }: Pick<TestOperator, 'token' | 'secret'>,
): Promise<void> {
  const body = { otp: appCode(secret, 1) }
  const answer = await test.call('POST', '/api/operator/step-up', { token, body })
  invariant(answer.status === 200, `a step-up counts: ${JSON.stringify(answer.body)}`)
}

/** An operator whose second factor was proved just now. */
export async function aFreshOperator(test: Portal, role: Role): Promise<TestOperator> {
  const operator = await anOperator(test, role)
  await stepUp(test, operator)
  return operator
}

/** An operator's act on one thing, as its service takes it: for portals that no call reaches. */
export const operatorsCall = (id: string, reason = 'Kiểm tra', userId = '1') => ({
  params: { id },
  body: { reason },
  identity: { userId, steppedUpUntil: null },
  request: { id: randomUUID() },
  key: null,
  overLimit: null,
})
