import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { resetPasswordViaGame } from '#contract/accounts/passwords.ts'
import {
  assertNewPasswordFit,
  assertPasswordFit,
  findContactsByName,
  findCredentials,
  hasProvedContact,
  lockContacts,
  passwordHasher,
} from '#server/modules/accounts/index.ts'
import { type CodeTarget, spendCode, tryGameCode } from '#server/modules/otp/index.ts'
import { checkSecondFactor } from '#server/modules/second-factor/index.ts'
import type { Caller } from '#server/modules/sessions/index.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { PHONE_RESETS_PER_ADDRESS, RESETS_PER_ADDRESS } from './link-requests.service.ts'
import { answer, finish, type ResetRequest, type ResetsDeps } from './resets.service.ts'

/** The same for a wrong code, a name that does not exist and an account that has a phone or an address. */
const refused = () => new Refusal('OTP_INVALID')

/**
 * Sets a new password by the code that the game showed. Only for an account without a proved phone or address: whoever
 * can enter the game, by a stolen device for example, must not take one that its owner has made safe.
 */
export async function resetByGame(
  deps: ResetsDeps,
  { body, requestId }: ResetRequest<BodyOf<typeof resetPasswordViaGame>>,
  caller: Caller,
): Promise<AnswerOf<typeof resetPasswordViaGame>> {
  const { code, password } = body
  const named = body.username.toLowerCase()
  // Computed from the input only, so that it reveals nothing about accounts.
  assertPasswordFit({ username: body.username, password })
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, clientKey(caller.address))
  await consumeAll(deps.limits, PHONE_RESETS_PER_ADDRESS, `${clientKey(caller.address)} ${named}`)
  const guesser = { address: caller.address, isKnownDevice: false }
  const isCodeRight = await tryGameCode(deps, { account: named, code }, guesser)
  const account = await findContactsByName(deps.db, body.username)
  if (!isCodeRight || account === undefined || hasProvedContact(account)) {
    caller.log.warn(
      { event: 'password.game-reset-refused', userId: account?.userId ?? null, address: caller.address },
      'a reset by a code in the game was refused',
    )
    throw refused()
  }
  const { userId, username } = account
  const target: CodeTarget = { channel: 'game', account: username }
  await assertNewPasswordFit(deps.db, { userId, username, password })
  const proof = await checkSecondFactor(deps, { userId, code: body.otp })
  const before = await findCredentials(deps.db, username)
  // Read when the hash's turn has come: of many calls with one code, all but the first are over by then.
  const hash = await passwordHasher.inLine(caller.address, async (hashing) => {
    const now = await findCredentials(deps.db, username)
    if (now?.passwordHash !== before?.passwordHash) throw refused()
    return hashing.hash(password)
  })
  const done = await inTransaction(deps.db, async (tx) => {
    const { own } = await lockContacts(tx, { userId, phone: null })
    // Proved meanwhile.
    if (hasProvedContact(own)) throw refused()
    if (!(await spendCode(deps.vault, tx, { target, code }))) throw refused()
    const way = 'game' as const
    return finish(deps, tx, { userId, username, proof, hash, notifyTo: null, way, requestId, caller })
  })
  return answer(done, caller)
}
