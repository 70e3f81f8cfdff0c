import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { changePassword } from '#contract/accounts/passwords.ts'
import {
  assertNewPasswordFit,
  getCredentialsOf,
  mailPlayer,
  passwordHasher,
  setPasswordHash,
  type Hashing,
} from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import { endSessionsOf, type Caller } from '#server/modules/sessions/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { passwordChangedMail } from './passwords.mails.ts'

/** Times the current password is checked again because the stored hash was replaced while it was being checked. */
const TRIES_MAX = 3

type Change = { identity: Identity; body: BodyOf<typeof changePassword>; requestId: string }

/** Sets a new password by the current one. Every other session ends with it; this one stays. */
export async function changeOwnPassword(
  deps: PlatformDeps,
  change: Change,
  caller: Caller,
): Promise<AnswerOf<typeof changePassword>> {
  const { identity, body } = change
  const { userId, sessionId } = identity
  const { username } = await getCredentialsOf(deps.db, userId)
  await assertNewPasswordFit(deps.db, { userId, username, password: body.password })
  for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
    const hashes = await passwordHasher.inLine(caller.address, async (hashing) => ({
      from: await checkCurrentPassword(
        deps,
        { identity, password: body.current_password },
        { ...caller, hashing },
      ),
      to: await hashing.hash(body.password),
    }))
    const ended = await replaceIn(deps, change, hashes)
    if (ended === null) continue
    caller.log.info(
      { event: 'password.changed', userId, sessionId, ended, address: caller.address },
      'a player changed their password',
    )
    return { message: 'Đổi mật khẩu thành công. Các thiết bị khác đã được đăng xuất.', report: true }
  }
  throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 1 })
}

/** How many sessions ended; null when the password was no longer the one that was checked. */
async function replaceIn(
  { db, vault }: PlatformDeps,
  { identity: { userId, sessionId }, requestId }: Change,
  hashes: { from: string; to: string },
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    // The account's row first: a login by the old password waits for it, or has opened a session that ends here.
    if (!(await setPasswordHash(tx, { userId, ...hashes }))) return null
    const ended = await endSessionsOf(tx, { userId, except: sessionId })
    await addNotice(tx, userId, { event: 'password-changed', subject: requestId, data: {} })
    await mailPlayer(vault, tx, userId, passwordChangedMail)
    await appendOwnAct(tx, userId, { action: 'users.change-password', requestId })
    return ended
  })
}

const WRONG = 'Mật khẩu hiện tại không chính xác'

const wrongCurrentPassword = () =>
  new Refusal('INVALID_CREDENTIALS', { message: WRONG, errors: { current_password: [WRONG] } })

/** Wrong current passwords of one player, for whatever act: limits guessing with a stolen session. */
const WRONG_PASSWORDS = sharedLimit('change-password', 10, 300)

/**
 * Checks the password of a player who is signed in, before something that a stolen session alone must not be able to do.
 * `hashing` is that of `passwordHasher.inLine`.
 * Answers the stored hash it was found right for. Throws INVALID_CREDENTIALS, and RATE_LIMITED after too many wrong ones.
 */
export async function checkCurrentPassword(
  { db, limits }: Pick<PlatformDeps, 'db' | 'limits'>,
  { identity: { userId, sessionId }, password }: { identity: Identity; password: string },
  { hashing, ...caller }: Caller & { hashing: Hashing },
): Promise<string> {
  // Counted before it is checked, so that simultaneous attempts cannot exceed the limit.
  await limits.consume(WRONG_PASSWORDS, userId)
  const { passwordHash } = await getCredentialsOf(db, userId)
  const { isRight } = await hashing.check(passwordHash, password)
  if (!isRight) {
    caller.log.warn(
      { event: 'password.check-refused', userId, sessionId, address: caller.address },
      'a player gave a wrong current password',
    )
    throw wrongCurrentPassword()
  }
  await limits.giveBack(WRONG_PASSWORDS, userId)
  return passwordHash
}
