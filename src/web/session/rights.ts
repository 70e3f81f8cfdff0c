import type { User } from '#contract/users.ts'

/** True if the player has any of the listed roles. What is shown follows it; what is allowed, the server decides. */
export function hasRole({ role_names }: Pick<User, 'role_names'>, roles: readonly string[]): boolean {
  return roles.some((role) => role_names.includes(role))
}

export function hasPermission(
  { permission_names }: Pick<User, 'permission_names'>,
  permission: string,
): boolean {
  return permission_names.includes(permission)
}
