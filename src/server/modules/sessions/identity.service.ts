import { permissionsOf } from '#contract/operator/roles.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { Identify } from '#server/platform/http/api.ts'
import { findLiveSession, touchSession } from './sessions.queries.ts'
import { tokenHashOf } from '#server/platform/tokens.ts'

/**
 * Who a token belongs to, asked of the database each time: a session that was ended, or a role that was taken away,
 * counts at once on every process.
 */
export function createIdentify({ db }: Pick<PlatformDeps, 'db'>): Identify {
  return async (token, { isUse } = { isUse: true }) => {
    const tokenHash = tokenHashOf(token)
    const session = tokenHash === null ? undefined : await findLiveSession(db, tokenHash)
    if (session === undefined) return null
    if (isUse && session.isTouchDue && !session.isLocked) await touchSession(db, session.id)
    return {
      userId: session.userId,
      sessionId: session.id,
      kind: session.kind,
      isLocked: session.isLocked,
      roles: session.roles,
      permissions: permissionsOf(session.roles),
      steppedUpUntil: session.steppedUpUntil,
    }
  }
}
