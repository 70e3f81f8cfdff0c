import type { User } from '#contract/users.ts'

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
