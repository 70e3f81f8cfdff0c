import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { operatorAccountReturns } from '#contract/operator/help/account-returns.ts'
import {
  findContactsByName,
  findUsername,
  lockContacts,
  maskEmail,
  maskPhone,
  mayEnterConsole,
  replaceContacts,
} from '#server/modules/accounts/index.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { answerVisitor, type CaseLetters, findVisitor, lockCase } from '#server/modules/cases/index.ts'
import { type GameBridge, listKnownCharacters } from '#server/modules/game-bridge/index.ts'
import { endResetLink, LINK_MINUTES_MAX, mailResetLink } from '#server/modules/passwords/index.ts'
import { propose, type Proposed, type ProposedChange } from '#server/modules/proposals/index.ts'
import { endSessionsOf } from '#server/modules/sessions/index.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, invalidField, invariant, notFound, orNotFound } from '#server/platform/values/errors.ts'
import type { PlayersDeps } from './players.service.ts'
import { selectKnownOfAccounts, selectShownCharacters, selectWithProof } from './returning.queries.ts'
import {
  answerToVisitor,
  type Claim,
  type KnownOfAccount,
  sameness,
  termsOfReturn,
  unprovedOf,
  whyNotReturned,
} from './returning.rules.ts'

type Calls = typeof operatorAccountReturns

export type ReturningDeps = PlayersDeps & { game: GameBridge }

const CHARACTERS_SHOWN = 50

const noSuchAccount = () => invalidField('username', 'Không có tài khoản nào mang tên này')

/** What is known of the account that a visitor says is theirs. A game that does not answer is told, and keeps nobody waiting. */
export async function readReturnFacts(
  deps: ReturningDeps,
  { id: caseId }: { id: string },
  { username }: QueryOf<Calls['facts']>,
): Promise<AnswerOf<Calls['facts']>> {
  const account = await findContactsByName(deps.db, username)
  if (account === undefined) throw noSuchAccount()
  const claim = { userId: account.userId, caseId }
  const { caseState, serverId } = await getKnown(deps.db, claim)
  if (caseState === null) throw notFound()
  await listKnownCharacters(deps, { id: account.userId, username: account.username, serverId })
  const known = await getKnown(deps.db, claim)
  const isStaff = await mayEnterConsole(deps.db, account.userId)
  const names = await readGameNames(deps.db)
  const characters = await selectShownCharacters(deps.db, account.userId, CHARACTERS_SHOWN)
  return {
    account: { id: account.userId, username: account.username },
    refusal: whyNotReturned(known, { isStaff }),
    hint: known.hint && {
      phone: known.hint.phone && maskPhone(known.hint.phone),
      email: known.hint.email && maskEmail(known.hint.email),
    },
    game_contact: sameness(known.visitor, known.hint),
    unproved_contact: sameness(known.visitor, unprovedOf(known)),
    created_at: known.createdAt.toISOString(),
    imported_at: known.importedAt?.toISOString() ?? null,
    last_sign_in_at: known.lastSignInAt?.toISOString() ?? null,
    has_second_factor: known.hasSecondFactor,
    balance: known.balance,
    last_recharge_at: known.lastRechargeAt?.toISOString() ?? null,
    recharges_last_month: known.rechargesLastMonth,
    characters: characters.map(({ id, name, serverName, classId, level }) => ({
      id,
      name,
      server_name: serverName,
      class_name: names.classOf(classId)?.name ?? null,
      level,
    })),
    characters_at: known.charactersAt?.toISOString() ?? null,
  }
}

/** Throws NOT_FOUND. */
async function getKnown(db: Db | Tx, claim: Claim): Promise<KnownOfAccount> {
  const [known] = await selectKnownOfAccounts(db, [claim])
  return orNotFound(known)
}

/** Throws why the account cannot be handed back to the visitor. */
async function assertReturnable(tx: Tx, claim: Claim): Promise<KnownOfAccount> {
  const known = await getKnown(tx, claim)
  const refusal = whyNotReturned(known, { isStaff: await mayEnterConsole(tx, claim.userId) })
  if (refusal !== null) throw conflict(refusal)
  return known
}

const UNPROVED = 'unproved'
const PROVED = 'proved'

/** For a player who can neither sign in nor enter the game, and has proved nothing to reset the password by. A second person decides. */
export async function returnAccount(
  deps: ReturningDeps,
  call: UserCall<Calls['propose']>,
): Promise<AnswerOf<Calls['propose']>> {
  const { params, body, identity, request } = call
  const claim = { userId: params.id, caseId: body.case_id }
  const by = { operatorId: identity.userId, requestId: request.id }
  return actAsOperator<AnswerOf<Calls['propose']>>(deps, call, {
    action: 'users.return',
    work: async (tx) => {
      const known = await assertReturnable(tx, claim)
      const payload = { before: UNPROVED, after: PROVED, case_id: claim.caseId }
      const change = { kind: 'account-return', subject: claim.userId, payload, reason: body.reason } as const
      const proposal = await propose(deps, tx, { ...change, ...by })
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await handBack(deps, tx, { claim, operatorId: by.operatorId, actId: request.id })
      const subject = { type: 'user', id: claim.userId }
      const details = { ...payload, terms: termsOfReturn(known) }
      return { answer: { is_returned: true }, audit: { subject, details } }
    },
  })
}

type HandingBack = { claim: Claim; operatorId: string; /** Names the act among others. */ actId: string }

/**
 * Account and contacts are locked before the case, as where a person is erased; then everything is asked again. The password
 * stays until the visitor sets another, so that whoever knows it can still sign in and read what was done.
 */
async function handBack(deps: CaseLetters, tx: Tx, { claim, operatorId, actId }: HandingBack): Promise<void> {
  const { userId, caseId } = claim
  const visitor = await findVisitor(tx, caseId)
  const phone = visitor?.channel === 'phone' ? visitor.contact : null
  const { own, holder } = await lockContacts(tx, { userId, phone })
  const locked = await lockCase(tx, caseId)
  const known = await assertReturnable(tx, claim)
  invariant(locked && known.visitor, 'an account is handed back to the visitor of a case')
  const { channel, contact } = known.visitor
  await replaceContacts(deps, tx, { own, holder, proved: known.visitor, actId })
  await endSessionsOf(tx, { userId })
  if (channel === 'email') await mailResetLink(deps, tx, { userId, username: own.username, email: contact })
  else await endResetLink(tx, userId)
  const text = answerToVisitor(known, { channel, linkMinutes: LINK_MINUTES_MAX })
  await answerVisitor(deps, tx, { locked, operatorId, text })
}

/** How an account that a second person lets go is handed back. */
export const returnProposals = (deps: CaseLetters) => ({
  async titleOf(userId: string, db: Db | Tx): Promise<string> {
    return `Trả lại tài khoản ${await findUsername(db, userId)}`
  },
  async readMany(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
    const proved = await selectWithProof(db, userIds)
    return new Map(userIds.map((id) => [id, proved.has(id) ? PROVED : UNPROVED]))
  },
  async termsOf(db: Db | Tx, changes: readonly Proposed[]) {
    const claims = changes.map(claimOf)
    const known = await selectKnownOfAccounts(db, claims)
    return claims.map(({ userId, caseId }) => {
      const found = known.find((one) => one.userId === userId && one.caseId === caseId)
      invariant(found, 'accounts stay, also erased ones')
      return termsOfReturn(found)
    })
  },
  /** Throws why it cannot be handed back any more. */
  async apply(tx: Tx, { subject, case_id, by, proposalId }: ProposedChange): Promise<boolean> {
    const claim = claimOf({ subject, payload: { before: '', after: '', case_id } })
    await handBack(deps, tx, { claim, operatorId: by.operatorId, actId: by.requestId ?? proposalId })
    return true
  },
})

function claimOf({ subject, payload }: Proposed): Claim {
  invariant(payload.case_id, 'the proposal of a return names its case')
  return { userId: subject, caseId: payload.case_id }
}
