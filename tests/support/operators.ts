import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '#contract/operator/roles.ts'
import { grantRole } from '#server/modules/accounts/index.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { openLog } from '#server/platform/log/log.ts'
import { aPlayer, type Portal, type TestPlayer, appCode, turnOnSecondFactor } from './players.ts'

/** `token` is of the console; `playerToken` of the same person's session at the player site. */
export type TestOperator = TestPlayer & { secret: string; playerToken: string }

/**
 * A player with a role, granted as by the command line, with long password and second factor, signed in to the console.
 * Without a fresh proof: for tests of what takes one.
 */
export async function anOperatorWithoutProof(test: Portal, role: Role): Promise<TestOperator> {
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

/** The same with a fresh proof, which lasts as long as the slowest test. */
export async function anOperator(test: Portal, role: Role): Promise<TestOperator> {
  const operator = await anOperatorWithoutProof(test, role)
  await setProof(test, operator, { isFresh: true })
  return operator
}

/** Gives the console sessions of an operator a fresh proof, or takes it away. */
export async function setProof(
  { db }: Pick<Portal, 'db'>,
  { id }: Pick<TestOperator, 'id'>,
  { isFresh }: { isFresh: boolean },
): Promise<void> {
  const step_up_at = isFresh ? sql<Date>`clock_timestamp() + interval '1 hour'` : null
  const ofConsole = db.updateTable('sessions').where('user_id', '=', id).where('kind', '=', 'console')
  await ofConsole.set({ step_up_at }).execute()
}

/** An operator's act on one thing, as its service takes it, with a fresh proof: for portals that no call reaches. */
export const operatorsCall = (id: string, reason = 'Kiểm tra', userId = '1') => ({
  params: { id },
  body: { reason },
  identity: { userId, steppedUpUntil: new Date(), permissions: [] },
  request: { id: randomUUID(), log: openLog('silent') },
  key: null,
  overLimit: null,
})
