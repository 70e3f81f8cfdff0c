import type { Log } from '#server/platform/log/log.ts'
import { waitAtMost } from '#server/platform/wait-at-most.ts'

export type RegisteredUser = { id: string; username: string; serverId: string }

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
