import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { APPROVING_ROLES, type OperatorProposal } from '#contract/operator/proposals.ts'
import { COSTS_NOTHING } from '#contract/operator/proposal-terms.ts'
import { coinsWorth } from '#contract/operator/rewards/goods-worth.ts'
import {
  type Permission,
  type Role,
  ROLE_PERMISSIONS,
  ROLES,
  permissionsOf,
} from '#contract/operator/roles.ts'
import {
  type StaffMember,
  type operatorStaff,
  INVITE_HOURS,
  type StaffInvite,
} from '#contract/operator/staff.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import { actAsOperator, appendOwnAct } from '#server/modules/audit/index.ts'
import { goodsPrices, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import { newToken, tokenHashOf } from '#server/platform/values/crypto.ts'
import { lastOwner, inviteInvalid, inviteOver } from './accounts.errors.ts'
import { type Holding, insertRole, selectHoldings, takeRole } from './roles.queries.ts'
import { listStaff, tellOfRoles } from './roles.service.ts'
import { findUsername } from './accounts.service.ts'
import {
  countHolders,
  findMember,
  listPairsOfOnePhone,
  lockStaff,
  selectGranters,
  selectRolesOf,
  selectStaff,
  insertInvite,
  lockInvite,
  markWithdrawn,
  openInvite,
  selectOpenInvites,
  selectWaitingInvites,
  takeInvite,
} from './staff.queries.ts'

type StaffChange = {
  kind: 'roles' | 'invite'
  subject: string
  payload: { before: string; after: string }
  reason: string
}

export type StaffDeps = PlatformDeps & {
  publicUrl: string
  config: { adminHost: string | null }
  /** Stores a change for a second person; null when the caller may make it alone. */
  proposeStaff(
    tx: Tx,
    change: StaffChange,
    by: { operatorId: string; requestId: string },
  ): Promise<OperatorProposal | null>
}

type Filter = NonNullable<QueryOf<typeof operatorStaff.list>['filter']>

export const listStaffMembers = (db: Db, { id }: Filter, page: ListPage): Promise<ListRows<StaffMember>> =>
  selectStaff(db, id, page)

/**
 * Gives a user exactly the roles named; to give or take one that may approve waits for a second person. Sessions stay; what they
 * may do is read from the database at each call.
 */
export async function setRoles(
  deps: StaffDeps,
  call: UserCall<typeof operatorStaff.setRoles>,
): Promise<AnswerOf<typeof operatorStaff.setRoles>> {
  const { id } = call.params
  const roles = ROLES.filter((role) => call.body.roles.includes(role))
  const by = { operatorId: call.identity.userId, requestId: call.request.id }
  return actAsOperator<AnswerOf<typeof operatorStaff.setRoles>>(deps, call, {
    action: 'staff.set-roles',
    async work(tx) {
      await lockStaff(tx)
      const before = orNotFound(await findMember(tx, id))
      const isOwnerLost = before.roles.includes('owner') && !roles.includes('owner')
      if (isOwnerLost && (await countHolders(tx, 'owner')) <= 1) throw lastOwner()
      if (APPROVING_ROLES.some((role) => roles.includes(role) !== before.roles.includes(role))) {
        const payload = { before: rolesText(before.roles), after: rolesText(roles) }
        const change = { kind: 'roles', subject: id, payload, reason: call.body.reason } as const
        const proposal = await deps.proposeStaff(tx, change, by)
        if (proposal !== null) return { answer: { proposal }, audit: null }
      }
      const staff = await listStaff(tx)
      await storeRoles(tx, { id, roles, grantedBy: by.operatorId })
      const actor = await findUsername(tx, by.operatorId)
      const text = `${actor} vừa đổi vai trò của ${before.username}: ${wordsOf(before.roles)} → ${wordsOf(roles)}.`
      await tellOfRoles(deps.vault, tx, { text, reason: call.body.reason, staff })
      const chain = await grantersOf(tx, by.operatorId)
      return {
        answer: { ...before, roles },
        audit: {
          subject: { type: 'user', id },
          details: { before: { roles: before.roles }, after: { roles }, chain },
        },
      }
    },
  })
}

/** Who gave somebody a role, who gave that one, and so on up to the command line, as the audit trail has them. */
export async function grantersOf(tx: Tx, userId: string): Promise<string> {
  return (await selectGranters(tx, userId)).join()
}

const wordsOf = (roles: readonly Role[]): string =>
  roles.map((role) => ROLE_WORDS[role]).join(', ') || 'không có vai trò'

/** As a proposal holds them, in one order. */
const rolesText = (roles: readonly Role[]): string => ROLES.filter((role) => roles.includes(role)).join()

async function storeRoles(
  tx: Tx,
  { id, roles, grantedBy }: { id: string; roles: readonly Role[]; grantedBy: string },
): Promise<void> {
  for (const role of ROLES) {
    if (roles.includes(role)) await insertRole(tx, { userId: id, role, grantedBy })
    else await takeRole(tx, id, role)
  }
}

type ProposedStaff = { payload: { before: string; after: string } }

const rolesIn = (text: string): Role[] => ROLES.filter((role) => text.split(',').includes(role))

/** Roles of a proposal as the console calls them. */
const roleNames = (text: string): string =>
  rolesIn(text)
    .map((role) => ROLE_WORDS[role])
    .join(', ') || 'Không có vai trò'

const MOVES_COINS: readonly Permission[] = ['wallet.adjust', 'bank-transfers.match']

/** What somebody may do alone from then on, and could not before. */
function worstOfRoles(before: string, after: string, settings: SettingValues): string {
  const [old, now] = [permissionsOf(rolesIn(before)), permissionsOf(rolesIn(after))]
  const gained = now.filter((one) => !old.includes(one))
  const limit = coinsWorth(settings.manualCreditLimit, goodsPrices(settings))
  return [
    COSTS_NOTHING,
    ...(gained.some((one) => MOVES_COINS.includes(one))
      ? [`từ đó một mình người này cộng được ${limit} mỗi 24 giờ`]
      : []),
    ...(APPROVING_ROLES.some((role) => rolesIn(after).includes(role) && !rolesIn(before).includes(role))
      ? ['và duyệt được đề xuất của người khác']
      : []),
  ].join('; ')
}

type RoleChange = { subject: string; before: string; after: string; proposedBy: string }

/** How roles are changed to which a second person has agreed, or nobody objected in time. */
export const roleProposals = {
  titleOf: async (userId: string, db: Db | Tx): Promise<string> =>
    `Vai trò của ${await findUsername(db, userId)}`,
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
    const held = await selectRolesOf(db, ids)
    return new Map(ids.map((id) => [id, rolesText(held.get(id) ?? [])]))
  },
  termsOf: (_db: Db | Tx, changes: readonly ProposedStaff[], settings: SettingValues) =>
    Promise.resolve(
      changes.map(({ payload: { before, after } }) => ({
        lines: [{ label: 'Vai trò', before: roleNames(before), after: roleNames(after) }],
        worst: worstOfRoles(before, after, settings),
      })),
    ),
  /** False when somebody has changed them meanwhile, or the last owner would be none any more. */
  async apply(tx: Tx, { subject, before, after, proposedBy }: RoleChange): Promise<boolean> {
    await lockStaff(tx)
    const present = await findMember(tx, subject)
    if (present === undefined || rolesText(present.roles) !== before) return false
    const roles = ROLES.filter((role) => after.split(',').includes(role))
    const isOwnerLost = present.roles.includes('owner') && !roles.includes('owner')
    if (isOwnerLost && (await countHolders(tx, 'owner')) <= 1) return false
    await storeRoles(tx, { id: subject, roles, grantedBy: proposedBy })
    return true
  },
} as const

/** Why two accounts are not two people for what takes a permission; null when they may be two. */
export type WhyOnePerson = (
  pair: readonly [string, string],
  permission: Permission,
) => 'granted' | 'phone' | null

/**
 * Reads once who of these is tied to whom: two hold a permission from each other or from the same hands, in the last seven days
 * and however many stand between; or they have had one phone.
 */
export async function readTies(db: Db | Tx, ids: readonly string[]): Promise<WhyOnePerson> {
  const holdings = await selectHoldings(db)
  const ofOnePhone = await listPairsOfOnePhone(db, ids)
  return ([a, b], permission) => {
    if (areConnected(holdings, [a, b], permission)) return 'granted'
    return ofOnePhone.some(({ one, other }) => one === a && other === b) ? 'phone' : null
  }
}

/**
 * Whether a chain of roles given ties two accounts, in whatever direction. Somebody owes a permission to a giver only while
 * every role that brings it is new: an old owner stays a second person, whatever role is taken from them, given again or added.
 */
function areConnected(
  holdings: readonly Holding[],
  [one, other]: readonly [string, string],
  permission: Permission,
): boolean {
  const giversOf = (userId: string): string[] => {
    // Who stands between two others gave a role further, which takes the right to manage operators.
    const needed = userId === one || userId === other ? permission : 'staff.manage'
    const bringing = holdings.filter(
      (held) => held.userId === userId && ROLE_PERMISSIONS[held.role].includes(needed),
    )
    return bringing.every(({ isRecent }) => isRecent) ? bringing.flatMap(({ by }) => by ?? []) : []
  }
  const people = [...new Set(holdings.map(({ userId }) => userId))]
  const grants = people.flatMap((to) => giversOf(to).map((by) => ({ to, by })))
  const reached = new Set([one])
  for (const id of reached) {
    for (const { to, by } of grants) {
      if (to === id) reached.add(by)
      if (by === id) reached.add(to)
    }
  }
  return reached.has(other)
}

/** The token stands behind `#`, which browsers send to no server. */
function linkTo({ publicUrl, config }: StaffDeps, token: string): string {
  const base = new URL(publicUrl)
  if (config.adminHost !== null) base.host = config.adminHost
  return `${base.origin}/admin/invite#${token}`
}

/** Makes an invitation. Only its reader knows the token; the database has its hash. */
export async function inviteStaff(
  deps: StaffDeps,
  call: UserCall<typeof operatorStaff.invite>,
): Promise<AnswerOf<typeof operatorStaff.invite>> {
  const { role } = call.body
  const { token, tokenHash } = newToken()
  const invitedBy = call.identity.userId
  return actAsOperator<AnswerOf<typeof operatorStaff.invite>>(deps, call, {
    action: 'staff.invite',
    async work(tx) {
      const isWaiting = APPROVING_ROLES.includes(role)
      const made = { tokenHash, role, invitedBy, hours: INVITE_HOURS, isWaiting }
      const { id, expiresAt } = await insertInvite(tx, made)
      const answer = { link: linkTo(deps, token), expires_at: expiresAt.toISOString() }
      if (isWaiting) {
        const payload = { before: '', after: role }
        const change = { kind: 'invite', subject: id, payload, reason: call.body.reason } as const
        const by = { operatorId: invitedBy, requestId: call.request.id }
        const proposal = await deps.proposeStaff(tx, change, by)
        if (proposal !== null) return { answer: { ...answer, proposal }, audit: null }
        await openInvite(tx, id, INVITE_HOURS)
      } else {
        const actor = await findUsername(tx, invitedBy)
        const text = `${actor} vừa tạo lời mời vào ban vận hành với vai trò ${ROLE_WORDS[role]}.`
        await tellOfRoles(deps.vault, tx, { text, reason: call.body.reason })
      }
      const { expires_at } = answer
      const chain = await grantersOf(tx, invitedBy)
      return {
        answer,
        audit: { subject: { type: 'staff-invite', id }, details: { role, expires_at, chain } },
      }
    },
  })
}

/** How an invitation begins to count to which a second person has agreed, or nobody objected in time. */
export const inviteProposals = {
  titleOf: (id: string): string => `Lời mời vào ban vận hành số ${id}`,
  readMany: selectWaitingInvites,
  termsOf: (_db: Db | Tx, changes: readonly ProposedStaff[], settings: SettingValues) =>
    Promise.resolve(
      changes.map(({ payload: { after } }) => ({
        lines: [
          { label: 'Vai trò của người nhận lời mời', before: roleNames(''), after: roleNames(after) },
          { label: 'Số người', before: null, after: '1, ai có liên kết trước thì dùng được' },
          { label: 'Thời hạn', before: null, after: `${INVITE_HOURS} giờ từ lúc có hiệu lực` },
        ],
        worst: worstOfRoles('', after, settings),
      })),
    ),
  /** False when it was withdrawn. Its 48 hours begin now. */
  apply: (tx: Tx, { subject }: { subject: string }): Promise<boolean> =>
    openInvite(tx, subject, INVITE_HOURS),
} as const

export async function listInvites(
  db: Db,
  { id }: NonNullable<QueryOf<typeof operatorStaff.invites>['filter']>,
  page: ListPage,
): Promise<ListRows<StaffInvite>> {
  return selectOpenInvites(db, id, page)
}

/** Takes an invitation back, before or instead of its use: whoever comes second is refused. */
export const withdrawInvite = (deps: StaffDeps, call: UserCall<typeof operatorStaff.withdrawInvite>) =>
  actAsOperator(deps, call, {
    action: 'staff.withdraw-invite',
    async work(tx) {
      const found = orNotFound(await lockInvite(tx, call.params.id))
      if (!found.isOpen) throw inviteOver()
      const { invite } = found
      await markWithdrawn(tx, invite.id, call.identity.userId)
      const { role, expires_at, invited_by } = invite
      const actor = await findUsername(tx, call.identity.userId)
      const text = `${actor} vừa thu hồi lời mời làm ${ROLE_WORDS[role]} mà ${invited_by.username} đã tạo.`
      await tellOfRoles(deps.vault, tx, { text, reason: call.body.reason })
      const before = { role, expires_at, invited_by: invited_by.id }
      return {
        answer: invite,
        audit: { subject: { type: 'staff-invite', id: invite.id }, details: { before, after: null } },
      }
    },
  })

/**
 * Gives the role of an invitation to somebody who has just proved who they are, and uses it up. Throws TOKEN_INVALID;
 * also when its maker may no longer give roles.
 */
export async function acceptInvite(
  { vault }: Pick<PlatformDeps, 'vault'>,
  tx: Tx,
  { token, userId }: { token: string; userId: string },
): Promise<void> {
  const tokenHash = tokenHashOf(token)
  await lockStaff(tx)
  const invite = tokenHash === null ? undefined : await takeInvite(tx, { tokenHash, userId })
  if (invite === undefined) throw inviteInvalid()
  const maker = await findMember(tx, invite.invitedBy)
  if (!permissionsOf(maker?.roles ?? []).includes('staff.manage')) throw inviteInvalid()
  const before = (await findMember(tx, userId))?.roles ?? []
  await insertRole(tx, { userId, role: invite.role, grantedBy: invite.invitedBy })
  const { username = '', roles: after = [] } = (await findMember(tx, userId)) ?? {}
  const text = `${username} vừa vào ban vận hành với vai trò ${ROLE_WORDS[invite.role]}, bằng lời mời của ${maker?.username ?? ''}.`
  await tellOfRoles(vault, tx, { text, reason: null })
  await appendOwnAct(tx, userId, {
    action: 'staff.accept-invite',
    details: {
      before: { roles: before },
      after: { roles: after },
      invite_id: invite.id,
      invited_by: invite.invitedBy,
      chain: await grantersOf(tx, invite.invitedBy),
    },
  })
}
