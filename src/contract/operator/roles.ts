/** What an operator may do, as `<resource>.<act>`. */
export const PERMISSIONS = [
  'posts.read',
  'posts.write',
  'categories.read',
  'categories.write',
  'settings.read',
  'settings.write',
  'servers.read',
  'servers.write',
  'users.read',
  'users.ban',
  'bank-transfers.read',
  'bank-transfers.match',
  'recharge-orders.read',
  'deliveries.read',
  'deliveries.resolve',
  'ledger-transfers.read',
  'wallet.adjust',
  'tournaments.read',
  'tournaments.write',
  'groups.read',
  'groups.write',
  'audit.read',
] as const

export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = ['owner', 'editor', 'cashier', 'referee', 'support'] as const

export type Role = (typeof ROLES)[number]

/** Which permissions a role brings. A user with several roles holds them all together. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  editor: ['posts.read', 'posts.write', 'categories.read', 'categories.write', 'groups.read', 'servers.read'],
  cashier: [
    'users.read',
    'bank-transfers.read',
    'bank-transfers.match',
    'recharge-orders.read',
    'deliveries.read',
    'deliveries.resolve',
    'ledger-transfers.read',
  ],
  referee: ['tournaments.read', 'tournaments.write', 'groups.read', 'users.read'],
  support: [
    'users.read',
    'recharge-orders.read',
    'deliveries.read',
    'ledger-transfers.read',
    'bank-transfers.read',
  ],
}

export function permissionsOf(roles: readonly string[]): Permission[] {
  return PERMISSIONS.filter((permission) =>
    ROLES.some((role) => roles.includes(role) && ROLE_PERMISSIONS[role].includes(permission)),
  )
}
