import { randomInt } from 'node:crypto'
import { OTP_LENGTH } from '#contract/constants.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/vault/vault.ts'
import { lockCode, markSpent, replaceCode, updateTry, type CodeKey } from './codes.queries.ts'
import { DAY_TRIES_MAX, isLiving, type CodeUse } from './codes.rules.ts'

export { removeOldCodes } from './codes.queries.ts'

/**
 * Whom a code belongs to: a phone, in its canonical form, anyone who's it is; or an address as a given player's, so that
 * a code mailed for one account serves no other.
 */
export type CodeTarget =
  | { channel: 'phone'; phone: string }
  | { channel: 'email'; userId: string; email: string }

/** By which the table knows a target. */
export function targetHash(vault: Vault, target: CodeTarget): Promise<Buffer> {
  const text = target.channel === 'phone' ? target.phone : `${target.userId}:${target.email.toLowerCase()}`
  return vault.hash(`code target ${target.channel}`, text)
}

async function keyOf(vault: Vault, target: CodeTarget): Promise<CodeKey> {
  return { channel: target.channel, target: await targetHash(vault, target) }
}

/** Bound to its target, so that equal codes of two targets have different hashes. */
const hashOf = (vault: Vault, key: CodeKey, code: string) =>
  vault.hash('one-time code', `${key.channel}:${key.target.toString('hex')}:${code}`)

/** Every code from 000000 to 999999 is equally likely. */
export const drawCode = (): string => String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')

/** Makes a target's new code and voids the one before. The code itself is kept nowhere. */
export async function makeCode(vault: Vault, db: Db | Tx, target: CodeTarget): Promise<string> {
  const key = await keyOf(vault, target)
  const code = drawCode()
  await replaceCode(db, { ...key, codeHash: await hashOf(vault, key, code) })
  return code
}

/**
 * Whether an act may go on with this code; a wrong one counts as a try. Asked before the act's transaction, since a
 * refusal inside it would take the count back. `spendCode` inside it decides. For codes of the player's own
 * contacts: where anybody may name the phone, `tryPhoneCode` asks.
 */
export async function checkCode(
  vault: Vault,
  db: Db,
  { target, code }: { target: CodeTarget; code: string },
): Promise<boolean> {
  return (await tryCode(vault, db, { target, code, use: 'act', dayTriesMax: DAY_TRIES_MAX })) === 'right'
}

export type Try = { target: CodeTarget; code: string; use: CodeUse; dayTriesMax: number }

/**
 * Tries a code: of many at once one verifies it. The fifth wrong try kills a code. A try counts for the day only at a
 * living code: at a dead one there is nothing to guess, and counting it would let anybody use up the day of a phone.
 */
export async function tryCode(
  vault: Vault,
  db: Db,
  { target, code, use, dayTriesMax }: Try,
): Promise<'right' | 'wrong' | 'dead'> {
  const key = await keyOf(vault, target)
  const codeHash = await hashOf(vault, key, code)
  return inTransaction(db, async (tx) => {
    const kept = await lockCode(tx, key)
    if (kept === undefined || !isLiving(kept, use, dayTriesMax)) return 'dead'
    const isRight = kept.codeHash.equals(codeHash)
    await updateTry(tx, key, {
      triesToday: kept.triesToday + 1,
      isWrong: !isRight,
      verifies: use === 'verify' && isRight,
    })
    return isRight ? 'right' : 'wrong'
  })
}

/**
 * Spends a code for one act, in the act's own transaction, within 10 minutes of its making; false when there is none
 * to spend. A phone's must have been verified. `code: null` spends whatever verified code the phone has.
 */
export async function spendCode(
  vault: Vault,
  tx: Tx,
  { target, code }: { target: CodeTarget; code: string | null },
): Promise<boolean> {
  const key = await keyOf(vault, target)
  return markSpent(tx, { ...key, codeHash: code === null ? null : await hashOf(vault, key, code) })
}
