import { type Permission, permissionsOf } from '#contract/operator/roles.ts'
import type { RawBuilder } from 'kysely'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identify } from '#server/platform/http/api.ts'
import { sessionCacheOf, type LiveSession } from './session-cache.ts'
import { findLiveSession, isLive, touchSession } from './sessions.queries.ts'
import { tokenHashOf } from '#server/platform/values/crypto.ts'

/** Whether the session `s` of another module's statement may still be used. */
export const isLiveSession = (): RawBuilder<boolean> => isLive

type IdentityDeps = Pick<PlatformDeps, 'db' | 'listener'>

/**
 * Who a token belongs to. Whatever changes something, and everything of the console, queries the database each time: a
 * session that was ended, or a role that was taken away, counts at once on every process. A player's call that only reads
 * may use the cache, which drops a session when it ends.
 */
export function createIdentify(deps: IdentityDeps): Identify {
  return async (token, { isUse = true, isMemoryEnough = false } = {}) => {
    const tokenHash = tokenHashOf(token)
    if (tokenHash === null) return null
    const cached = isMemoryEnough ? sessionCacheOf(deps).find(tokenHash) : undefined
    const session = cached ?? (await readSession(deps, tokenHash))
    if (session === undefined) return null
    if (isUse && session.isTouchDue && !session.isLocked) {
      session.isTouchDue = false
      await touchSession(deps.db, session.id)
    }
    return {
      userId: session.userId,
      sessionId: session.id,
      kind: session.kind,
      isLocked: session.isLocked,
      roles: session.roles,
      permissions: permissionsOfSession(session),
      steppedUpUntil: session.steppedUpUntil,
    }
  }
}

/** Who lost a role that may approve may still refuse, for some days. */
function permissionsOfSession({ roles, isFormerApprover }: LiveSession): Permission[] {
  const held = permissionsOf(roles)
  return isFormerApprover && !held.includes('proposals.stop') ? [...held, 'proposals.stop'] : held
}

async function readSession(deps: IdentityDeps, tokenHash: Buffer): Promise<LiveSession | undefined> {
  const cache = sessionCacheOf(deps)
  const { forgotten } = cache
  const session = await findLiveSession(deps.db, tokenHash)
  if (session?.kind === 'player' && cache.forgotten === forgotten) cache.store(tokenHash, session)
  return session
}
