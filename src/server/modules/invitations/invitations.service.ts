import type { AnswerOf } from '#contract/endpoint.ts'
import type {
  InvitationReason,
  InvitationReward,
  operatorInvitations,
} from '#contract/operator/rewards/invitations.ts'
import { INVITATION_HOURS, INVITED_LISTED_MAX, type getInvitations } from '#contract/rewards/invitations.ts'
import { invitationLink, maskName } from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import { findTrader, isBanned, lockTraders, type Trader } from '#server/modules/traders/index.ts'
import { type LedgerActor, postTransfer, settleDebt } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { conflict, invariant, orNotFound } from '#server/platform/values/errors.ts'
import {
  countOfMonth,
  findDue,
  findMarks,
  findRechargeWait as findWait,
  findReward,
  listDue,
  lockBudget,
  lockReward,
  markDue,
  markGranted,
  markRefused,
  markReview,
  rewardsOfPerson,
  selectInvited,
} from './invitations.queries.ts'

// What inviting a player is worth. The database notes a first recharge (trigger `invitation_waits`); three days later it is decided
// about once. Locks go: both wallets in the order of their ids, the reward, the budget. Crediting and reversal take the invited
// player's wallet first, too, so that a decision is before or after them.

type Deps = Pick<PlatformDeps, 'db' | 'clock' | 'log'>

/** The link, the terms, and who came by it. */
export async function readInvitations(
  { db, publicUrl }: { db: Db; publicUrl: string },
  userId: string,
): Promise<AnswerOf<typeof getInvitations>> {
  const { invitation } = await readSettings(db)
  const invited = await selectInvited(db, { inviterId: userId, limit: INVITED_LISTED_MAX })
  const terms = invitation.isOn
    ? {
        inviter_coins: invitation.inviterCoins,
        invited_coins: invitation.invitedCoins,
        recharge_min: invitation.rechargeMin,
        per_month: invitation.perMonth,
      }
    : null
  return {
    link: await invitationLink({ db, publicUrl }, userId),
    invited: invited.map((one) => ({ ...one, name: maskName(one.name) })),
    rewards_left: terms === null ? 0 : Math.max(0, terms.per_month - (await countOfMonth(db, userId))),
    terms,
  }
}

const DECIDED_AT_ONCE = 50

/** Decides about invitations that are due; true when it did something. */
export const decideDue = (deps: Deps): Promise<boolean> =>
  workOff(deps, {
    job: 'invitations',
    limit: DECIDED_AT_ONCE,
    list: listDue,
    work: (invitedId) => decideOne(deps, invitedId),
  })

async function decideOne({ db, clock }: Deps, id: string): Promise<boolean> {
  const due = await findDue(db, id)
  if (due === undefined) return false
  await inTransaction(db, async (tx) => {
    const pair = await lockPair(tx, due)
    const locked = await lockReward(tx, due.invitedId)
    // Another process was faster.
    if (locked?.state !== 'waiting' || !locked.isDue) return
    const { invitation } = await readSettings(tx)
    const { invitedId } = due
    if (!invitation.isOn) return markRefused(tx, { invitedId, reasons: ['off'], decidedBy: null })
    const { inviter, invited } = pair
    if (inviter.isErased || invited.isErased)
      return markRefused(tx, { invitedId, reasons: ['erased'], decidedBy: null })
    const wait = await findRechargeWait(tx, invitedId, invitation)
    if (wait !== 0) return markDue(tx, { invitedId, afterSeconds: wait ?? null })
    if (!invited.isActivated) return waitForActivation(tx, invitedId, locked)
    const reasons: InvitationReason[] = await findMarks(tx, due)
    if ([inviter, invited].some((one) => isBanned(one, clock.now()))) reasons.push('banned')
    if (reasons.length > 0) return markReview(tx, { invitedId, reasons })
    const refusal = await grant(tx, { ...pair, invitation, decidedBy: null })
    if (refusal === 'budget') return markReview(tx, { invitedId, reasons: [refusal] })
    if (refusal !== null) return markRefused(tx, { invitedId, reasons: [refusal], decidedBy: null })
  })
  return true
}

type Invitation = SettingValues['invitation']
type Pair = { inviter: Trader; invited: Trader }

async function lockPair(
  tx: Tx,
  { inviterId, invitedId }: { inviterId: string; invitedId: string },
): Promise<Pair> {
  const inviter = await findTrader(tx, inviterId)
  const invited = await findTrader(tx, invitedId)
  invariant(inviter && invited, 'accounts stay, also erased ones')
  const [one, other] = await lockTraders(tx, inviter, invited)
  return one.id === inviterId ? { inviter: one, invited: other } : { inviter: other, invited: one }
}

const findRechargeWait = (tx: Tx, invitedId: string, { rechargeMin }: Invitation) =>
  findWait(tx, { invitedId, minimum: rechargeMin, hours: INVITATION_HOURS })

const DAY_SECONDS = 86_400

/** Looks again every day, for a month. */
async function waitForActivation(tx: Tx, invitedId: string, { isOld }: { isOld: boolean }): Promise<void> {
  if (isOld) return markRefused(tx, { invitedId, reasons: ['not-activated'], decidedBy: null })
  await markDue(tx, { invitedId, afterSeconds: DAY_SECONDS })
}

type Granting = Pair & { invitation: Invitation; decidedBy: string | null; actor?: LedgerActor }

/** Gives both players theirs, and tells them; null when done, else why not. Wallets and reward are locked. */
async function grant(
  tx: Tx,
  { inviter, invited, invitation, decidedBy, actor = {} }: Granting,
): Promise<'budget' | 'month-full' | null> {
  const { inviterCoins, invitedCoins, perMonth } = invitation
  const given = await countOfMonth(tx, inviter.id)
  if (given >= perMonth) return 'month-full'
  const budget = await lockBudget(tx, invitation.budget)
  if (budget === undefined || budget.balance < inviterCoins + invitedCoins) return 'budget'
  const sides = [
    { side: 'inviter', player: inviter, coins: inviterCoins },
    { side: 'invited', player: invited, coins: invitedCoins },
  ] as const
  for (const { side, player, coins } of sides) {
    const source = { type: 'invitation', id: `${invited.id}:${side}` }
    await postTransfer(tx, {
      kind: 'invitation',
      debit: budget.accountId,
      credit: player.walletId,
      amount: coins,
      source,
      ...actor,
    })
    const paid = await settleDebt(tx, { player, source, actor })
    await addNotice(tx, player.id, {
      event: 'invitation-rewarded',
      subject: source.id,
      data: { coins, paid, isInviter: side === 'inviter' },
    })
  }
  await markGranted(tx, {
    invitedId: invited.id,
    inviterCoins,
    invitedCoins,
    number: given + 1,
    perMonth,
    decidedBy,
  })
  return null
}

/** Invitations are decided within a minute of their time. */
export function startInvitationJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'invitations', pauseMs: 60_000, round: () => decideDue(deps) }])
}

export { selectRewards as listRewards } from './invitations.queries.ts'

async function getReward(db: Db | Tx, id: string): Promise<InvitationReward> {
  return orNotFound(await findReward(db, id))
}

const REFUSALS = {
  budget: 'Ngân sách của lời mời không còn đủ TCoin',
  'month-full': 'Người mời đã nhận đủ số phần thưởng của tháng này',
} as const

/** An operator decides that an invitation in review is worth its reward. */
export const grantReward = (deps: PlatformDeps, call: UserCall<typeof operatorInvitations.grant>) =>
  decide(deps, call, {
    action: 'invitations.grant',
    async work(tx, before) {
      const { id } = before
      const pair = await lockPair(tx, { inviterId: before.inviter.id, invitedId: id })
      await assertInReview(tx, before)
      const { invitation } = await readSettings(tx)
      if ((await findRechargeWait(tx, id, invitation)) !== 0)
        throw conflict('Khoản nạp của người được mời đã bị thu hồi', { reward: before })
      const by = { actorOperatorId: call.identity.userId, requestId: call.request.id }
      const refusal = await grant(tx, { ...pair, invitation, decidedBy: by.actorOperatorId, actor: by })
      if (refusal !== null) throw conflict(REFUSALS[refusal], { reward: before })
    },
  })

export const refuseReward = (deps: PlatformDeps, call: UserCall<typeof operatorInvitations.refuse>) =>
  decide(deps, call, {
    action: 'invitations.refuse',
    async work(tx, before) {
      await assertInReview(tx, before)
      await markRefused(tx, {
        invitedId: before.id,
        reasons: ['operator'],
        decidedBy: call.identity.userId,
      })
    },
  })

/** Locks the reward. */
async function assertInReview(tx: Tx, reward: InvitationReward): Promise<void> {
  const locked = await lockReward(tx, reward.id)
  if (locked?.state !== 'review')
    throw conflict('Lời mời này không chờ xem lại, vui lòng tải lại trang', { reward })
}

type Decision = {
  action: 'invitations.grant' | 'invitations.refuse'
  work(tx: Tx, before: InvitationReward): Promise<void>
}

const decide = (
  deps: PlatformDeps,
  call: UserCall<typeof operatorInvitations.refuse>,
  { action, work }: Decision,
) =>
  actAsOperator<InvitationReward>(deps, call, {
    action,
    async work(tx) {
      const before = await getReward(tx, call.params.id)
      await work(tx, before)
      const after = await getReward(tx, before.id)
      const details = {
        inviter: after.inviter.id,
        coins: (after.inviter_coins ?? 0) + (after.invited_coins ?? 0),
        before: { state: before.state, reasons: before.reasons },
        after: { state: after.state },
      }
      return { answer: after, audit: { subject: { type: 'user', id: after.id }, details } }
    },
  })

/** Rewards hold ids and amounts, as the ledger does: they stay, and name nobody once the account is erased. */
export const personalInvitations: PersonalPart = {
  lists: { invitations: rewardsOfPerson },
  erase: eraseNothing,
}
