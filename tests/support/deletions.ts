import { invariant } from '#server/platform/values/errors.ts'
import type { Portal, TestPlayer } from './players.ts'
import { aPlayer } from './players.ts'

/** A player's request to be erased, as the profile sends it. */
export const askToBeErased = (
  { call }: Pick<Portal, 'call'>,
  { token, password }: Pick<TestPlayer, 'token' | 'password'>,
  body: object = {},
) =>
  call('POST', '/api/user/deletion-request', {
    token,
    body: { current_password: password, given_up: 0, ...body },
  })

/** A request that waits for an operator; answers its id. */
export async function aDeletion(
  portal: Portal,
  player?: Pick<TestPlayer, 'token' | 'password'>,
): Promise<string> {
  const answer = await askToBeErased(portal, player ?? (await aPlayer(portal)))
  invariant(answer.status === 201, `a request is kept: ${JSON.stringify(answer.body)}`)
  return (answer.body as { id: string }).id
}
