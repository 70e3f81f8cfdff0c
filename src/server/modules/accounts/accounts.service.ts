import { permissionsOf, type Permission, type Role } from '#contract/operator/roles.ts'
import { INVITED_COUNTED_MAX, type getInvitation } from '#contract/users.ts'
import { REFERRAL_NAME } from '#contract/constants.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { paths } from '#contract/pages.ts'
import { appendAudit, type AuditActor } from '#server/modules/audit/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import {
  countInvited,
  deleteRole,
  findUserId,
  findUsername,
  insertRole,
  selectOperators,
  selectOperatorStates,
  type CurrentUserRow,
  type OperatorRow,
  type OwnAccount,
} from './accounts.queries.ts'
import { maskEmail, maskPhone } from './contacts.rules.ts'
import { usernameKey } from './usernames.rules.ts'

export { selectServers as listServers } from './accounts.queries.ts'

/** The signed-in player as pages show them. An expired ban is left out. */
export function describeCurrentUser(row: CurrentUserRow, now: Date): OwnAccount {
  const ban = row.ban_until !== null && row.ban_until > now ? row.ban_until : null
  return {
    ...row,
    balance: parseCoins(row.balance),
    ban_until: ban?.toISOString() ?? null,
    ban_reason: ban === null ? null : row.ban_reason,
    first_gift: row.first_gift === null ? null : parseCoins(row.first_gift),
    permission_names: permissionsOf(row.role_names),
    email: row.email === null ? null : maskEmail(row.email),
    phone: row.phone === null ? null : maskPhone(row.phone),
  }
}

/** `email` is null where none was proved. */
export type StaffMember = {
  id: string
  username: string
  email: string | null
  permissions: readonly Permission[]
}

/** Everybody who holds a role. */
export async function listStaff(db: Db | Tx): Promise<StaffMember[]> {
  return (await selectOperators(db)).map(({ roles, ...person }) => ({
    ...person,
    permissions: permissionsOf(roles),
  }))
}

const OPERATORS_LISTED_MAX = 200

/** Who holds a role, for anyone who runs the installation. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  return selectOperatorStates(db, OPERATORS_LISTED_MAX)
}

/** The link by which a player invites others, and how many have registered by it. */
export async function invitationOf(
  { db, publicUrl }: { db: Db; publicUrl: string },
  userId: string,
): Promise<AnswerOf<typeof getInvitation>> {
  const username = await findUsername(db, userId)
  return {
    link: `${publicUrl}${paths.register}?${REFERRAL_NAME}=${username}`,
    invited: await countInvited(db, { userId, limit: INVITED_COUNTED_MAX }),
  }
}

type RoleChange = {
  username: string
  role: Role
  /** Who does it; the system when it comes from the command line. */
  actor?: AuditActor
  requestId?: string
}

/** Gives a player a role, with its row in the audit trail; `already-held` changes and writes nothing. */
export async function grantRole(db: Db, change: RoleChange): Promise<'granted' | 'already-held'> {
  return inTransaction(db, async (tx) => {
    const userId = await getUserId(tx, change.username)
    if (!(await insertRole(tx, { userId, role: change.role, grantedBy: null }))) return 'already-held'
    await auditRole(tx, { ...change, userId, action: 'users.grant-role' })
    return 'granted'
  })
}

/** Takes a role away again; `not-held` changes and writes nothing. */
export async function revokeRole(db: Db, change: RoleChange): Promise<'revoked' | 'not-held'> {
  return inTransaction(db, async (tx) => {
    const userId = await getUserId(tx, change.username)
    if (!(await deleteRole(tx, userId, change.role))) return 'not-held'
    await auditRole(tx, { ...change, userId, action: 'users.revoke-role' })
    return 'revoked'
  })
}

async function auditRole(
  tx: Tx,
  change: RoleChange & { userId: string; action: 'users.grant-role' | 'users.revoke-role' },
): Promise<void> {
  await appendAudit(tx, {
    actor: change.actor ?? { kind: 'system' },
    action: change.action,
    subject: { type: 'user', id: change.userId },
    details: { role: change.role },
    requestId: change.requestId,
  })
}

async function getUserId(tx: Tx, username: string): Promise<string> {
  const key = usernameKey(username)
  const userId = key === null ? undefined : await findUserId(tx, key)
  if (userId === undefined) throw new Refusal('NOT_FOUND', { message: 'Không có tài khoản nào mang tên này' })
  return userId
}
