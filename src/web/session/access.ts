import { paths, type PageAccess } from '#contract/pages.ts'
import type { SessionStatus } from '#web/session/session-store.ts'
import type { User } from '#contract/users.ts'

type AccessDecision = { show: true } | { wait: true } | { goTo: string }

/** Whether a page may be shown in this state of the session, and where to redirect otherwise. */
export function accessDecision(access: PageAccess, status: SessionStatus): AccessDecision {
  if (access === 'open') return { show: true }
  if (status === 'unknown' || status === 'checking') return { wait: true }
  if (access === 'player') return status === 'player' ? { show: true } : { goTo: paths.login }
  return status === 'anonymous' ? { show: true } : { goTo: paths.home }
}

/** True if the player has any of the listed roles. It decides what is shown; the server decides what is allowed. */
export function hasRole({ role_names }: Pick<User, 'role_names'>, roles: readonly string[]): boolean {
  return roles.some((role) => role_names.includes(role))
}

export function hasPermission(
  { permission_names }: Pick<User, 'permission_names'>,
  permission: string,
): boolean {
  return permission_names.includes(permission)
}
