import type { Notice } from '#contract/notices.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'
import type { TestPlayer } from './players.ts'

/** A player's latest notices, the newest first. */
export async function noticesOf(
  test: Pick<TestApp, 'call'>,
  { token }: Pick<TestPlayer, 'token'>,
): Promise<Notice[]> {
  const answer = await test.call('GET', '/api/notices', { token })
  invariant(answer.status === 200, `the notices can be read: ${JSON.stringify(answer.body)}`)
  return answer.body.data as Notice[]
}
