import { passwordHasher, usernameKey, type Hashing } from '#server/modules/accounts/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { refusalOf, type Limit } from '#server/platform/limits/limits.ts'
import type { Caller } from './caller.ts'
import { recogniseDevice } from './sign-ins.service.ts'
import {
  LOGINS_PER_ACCOUNT,
  LOGINS_PER_ACCOUNT_AND_ADDRESS,
  LOGINS_PER_ADDRESS,
  LOGINS_PER_KNOWN_DEVICE,
  tooManyLogins,
  UNKNOWN_NAMES_PER_ADDRESS,
  WRONG_LOGINS_OF_ALL,
  WRONG_LOGINS_OF_ONE_ADDRESS,
} from './sessions.errors.ts'

type ThrottleDeps = Pick<PlatformDeps, 'db' | 'vault' | 'limits'>
type Login = { username: string; caller: Caller }

/**
 * Lets a login happen when neither its account nor its address has had too many wrong ones. It is counted before it is
 * tried, so that no number at once slips through, and given back unless the password (or the second factor) was wrong.
 * A known device is counted separately: attempts elsewhere cannot lock a player out. All of it happens when the turn of
 * the address has come.
 */
export async function withinLoginLimits<Answer>(
  deps: ThrottleDeps,
  login: Login,
  work: (known: { isKnownDevice: boolean; hashing: Hashing }) => Promise<Answer>,
): Promise<Answer> {
  return passwordHasher.inLine(login.caller.address, (hashing) =>
    tryLogin(deps, login, (isKnownDevice) => work({ isKnownDevice, hashing })),
  )
}

async function tryLogin<Answer>(
  deps: ThrottleDeps,
  login: Login,
  work: (isKnownDevice: boolean) => Promise<Answer>,
): Promise<Answer> {
  const { knownBy, isName } = await recogniseDevice(deps, login)
  const counted = limitsFor(login, { knownBy, isName })
  await countLogin(deps, login, counted)
  const beyond = knownBy === null ? await beyondUnknownNames(deps, login, isName) : null
  try {
    const answer = await work(knownBy !== null)
    await giveBack(deps, counted)
    return answer
  } catch (error) {
    if (isWrongGuess(error)) await raiseAlarms(deps, login)
    else await giveBack(deps, counted)
    if (beyond !== null && isWrongPassword(error)) throw throttled(login, UNKNOWN_NAMES_PER_ADDRESS, beyond)
    throw error
  }
}

type Counter = { limit: Limit; key: string; isOnlyChecked?: boolean }

/**
 * In the order of checking: attempts refused by the first do not count in the shared ones. The address's budget for players
 * is used up by names of players alone, and closes the address to all names: which of them exist is not revealed.
 */
function limitsFor(
  { username, caller }: Login,
  { knownBy, isName }: { knownBy: 'cookie' | 'address' | null; isName: boolean },
): Counter[] {
  const account = usernameKey(username) ?? username
  const address = clientKey(caller.address)
  if (knownBy !== null) {
    const device = knownBy === 'cookie' ? caller.deviceToken : address
    return [{ limit: LOGINS_PER_KNOWN_DEVICE, key: `${knownBy} ${device} ${account}` }]
  }
  return [
    { limit: LOGINS_PER_ACCOUNT_AND_ADDRESS, key: `${address} ${account}` },
    { limit: LOGINS_PER_ADDRESS, key: address, isOnlyChecked: !isName },
    { limit: LOGINS_PER_ACCOUNT, key: account },
  ]
}

/** The refusal of wrong passwords when too many names that nobody has were tried here. The password is checked all the same. */
function beyondUnknownNames(
  { limits }: ThrottleDeps,
  { caller }: Login,
  isName: boolean,
): Promise<Refusal | null> {
  const address = clientKey(caller.address)
  return refusalOf(
    isName
      ? limits.check(UNKNOWN_NAMES_PER_ADDRESS, address)
      : limits.consume(UNKNOWN_NAMES_PER_ADDRESS, address),
  )
}

async function countLogin({ limits }: ThrottleDeps, login: Login, counters: Counter[]): Promise<void> {
  for (const { limit, key, isOnlyChecked = false } of counters) {
    const refusal = await refusalOf(isOnlyChecked ? limits.check(limit, key) : limits.consume(limit, key))
    if (refusal !== null) throw throttled(login, limit, refusal)
  }
}

function throttled({ caller }: Login, limit: Limit, { retryAfterSeconds }: Refusal): Refusal {
  caller.log.warn(
    { event: 'login.throttled', limit: limit.name, address: caller.address },
    'a login came too soon after too many wrong ones',
  )
  return tooManyLogins(retryAfterSeconds)
}

async function giveBack({ limits }: ThrottleDeps, counters: Counter[]): Promise<void> {
  for (const { limit, key, isOnlyChecked = false } of counters)
    if (!isOnlyChecked) await limits.giveBack(limit, key)
}

const isWrongPassword = (error: unknown) => error instanceof Refusal && error.code === 'INVALID_CREDENTIALS'

function isWrongGuess(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'INVALID_CREDENTIALS' || error.code === 'OTP_INVALID')
}

/** Logs an alarm when many passwords are tried: from one address, and in total. */
async function raiseAlarms({ limits }: ThrottleDeps, { caller }: Login): Promise<void> {
  const { address, log } = caller
  const fromHere = await limits.tally(WRONG_LOGINS_OF_ONE_ADDRESS, clientKey(address))
  if (fromHere % WRONG_LOGINS_OF_ONE_ADDRESS.points === 0) {
    log.warn({ event: 'login.alarm', pattern: 'one-address', count: fromHere, address }, 'many wrong logins')
  }
  const fromAll = await limits.tally(WRONG_LOGINS_OF_ALL, 'all')
  if (fromAll % WRONG_LOGINS_OF_ALL.points === 0) {
    log.warn({ event: 'login.alarm', pattern: 'everywhere', count: fromAll }, 'many wrong logins')
  }
}
