import type { Tx } from '#server/platform/db/transaction.ts'
import type { Caller } from './caller.ts'
import { deleteSessionsOf, insertSession } from './sessions.queries.ts'
import { keptUserAgent } from './sessions.rules.ts'
import { newToken } from './token.ts'

/** Opens a session for a player who has just proved, otherwise than by password, who they are. */
export async function openSession(
  tx: Tx,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<{ token: string; sessionId: string }> {
  const { token, tokenHash } = newToken()
  const sessionId = await insertSession(tx, { userId, tokenHash, userAgent: keptUserAgent(caller.userAgent) })
  return { token, sessionId }
}

/** Ends every session of a player, or every one but `except`; on all processes at once. Answers how many. */
export async function endSessionsOf(
  tx: Tx,
  { userId, except }: { userId: string; except?: string },
): Promise<number> {
  return deleteSessionsOf(tx, { userId, except: except ?? null })
}
