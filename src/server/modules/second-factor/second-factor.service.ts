import { randomBytes, randomUUID } from 'node:crypto'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { stepUpCall } from '#contract/operator/session.ts'
import type {
  confirmSecondFactor,
  getSecondFactor,
  startSecondFactor,
} from '#contract/accounts/one-time-codes.ts'
import { findUsername, holdsRole, mailPlayer } from '#server/modules/accounts/index.ts'
import { appendAudit, appendOwnAct, type AuditActor } from '#server/modules/audit/index.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { invariant } from '#server/platform/values/errors.ts'
import {
  acceptProof,
  checkSecondFactor,
  hasSecondFactor,
  matchCode,
  recoveryHash,
  SECRET_PURPOSE,
  SETUPS,
  operatorsKeepTheirs,
  secondFactorIsOff,
  secondFactorIsOn,
  setupNotStarted,
  wrongSecondFactor,
} from './proofs.service.ts'
import {
  countRecoveryCodes,
  deleteSecondFactor,
  eraseSecondFactor,
  exportSecondFactor,
  findSecondFactor,
  insertRecoveryCodes,
  markConfirmed,
  replaceSecret,
  selectConfirmed,
} from './second-factor.queries.ts'
import {
  newSecret,
  RECOVERY_CODES,
  recoveryCodeOf,
  setupUri,
  shownRecoveryCode,
} from './second-factor.rules.ts'

/** Those of the given users who have a second factor. */
export async function haveSecondFactor(db: Db, userIds: readonly string[]): Promise<Set<string>> {
  return new Set((await selectConfirmed(db, userIds)).map(({ userId }) => userId))
}

/** What a removal means for sessions, which know this module and not the reverse; in its own transaction. */
export type SessionEnding = { endConsoleSessionsOf(tx: Tx, userId: string): Promise<void> }

export type SecondFactorDeps = PlatformDeps &
  SessionEnding & {
    /** Returns until when the step-up is valid. */
    markSteppedUp(tx: Tx, sessionId: string): Promise<Date>
  }

export async function describeSecondFactor(
  { db }: Pick<PlatformDeps, 'db'>,
  { userId }: Identity,
): Promise<AnswerOf<typeof getSecondFactor>> {
  const isOn = await hasSecondFactor(db, userId)
  return { is_on: isOn, recovery_codes_left: isOn ? await countRecoveryCodes(db, userId) : 0 }
}

/** Makes a secret that counts for nothing until a code of it is confirmed; one made before is forgotten. */
export async function startSetup(
  { db, vault, limits }: PlatformDeps,
  { userId }: Identity,
): Promise<AnswerOf<typeof startSecondFactor>> {
  await limits.consume(SETUPS, userId)
  const secret = newSecret()
  const sealedSecret = await vault.seal(SECRET_PURPOSE, secret)
  if (!(await replaceSecret(db, { userId, sealedSecret }))) throw secondFactorIsOn()
  const [username, { siteName }] = [await findUsername(db, userId), await readSettings(db)]
  return { secret, uri: setupUri({ secret, site: siteName, username }) }
}

type Made = { identity: Identity; code: string; requestId: string }

/** Turns it on by a code of the new secret. The recovery codes are shown this once. */
export async function confirmSetup(
  deps: PlatformDeps,
  { identity, code, requestId }: Made,
): Promise<AnswerOf<typeof confirmSecondFactor>> {
  const { userId } = identity
  const factor = await findSecondFactor(deps.db, userId)
  if (factor === undefined) throw setupNotStarted()
  if (factor.isConfirmed) throw secondFactorIsOn()
  const proof = await matchCode(deps, factor, code)
  invariant(proof.kind === 'app', 'there are no recovery codes before the second factor is on')
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCodeOf(randomBytes(16)))
  const hashed = await Promise.all(
    codes.map(async (plain) => ({
      userId,
      codeHash: await recoveryHash(deps.vault, { userId, code: plain }),
    })),
  )
  await inTransaction(deps.db, async (tx) => {
    const { sealedSecret } = factor
    if (!(await markConfirmed(tx, { userId, sealedSecret, step: proof.step }))) throw setupNotStarted()
    await insertRecoveryCodes(tx, hashed)
    await addNotice(tx, userId, { event: 'second-factor-on', subject: requestId, data: {} })
    await mailPlayer(deps.vault, tx, userId, secondFactorOnMail)
    await appendOwnAct(tx, userId, { action: 'second-factor.enable', requestId })
  })
  return { recovery_codes: codes.map(shownRecoveryCode) }
}

/** Step-up of an operator's session, for acts that need more than the sign-in. */
export async function stepUp(
  deps: SecondFactorDeps,
  { identity: { userId, sessionId }, code, requestId }: Made,
): Promise<AnswerOf<typeof stepUpCall>> {
  const proof = await checkSecondFactor(deps, { userId, code })
  if (proof.kind === 'none') throw secondFactorIsOff()
  const until = await inTransaction(deps.db, async (tx) => {
    if (!(await acceptProof(tx, { userId, proof }))) throw wrongSecondFactor()
    const counted = await deps.markSteppedUp(tx, sessionId)
    await appendAudit(tx, {
      actor: { kind: 'operator', id: userId },
      action: 'second-factor.step-up',
      subject: { type: 'user', id: userId },
      requestId,
    })
    return counted
  })
  return { until: until.toISOString() }
}

/** Turns it off by one of its codes. Operators may not. */
export async function removeByCode(
  deps: SecondFactorDeps,
  { identity: { userId }, code, requestId }: Made,
): Promise<void> {
  if (await holdsRole(deps.db, userId)) throw operatorsKeepTheirs()
  const proof = await checkSecondFactor(deps, { userId, code })
  if (proof.kind === 'none') throw secondFactorIsOff()
  await inTransaction(deps.db, async (tx) => {
    if (!(await acceptProof(tx, { userId, proof }))) throw wrongSecondFactor()
    await removeIn(tx, deps, { userId, actor: { kind: 'user', id: userId }, requestId })
  })
}

/** For a player, or an operator, who has lost app and recovery codes and has proved otherwise who they are. */
export async function dropSecondFactor(
  deps: Pick<PlatformDeps, 'db' | 'vault'> & SessionEnding,
  userId: string,
): Promise<'removed' | 'was-off'> {
  return inTransaction(deps.db, async (tx) => {
    if (!(await hasSecondFactor(tx, userId))) return 'was-off'
    await removeIn(tx, deps, { userId, actor: { kind: 'system' } })
    return 'removed'
  })
}

async function removeIn(
  tx: Tx,
  deps: Pick<PlatformDeps, 'vault'> & SessionEnding,
  { userId, actor, requestId }: { userId: string; actor: AuditActor; requestId?: string },
): Promise<void> {
  if (!(await takeAwaySecondFactor(deps, tx, userId))) throw secondFactorIsOff()
  await appendAudit(tx, {
    actor,
    action: 'second-factor.remove',
    subject: { type: 'user', id: userId },
    requestId,
  })
}

/** In the transaction of whoever records it; ends console sessions and tells the owner. False when it is off already. */
export async function takeAwaySecondFactor(
  deps: Pick<PlatformDeps, 'vault'> & SessionEnding,
  tx: Tx,
  userId: string,
): Promise<boolean> {
  if (!(await deleteSecondFactor(tx, userId))) return false
  await deps.endConsoleSessionsOf(tx, userId)
  // It can be taken away once, whoever does it: nothing else names this event.
  await addNotice(tx, userId, { event: 'second-factor-off', subject: randomUUID(), data: {} })
  await mailPlayer(deps.vault, tx, userId, secondFactorOffMail)
  return true
}

/** The accounts that make the same codes, together: one app is behind them. */
export async function groupsOfOneSecret(
  vault: Pick<PlatformDeps['vault'], 'open'>,
  db: Db | Tx,
  ids: readonly string[],
): Promise<string[][]> {
  const confirmed = await selectConfirmed(db, ids)
  const secrets = await Promise.all(confirmed.map((one) => vault.open(SECRET_PURPOSE, one.sealedSecret)))
  const groups = Map.groupBy(confirmed, (one) => secrets[confirmed.indexOf(one)])
  return [...groups.values()].map((group) => group.map(({ userId }) => userId))
}

const IF_NOT_YOU =
  'Nếu không phải bạn, hãy đổi mật khẩu ngay và đăng xuất khỏi mọi thiết bị khác trong mục Hồ sơ.'

export const secondFactorOnMail = (to: Addressee): Mail => ({
  kind: 'second-factor-on',
  ...to,
  subject: 'Xác thực hai lớp đã được bật',
  paragraphs: [
    'Xác thực hai lớp vừa được bật cho tài khoản của bạn. Từ nay mỗi lần đăng nhập cần thêm mã 6 số trong ứng dụng xác thực.',
    'Hãy cất các mã khôi phục ở nơi an toàn: đó là cách duy nhất để đăng nhập khi bạn mất điện thoại.',
  ],
  closing: [IF_NOT_YOU],
})

export const secondFactorOffMail = (to: Addressee): Mail => ({
  kind: 'second-factor-off',
  ...to,
  subject: 'Xác thực hai lớp đã bị tắt',
  paragraphs: [
    'Xác thực hai lớp của tài khoản vừa bị tắt. Từ nay chỉ cần mật khẩu là đăng nhập được.',
    'Các mã khôi phục cũ không còn dùng được nữa.',
  ],
  closing: [IF_NOT_YOU],
})

export const personalSecondFactor: PersonalPart = {
  lists: { second_factor: exportSecondFactor },
  erase: eraseSecondFactor,
}
