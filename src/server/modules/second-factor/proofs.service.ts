import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { conflict, Refusal } from '#server/platform/values/errors.ts'
import { type Limit, sharedLimit } from '#server/platform/limits/limits.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import {
  findSecondFactor,
  findRecoveryCode,
  type SecondFactor,
  takeRecoveryCode,
  takeStep,
} from './second-factor.queries.ts'
import { matchingStep, readCode } from './second-factor.rules.ts'

/**
 * Wrong codes of one account. A right one is given back. Anyone who uses these up knows the password already: its owner
 * stops them by setting another, which needs no code while they are signed in.
 */
const WRONG_CODES: readonly Limit[] = [
  sharedLimit('second-factor', 5, 300),
  sharedLimit('second-factor-day', 20, 86_400),
]

export const SETUPS = sharedLimit('second-factor-setup', 20, 3_600)

export const SECRET_PURPOSE = 'second factor'

/** A correct code that has not been used yet; `none` for an account without a second factor. */
export type SecondFactorProof =
  | { kind: 'none' }
  | { kind: 'app'; step: number }
  | { kind: 'recovery'; codeHash: Buffer }

type ProofDeps = Pick<PlatformDeps, 'db' | 'vault' | 'limits' | 'clock'>

/** Whether an account has a second factor that counts. */
export async function hasSecondFactor(db: Db | Tx, userId: string): Promise<boolean> {
  return (await findSecondFactor(db, userId))?.isConfirmed === true
}

export const recoveryHash = (vault: Vault, { userId, code }: { userId: string; code: string }) =>
  vault.hash('recovery code', `${userId}:${code}`)

/**
 * Checks a code against an account's second factor, before the act's transaction, since a refusal inside it would undo
 * the count of wrong codes. Throws SECOND_FACTOR_REQUIRED when one is needed and none was typed, OTP_INVALID when
 * it is wrong. `acceptProof` uses the proof inside the transaction.
 */
export async function checkSecondFactor(
  deps: ProofDeps,
  { userId, code }: { userId: string; code: string | null | undefined },
): Promise<SecondFactorProof> {
  const factor = await findSecondFactor(deps.db, userId)
  if (!factor?.isConfirmed) return { kind: 'none' }
  if (!code?.trim()) throw secondFactorRequired()
  return matchCode(deps, factor, code)
}

/** The proof in a code, or OTP_INVALID, or RATE_LIMITED after too many wrong ones. */
export async function matchCode(
  deps: ProofDeps,
  factor: SecondFactor,
  typed: string,
): Promise<SecondFactorProof> {
  // Counted before it is checked, so that simultaneous attempts cannot exceed the limit.
  for (const limit of WRONG_CODES) await deps.limits.consume(limit, factor.userId)
  const proof = await proofIn(deps, factor, typed)
  if (proof === null) throw wrongSecondFactor()
  for (const limit of WRONG_CODES) await deps.limits.giveBack(limit, factor.userId)
  return proof
}

async function proofIn(
  { db, vault, clock }: ProofDeps,
  factor: SecondFactor,
  typed: string,
): Promise<SecondFactorProof | null> {
  const read = readCode(typed)
  if (read === null) return null
  const { userId, lastStep } = factor
  if (read.kind === 'recovery') {
    const codeHashes = await Promise.all(read.codes.map((code) => recoveryHash(vault, { userId, code })))
    const codeHash = await findRecoveryCode(db, { userId, codeHashes })
    return codeHash === undefined ? null : { kind: 'recovery', codeHash }
  }
  const secret = await vault.open(SECRET_PURPOSE, factor.sealedSecret)
  const step = matchingStep({ secret, lastStep }, { code: read.code, now: clock.now() })
  return step === null ? null : { kind: 'app', step }
}

/**
 * Takes a proof for good, in the transaction of what it is for. False when it was taken meanwhile, or when `none` is
 * no longer enough.
 */
export async function acceptProof(
  tx: Tx,
  { userId, proof }: { userId: string; proof: SecondFactorProof },
): Promise<boolean> {
  if (proof.kind === 'app') return takeStep(tx, { userId, step: proof.step })
  if (proof.kind === 'recovery') return takeRecoveryCode(tx, { userId, codeHash: proof.codeHash })
  return !(await hasSecondFactor(tx, userId))
}

/** Only after the correct password, a mailed token or a phone's code. */
export const secondFactorRequired = () => new Refusal('SECOND_FACTOR_REQUIRED')

export const wrongSecondFactor = () =>
  new Refusal('OTP_INVALID', { message: 'Mã xác thực hai lớp không đúng hoặc đã được dùng' })

export const secondFactorIsOn = () => conflict('Xác thực hai lớp đã được bật cho tài khoản này')

export const secondFactorIsOff = () => conflict('Xác thực hai lớp chưa được bật cho tài khoản này')

export const setupNotStarted = () => conflict('Thiết lập đã hết hiệu lực, vui lòng quét mã QR mới')

export const operatorsKeepTheirs = () =>
  conflict('Người vận hành phải luôn bật xác thực hai lớp. Bạn có thể tắt khi không còn giữ vai trò nào')
