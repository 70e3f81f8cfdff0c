import { randomInt } from 'node:crypto'
import { OTP_LENGTH } from '#contract/constants.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { clientKey, networkOf } from '#server/platform/http/client-address.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import type { Log } from '#server/platform/log/log.ts'
import { count } from '#server/domain/metrics.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import {
  type CodeTarget,
  type CodeUse,
  DAY_TRIES_MAX,
  isLiving,
  STRANGER_DAY_TRIES_MAX,
} from './codes.rules.ts'
import {
  type CodeKey,
  eraseCodesOf,
  lockCode,
  markSpent,
  replaceCode,
  targetHash,
  updateTry,
  countVerified,
} from './otp.queries.ts'
import { maskMsisdn } from './sms.rules.ts'

export const personalCodes: PersonalPart = { lists: {}, erase: eraseCodesOf }

/** Tries per client address. Wide, since carriers put thousands of players behind one; a phone has its own count. */
const TRIES_PER_ADDRESS = sharedLimit('otp address', 300, 3_600)

/** Wrong tries at living codes of one phone, by clients that the phone's account does not know: one short of killing a code. */
const WRONG_TRIES_PER_ADDRESS_AND_PHONE = sharedLimit('otp address phone', 4, 86_400)
/** Of the 15 a day for unknown devices. */
const WRONG_TRIES_PER_NETWORK_AND_PHONE = sharedLimit('otp network phone', 6, 86_400)

async function keyOf(vault: Vault, target: CodeTarget): Promise<CodeKey> {
  return { channel: target.channel, target: await targetHash(vault, target) }
}

/** Bound to its target, so that equal codes of two targets have different hashes. */
const hashOf = (vault: Vault, key: CodeKey, code: string) =>
  vault.hash('one-time code', `${key.channel}:${key.target.toString('hex')}:${code}`)

/** Every code from 000000 to 999999 is equally likely. */
export const newCode = (): string => String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')

/** Makes a target's new code and voids the one before. The code itself is not stored. */
export async function makeCode(vault: Vault, db: Db | Tx, target: CodeTarget): Promise<string> {
  const key = await keyOf(vault, target)
  const code = newCode()
  await replaceCode(db, { ...key, codeHash: await hashOf(vault, key, code) })
  return code
}

/**
 * Whether an act may go on with this code; a wrong one counts as a try. Called before the act's transaction, since a
 * refusal inside it would undo the count. `spendCode` inside it decides. For codes of the player's own
 * contacts: where anybody may name the phone, use `tryPhoneCode`.
 */
export async function checkCode(
  vault: Vault,
  db: Db,
  { target, code }: { target: CodeTarget; code: string },
): Promise<boolean> {
  return (await tryCode(vault, db, { target, code, use: 'act', dayTriesMax: DAY_TRIES_MAX })) === 'right'
}

type Try = { target: CodeTarget; code: string; use: CodeUse; dayTriesMax: number }

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
    const stored = await lockCode(tx, key)
    if (stored === undefined || !isLiving(stored, use, dayTriesMax)) return 'dead'
    const isRight = stored.codeHash.equals(codeHash)
    await updateTry(tx, key, {
      triesToday: stored.triesToday + 1,
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

type CodeDeps = Pick<PlatformDeps, 'db' | 'vault' | 'limits'>

/** Who tries a code of a phone. The device is known when the account that proved the phone signed in on it. */
type Guesser = { address: string; isKnownDevice: boolean }

/** The same for somebody who only names an account, to whose player the game has shown the code. */
export const tryGameCode = (
  deps: CodeDeps,
  { account, code }: { account: string; code: string },
  guesser: Guesser,
): Promise<boolean> =>
  tryStrangersCode(
    deps,
    { target: { channel: 'game', account }, named: account.toLowerCase(), code, use: 'act' },
    guesser,
  )

/**
 * Tries a phone's code for somebody who only names the phone. Wrong tries of one address and of one network are few,
 * less than would use up the phone's day or, from one address, kill a code; beyond them 429, and the code is not checked.
 * They are counted first, so that no number at once slips through, and given back unless a living code was missed.
 */
export const tryPhoneCode = (
  deps: CodeDeps,
  { phone, code, use }: { phone: string; code: string; use: CodeUse },
  guesser: Guesser,
): Promise<boolean> =>
  tryStrangersCode(deps, { target: { channel: 'phone', phone }, named: phone, code, use }, guesser)

/** `named`: what the guesser typed, by which wrong tries are counted. */
type StrangersTry = Omit<Try, 'dayTriesMax'> & { named: string }

async function tryStrangersCode(
  { db, vault, limits }: CodeDeps,
  { named, ...guess }: StrangersTry,
  { address, isKnownDevice }: Guesser,
): Promise<boolean> {
  if (isKnownDevice) {
    return (await tryCode(vault, db, { ...guess, dayTriesMax: DAY_TRIES_MAX })) === 'right'
  }
  const counted = [
    { limit: WRONG_TRIES_PER_ADDRESS_AND_PHONE, key: `${clientKey(address)} ${named}` },
    { limit: WRONG_TRIES_PER_NETWORK_AND_PHONE, key: `${networkOf(address)} ${named}` },
  ]
  for (const { limit, key } of counted) await limits.consume(limit, key)
  let isMissed = false
  try {
    const outcome = await tryCode(vault, db, { ...guess, dayTriesMax: STRANGER_DAY_TRIES_MAX })
    isMissed = outcome === 'wrong'
    return outcome === 'right'
  } finally {
    if (!isMissed) for (const { limit, key } of counted) await limits.giveBack(limit, key)
  }
}

type VerifyRequest = Guesser & {
  /** Canonical. */
  phone: string
  code: string
  log: Log
}

/** Yes, or OTP_INVALID for every no there is: which one it was helps only those who guess. */
export async function verifyCode(deps: CodeDeps, request: VerifyRequest): Promise<{ verified: true }> {
  const { phone, code, address, log } = request
  await deps.limits.consume(TRIES_PER_ADDRESS, clientKey(address))
  const isVerified = await tryPhoneCode(deps, { phone, code, use: 'verify' }, request)
  count('portal_codes_total', { outcome: isVerified ? 'verified' : 'refused' })
  log.info(
    { event: isVerified ? 'otp.verified' : 'otp.refused', msisdn: maskMsisdn(phone), address },
    'a code was tried',
  )
  if (!isVerified) throw new Refusal('OTP_INVALID')
  await countVerified(deps.db).catch((error: unknown) => {
    // It is verified all the same: a missing figure is no reason to refuse the player.
    log.warn({ err: error }, 'a verified code was not counted')
  })
  return { verified: true }
}
