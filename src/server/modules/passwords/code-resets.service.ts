import type { AnswerOf, BodyOf } from '#contract/endpoint.ts'
import type { resetPasswordViaGame, resetPasswordViaPhone } from '#contract/accounts/passwords.ts'
import {
  assertNewPasswordFit,
  assertPasswordFit,
  type Contacts,
  findContactsByName,
  findCredentials,
  hasProvedContact,
  lockContacts,
  passwordHasher,
  setPhoneProved,
} from '#server/modules/accounts/index.ts'
import { type CodeTarget, spendCode, tryGameCode, tryPhoneCode } from '#server/modules/otp/index.ts'
import { checkSecondFactor } from '#server/modules/second-factor/index.ts'
import { type Caller, isDeviceOfPhone } from '#server/modules/sessions/index.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { consumeAll } from '#server/platform/limits/limits.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { CODE_RESETS_PER_ADDRESS, RESETS_PER_ADDRESS } from './link-requests.service.ts'
import { answer, finish, type ResetRequest, type ResetsDeps } from './resets.service.ts'

/** The same for a wrong code, a name that does not exist and an account that the code does not open. */
const refused = () => new Refusal('OTP_INVALID')

/** How a code proves that an account is the caller's. */
type CodeProof = {
  way: 'phone' | 'game'
  /** What the code was sent to. */
  target: CodeTarget
  /** Under which tries from one address are counted. */
  triesKey: string
  isRight(): Promise<boolean>
  /** Whether a right code opens this account. Asked again once the account is locked. */
  opens(account: Contacts): boolean
  /** What the code has proved besides. */
  prove?(tx: Tx, account: Contacts): Promise<void>
}

/** Sets a new password by a verified code of the account's phone, which is proved by that. */
export async function resetByPhone(
  deps: ResetsDeps,
  request: ResetRequest<BodyOf<typeof resetPasswordViaPhone>>,
  caller: Caller,
): Promise<AnswerOf<typeof resetPasswordViaPhone>> {
  const { phone, code } = request.body
  const proof: CodeProof = {
    way: 'phone',
    target: { channel: 'phone', phone },
    triesKey: phone,
    async isRight() {
      const isKnownDevice = await isDeviceOfPhone(deps.db, phone, caller)
      return tryPhoneCode(deps, { phone, code, use: 'act' }, { address: caller.address, isKnownDevice })
    },
    opens: (account) => account.phone === phone,
    async prove(tx, { userId, isPhoneVerified }) {
      if (!isPhoneVerified) await setPhoneProved(tx, { userId, phone })
    },
  }
  return resetByCode(deps, proof, request, caller)
}

/**
 * Sets a new password by the code that the game showed. Only for an account without a proved phone or address: whoever
 * can enter the game, by a stolen device for example, must not take one that its owner has made safe.
 */
export async function resetByGame(
  deps: ResetsDeps,
  request: ResetRequest<BodyOf<typeof resetPasswordViaGame>>,
  caller: Caller,
): Promise<AnswerOf<typeof resetPasswordViaGame>> {
  const { username, code } = request.body
  const account = username.toLowerCase()
  const proof: CodeProof = {
    way: 'game',
    target: { channel: 'game', account },
    triesKey: account,
    isRight: () => tryGameCode(deps, { account, code }, { address: caller.address, isKnownDevice: false }),
    opens: (found) => !hasProvedContact(found),
  }
  return resetByCode(deps, proof, request, caller)
}

type CodeRequest = ResetRequest<{
  username: string
  code: string
  password: string
  otp?: string | null | undefined
}>

/**
 * A wrong code, a name that does not exist and an account that the code does not open are refused alike, after the same
 * statements and without a hash.
 */
async function resetByCode(
  deps: ResetsDeps,
  { way, target, triesKey, isRight, opens, prove }: CodeProof,
  { body: { code, password, ...body }, requestId }: CodeRequest,
  caller: Caller,
): Promise<{ access_token: string; message: string }> {
  const address = clientKey(caller.address)
  // Computed from the input only, so that it reveals nothing about accounts.
  assertPasswordFit({ username: body.username, password })
  await consumeAll(deps.limits, RESETS_PER_ADDRESS, address)
  await consumeAll(deps.limits, CODE_RESETS_PER_ADDRESS, `${address} ${triesKey}`)
  const isCodeRight = await isRight()
  const account = await findContactsByName(deps.db, body.username)
  if (!isCodeRight || account === undefined || !opens(account)) {
    caller.log.warn(
      { event: 'password.code-reset-refused', way, userId: account?.userId ?? null, address: caller.address },
      'a reset by a code was refused',
    )
    throw refused()
  }
  const { userId, username } = account
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
    if (!opens(own) || !(await spendCode(deps.vault, tx, { target, code }))) throw refused()
    await prove?.(tx, own)
    const notifyTo = own.isEmailVerified ? own.email : null
    return finish(deps, tx, { userId, username, proof, hash, notifyTo, way, requestId, caller })
  })
  return answer(done, caller)
}
