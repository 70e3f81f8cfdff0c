/** What an operator may do, as `<resource>.<act>`: each is required by an operator endpoint (tests/repo). */
export const PERMISSIONS = [
  'users.read',
  'users.assist',
  'users.ban',
  'users.reveal',
  'users.view-as',
  'users.second-factor',
  'users.return',
  'users.erase',
  'posts.read',
  'posts.write',
  'categories.read',
  'categories.write',
  'legal.write',
  'settings.read',
  'settings.content',
  'settings.links',
  'settings.prices',
  'settings.money',
  'bank-transfers.read',
  'bank-transfers.match',
  'recharge-claims.answer',
  'cases.read',
  'cases.answer',
  'recharge-orders.read',
  'recharge-orders.note',
  'deliveries.read',
  'deliveries.resolve',
  'ledger.read',
  'wallet.adjust',
  'tournaments.read',
  'tournaments.write',
  'audit.read',
  'client-errors.handle',
  'statistics.read',
  'maintenance.write',
  'staff.manage',
  'proposals.stop',
  'servers.write',
  'groups.write',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/**
 * Operators with this permission; of several, with any one of them.
 * @__NO_SIDE_EFFECTS__
 */
export function permitted(permission: Permission | readonly Permission[]) {
  return { permission }
}

export const ROLES = ['owner', 'editor', 'cashier', 'referee', 'support'] as const

export type Role = (typeof ROLES)[number]

/** Which permissions a role brings. A user with several roles holds them all together. */
export const ROLE_PERMISSIONS: Record<Role, readonly Permission[]> = {
  owner: PERMISSIONS,
  editor: [
    'posts.read',
    'posts.write',
    'categories.read',
    'categories.write',
    'settings.read',
    'settings.content',
    'groups.write',
  ],
  cashier: [
    'users.read',
    'bank-transfers.read',
    'bank-transfers.match',
    'recharge-claims.answer',
    'cases.read',
    'cases.answer',
    'recharge-orders.read',
    'recharge-orders.note',
    'deliveries.read',
    'deliveries.resolve',
    'statistics.read',
    'ledger.read',
    'proposals.stop',
  ],
  referee: ['tournaments.read', 'tournaments.write'],
  support: [
    'users.read',
    'users.assist',
    'users.view-as',
    'recharge-orders.read',
    'recharge-orders.note',
    'deliveries.read',
    'bank-transfers.read',
    'recharge-claims.answer',
    'cases.read',
    'cases.answer',
    'ledger.read',
  ],
}

export function permissionsOf(roles: readonly string[]): Permission[] {
  return PERMISSIONS.filter((permission) =>
    ROLES.some((role) => roles.includes(role) && ROLE_PERMISSIONS[role].includes(permission)),
  )
}
