import { findSignInBan } from '#server/modules/accounts/index.ts'
import {
  acceptProof,
  type SecondFactorProof,
  secondFactorRequired,
  wrongSecondFactor,
} from '#server/modules/second-factor/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Log } from '#server/platform/log/log.ts'
import { newToken } from '#server/platform/values/crypto.ts'
import { waitAtMost } from '#server/platform/values/clock.ts'
import type { Caller } from './caller.ts'
import { isKnownCookie, rememberDevice, noteSignIn, originOf } from './sign-ins.service.ts'
import { signInBanned } from './sessions.errors.ts'
import { deleteSessionsBeyond, insertSession, type SessionKind } from './sessions.queries.ts'
type Opening = {
  userId: string
  caller: Caller
  /** The result of `checkSecondFactor`; left out for an account without a second factor. */
  proof?: SecondFactorProof
  /** For which site; the player site when left out. */
  kind?: SessionKind
}

/**
 * Opens a session for a player who has just proved who they are: the only place where one begins. An account with a
 * second factor gets none without its proof, whichever way its owner came: SECOND_FACTOR_REQUIRED, or OTP_INVALID when
 * the code was taken by somebody else meanwhile; BANNED while a ban of signing in runs. The act this is part of is then
 * undone with it.
 */
export async function openSession(
  deps: Pick<PlatformDeps, 'vault' | 'clock'>,
  tx: Tx,
  { userId, caller, proof = { kind: 'none' }, kind = 'player' }: Opening,
): Promise<{ token: string; sessionId: string }> {
  const ban = await findSignInBan(tx, userId)
  if (ban) throw signInBanned(ban)
  if (!(await acceptProof(tx, { userId, proof }))) {
    throw proof.kind === 'none' ? secondFactorRequired() : wrongSecondFactor()
  }
  const origin = await originOf(deps.vault, userId, caller)
  const { token, tokenHash } = newToken()
  const sessionId = await insertSession(tx, { ...origin, tokenHash, kind })
  await deleteSessionsBeyond(tx, userId)
  await noteSignIn(deps, tx, {
    ...origin,
    sessionId,
    isKnownCookie: await isKnownCookie(tx, { userId, caller }),
  })
  await rememberDevice(tx, deps.vault, { userId, caller })
  return { token, sessionId }
}

type RegisteredUser = { id: string; username: string; serverId: string }

/** What other modules do when a player signs in. Called after the commit; they cannot undo it. */
export type SessionHooks = {
  /** Awaited, within bounds, so that a new player finds what was prepared for them. */
  onRegistered(user: RegisteredUser): Promise<void>
  onLogin(user: RegisteredUser): void
}

/** A new player waits no longer than this for what others prepare; it continues in the background. */
const HOOK_WAIT_MS_MAX = 2_000

type HookCall = { hooks: SessionHooks; log: Log; user: RegisteredUser }

export async function callRegisteredHook({ hooks, log, user }: HookCall): Promise<void> {
  const failed = (error: unknown) =>
    log.error(
      { err: error, event: 'registration.hook-failed', userId: user.id },
      'a registration hook failed',
    )
  // The inner function turns a throw into a rejection: neither may fail a registration that is committed.
  const done = (async () => hooks.onRegistered(user))().catch(failed)
  await waitAtMost(HOOK_WAIT_MS_MAX, done)
}

export function callLoginHook({ hooks, log, user }: HookCall): void {
  try {
    hooks.onLogin(user)
  } catch (error) {
    log.error({ err: error, event: 'login.hook-failed', userId: user.id }, 'a login hook failed')
  }
}
