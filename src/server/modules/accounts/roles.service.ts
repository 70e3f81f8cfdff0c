import { permissionsOf, type Permission, type Role } from '#contract/operator/roles.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import { appendAudit, type AuditActor } from '#server/modules/audit/index.ts'
import { type Mail, queueMail } from '#server/modules/mail/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { findUserId } from './accounts.queries.ts'
import { usernameKey } from './accounts.rules.ts'
import { deleteRole, insertRole, selectHeldRoles, selectOperators } from './roles.queries.ts'

/** `email` is null where none was proved. */
export type StaffMember = {
  id: string
  username: string
  email: string | null
  permissions: readonly Permission[]
  /** With those of a role that was taken in the last days: what they may still refuse, and hear about. */
  recentPermissions: readonly Permission[]
}

/** Everybody who holds a role, or held one that may approve in the last days. */
export async function listStaff(db: Db | Tx): Promise<StaffMember[]> {
  return (await selectOperators(db)).map(({ roles, formerRoles, ...person }) => ({
    ...person,
    permissions: permissionsOf(roles),
    recentPermissions: permissionsOf([...roles, ...formerRoles]),
  }))
}

/** What somebody may still refuse, by the roles they hold and those taken in the last days. */
export const findRecentPermissions = async (db: Db | Tx, userId: string): Promise<Permission[]> =>
  permissionsOf(Object.values(await selectHeldRoles(db, userId)).flat())

/** Whether a player is an operator, of whatever kind. */
export async function holdsRole(db: Db | Tx, userId: string): Promise<boolean> {
  return (await selectHeldRoles(db, userId)).roles.length > 0
}

/** Whether the console opens for them: operators, and those who may still refuse what is proposed. */
export async function mayEnterConsole(db: Db | Tx, userId: string): Promise<boolean> {
  return Object.values<Role[]>(await selectHeldRoles(db, userId)).some((roles) => roles.length > 0)
}

/** Whether they may refuse what is proposed, by a role that they hold or held in the last days. */
export const mayStopProposals = async (db: Db | Tx, userId: string): Promise<boolean> =>
  (await findRecentPermissions(db, userId)).includes('proposals.stop')

type Receiver = { username: string; to: string }

/** Queues a letter to everybody of the staff who has proved an address, in the transaction of what it tells. */
export async function mailStaff(
  vault: Vault,
  tx: Tx,
  staff: readonly Pick<StaffMember, 'username' | 'email'>[],
  write: (receiver: Receiver) => Mail,
): Promise<void> {
  for (const { username, email } of staff) {
    if (email !== null) await queueMail(vault, tx, write({ username, to: email }))
  }
}

type RoleChange = {
  username: string
  role: Role
  /** Who does it; the system when it comes from the command line. */
  actor?: AuditActor
  requestId?: string
  /** Everybody of the staff gets a letter. */
  vault?: Vault
}

/** Gives a player a role, with its row in the audit trail; `already-held` changes and writes nothing. */
export async function grantRole(db: Db, change: RoleChange): Promise<'granted' | 'already-held'> {
  return (await changeRole(db, { ...change, action: 'users.grant-role' })) ? 'granted' : 'already-held'
}

/** Takes a role away for good, at once; `not-held` changes and writes nothing. */
export async function revokeRole(db: Db, change: RoleChange): Promise<'revoked' | 'not-held'> {
  return (await changeRole(db, { ...change, action: 'users.revoke-role' })) ? 'revoked' : 'not-held'
}

type RoleAction = 'users.grant-role' | 'users.revoke-role'

async function changeRole(
  db: Db,
  {
    username,
    role,
    action,
    actor = { kind: 'system' },
    requestId,
    vault,
  }: RoleChange & { action: RoleAction },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const userId = await getUserId(tx, username)
    const before = await listStaff(tx)
    const isChanged =
      action === 'users.grant-role'
        ? await insertRole(tx, { userId, role, grantedBy: null })
        : await deleteRole(tx, userId, role)
    if (!isChanged) return false
    if (vault !== undefined) {
      const done = action === 'users.grant-role' ? 'được trao' : 'bị thu'
      const text = `Vai trò ${ROLE_WORDS[role]} của ${username} vừa ${done} bằng dòng lệnh trên máy chủ.`
      // Who loses their last role hears of it too.
      await tellOfRoles(vault, tx, { text, reason: null, staff: before })
    }
    const subject = { type: 'user', id: userId }
    await appendAudit(tx, { actor, action, subject, details: { role }, requestId })
    return true
  })
}

async function getUserId(tx: Tx, username: string): Promise<string> {
  const key = usernameKey(username)
  const userId = key === null ? undefined : await findUserId(tx, key)
  if (userId === undefined) throw new Refusal('NOT_FOUND', { message: 'Không có tài khoản nào mang tên này' })
  return userId
}

/**
 * Tells the staff what was done about roles and invitations without a proposal; `staff` also has those who were of it before.
 */
export async function tellOfRoles(
  vault: Vault,
  tx: Tx,
  told: { text: string; reason: string | null; staff?: readonly StaffMember[] },
): Promise<void> {
  const staff = [...(told.staff ?? []), ...(await listStaff(tx))]
  const people = [...new Map(staff.map((one) => [one.id, one])).values()]
  await mailStaff(vault, tx, people, (to) => roleMail(to, told))
}

const roleMail = (receiver: Receiver, { text, reason }: { text: string; reason: string | null }): Mail => ({
  ...receiver,
  kind: 'role-changed',
  subject: 'Thay đổi trong ban vận hành',
  paragraphs: [text, ...(reason === null ? [] : [`Lý do: ${reason}`])],
  closing: ['Nếu bạn thấy thay đổi này không đúng, hãy hỏi ngay người đã làm và xem nhật ký vận hành.'],
})
