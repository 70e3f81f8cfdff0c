import { permissionsOf } from '#contract/operator/roles.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Identify } from '#server/platform/http/api.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'
import { operatorNotProved, operatorPasswordShort } from './sessions.errors.ts'
import { findLiveSession, touchSession, type LiveSession } from './sessions.queries.ts'
import { tokenHashOf } from './token.ts'

/**
 * Who a token belongs to, asked of the database each time: a session that was ended, or a role that was taken away,
 * counts at once on every process.
 */
export function createIdentify({ db }: Pick<PlatformDeps, 'db'>): Identify {
  return async (token) => {
    const tokenHash = tokenHashOf(token)
    const session = tokenHash === null ? undefined : await findLiveSession(db, tokenHash)
    if (session === undefined) return null
    if (session.isTouchDue) await touchSession(db, session.id)
    return {
      userId: session.userId,
      sessionId: session.id,
      permissions: permissionsOf(session.roles),
      operatorRefusal: operatorRefusalFor(session),
      hasFreshProof: session.hasFreshProof,
    }
  }
}

/** What keeps an operator's session from operator calls. As a player they go on all the same. */
function operatorRefusalFor(session: LiveSession): Refusal | null {
  if (session.roles.length === 0) return null
  if (!session.isProved) return operatorNotProved()
  return session.isPasswordLong ? null : operatorPasswordShort()
}
