import { getCredentialsOf, type Hashing } from '#server/modules/accounts/index.ts'
import type { Caller } from '#server/modules/sessions/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'

const WRONG = 'Mật khẩu hiện tại không chính xác'

const wrongCurrentPassword = () =>
  new Refusal('INVALID_CREDENTIALS', { message: WRONG, errors: { current_password: [WRONG] } })

/** Wrong current passwords of one player, whatever they are asked for: limits guessing with a stolen session. */
const WRONG_PASSWORDS = sharedLimit('change-password', 10, 300)

/**
 * Checks the password of a player who is signed in, before something that a stolen session alone must not be able to do.
 * `hashing` is what the line of passwords gives to whoever has the turn.
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
