import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'
import type { TestOperator } from './operators.ts'
import { aPlayer, type TestPlayer } from './players.ts'

/** A player who came over from a game with these, and has no contact here. */
export async function aMovedPlayer(
  portal: TestApp,
  hint?: { phone?: string; email?: string },
): Promise<TestPlayer> {
  const player = await aPlayer(portal)
  const store = (statement: string, ...more: unknown[]) => asOwner(portal, statement, [player.id, ...more])
  await store('DELETE FROM user_contacts WHERE user_id = $1')
  await store(
    "INSERT INTO imported_account (source, game_key, user_id) VALUES ('game', $1::bigint::text, $1::bigint)",
  )
  if (hint)
    await store(
      'INSERT INTO contact_hint (user_id, phone, email) VALUES ($1, $2, $3)',
      hint.phone ?? null,
      hint.email ?? null,
    )
  return player
}

type Asked = { player: Pick<TestPlayer, 'id'>; caseId: string }

/** An operator asks for an account to be handed back to the visitor of a case. */
export const askToReturn = (
  portal: Pick<TestApp, 'call'>,
  { token }: Pick<TestOperator, 'token'>,
  { player, caseId }: Asked,
) =>
  portal.call('POST', `/api/operator/users/${player.id}/return`, {
    token,
    body: { case_id: caseId, reason: 'Nói đúng tên và cấp các nhân vật' },
  })

export const approveReturn = (
  portal: Pick<TestApp, 'call'>,
  { token }: Pick<TestOperator, 'token'>,
  proposalId: string,
) =>
  portal.call('POST', `/api/operator/proposals/${proposalId}/approve`, {
    token,
    body: { reason: 'Đã hỏi lại khách' },
  })
