import type { listSignIns as listSignInsCall } from '#contract/accounts/auth.ts'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { formatMoment } from '#contract/format.ts'
import { mailPlayer, usernameKey } from '#server/modules/accounts/index.ts'
import type { Addressee, Mail } from '#server/modules/mail/index.ts'
import { addNotice } from '#server/modules/notices/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Identity } from '#server/platform/http/api.ts'
import { networkOf, clientKey } from '#server/platform/http/client-address.ts'
import { pageOf } from '#server/platform/http/list.ts'
import { hashOf } from '#server/platform/values/crypto.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Caller } from './caller.ts'
import { placeOf } from './places.ts'
import { describeDevice, describePlace, storedUserAgent, type SignInOutcome } from './sessions.rules.ts'
import {
  countSignIns,
  findPastSignIns,
  insertFailedSignIn,
  insertSignIn,
  type Origin,
  selectSignIns,
  type SignInRow,
  findKnownDevice,
  hasKnownCookie,
  isCookieOfPhone,
  trimKnownDevices,
  upsertKnownDevice,
  type DeviceHashes,
} from './sign-ins.queries.ts'

/** The address itself is not stored, only its country and a keyed hash to recognise it by. */
export async function originOf(vault: Vault, userId: string, caller: Caller): Promise<Origin> {
  const userAgent = storedUserAgent(caller.userAgent)
  const known = [userId, describeDevice(userAgent), networkOf(caller.address)].join('|')
  return {
    userId,
    userAgent,
    place: await placeOf(caller.address),
    originHash: await vault.hash('sign-in origin', known),
  }
}

/**
 * New is what the account knows neither by its cookie, wherever it may be now, nor as this kind of browser in this
 * network. A player's first sign-in is from no new device: there is none it could differ from.
 */
async function isFromNewDevice(tx: Tx, origin: SignIn): Promise<boolean> {
  const { hasAny, hasThisOrigin } = await findPastSignIns(tx, origin)
  return hasAny && !hasThisOrigin && !origin.isKnownCookie
}

type SignIn = Origin & { sessionId: string; isKnownCookie: boolean }

/** Stores a sign-in with its session, and tells its owner when the device is new. */
export async function noteSignIn(
  { vault, clock }: Pick<PlatformDeps, 'vault' | 'clock'>,
  tx: Tx,
  origin: SignIn,
): Promise<void> {
  const isNewDevice = await isFromNewDevice(tx, origin)
  await insertSignIn(tx, { ...origin, isNewDevice })
  if (!isNewDevice) return
  await addNotice(tx, origin.userId, {
    event: 'new-device',
    subject: origin.sessionId,
    data: { device: describeDevice(origin.userAgent), place: describePlace(origin.place) },
  })
  await mailPlayer(vault, tx, origin.userId, (to) => newDeviceMail(to, { ...origin, at: clock.now() }))
}

type Failure = { userId: string; outcome: Exclude<SignInOutcome, 'succeeded'> }

/**
 * Stores a sign-in that failed. The answer does not wait for it, since a name that does not exist has nothing to
 * write, and its faster answer would reveal that.
 */
export function noteFailedSignIn(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { userId, outcome }: Failure,
  caller: Caller,
): void {
  const write = async () => {
    const origin = await originOf(vault, userId, caller)
    await insertFailedSignIn(db, { ...origin, outcome })
  }
  write().catch((error: unknown) =>
    caller.log.error(
      { err: error, event: 'sign-in.not-noted', userId },
      'a failed sign-in was not written down',
    ),
  )
}

export async function listSignIns(
  { db }: Pick<PlatformDeps, 'db'>,
  { userId }: Identity,
  query: QueryOf<typeof listSignInsCall>,
): Promise<AnswerOf<typeof listSignInsCall>> {
  const { limit, offset, of } = pageOf(query)
  const total = await countSignIns(db, userId)
  const rows = await selectSignIns(db, { userId, limit, offset })
  return of(total, rows.map(toSignIn))
}

export const toSignIn = ({ id, at, outcome, userAgent, place, isNewDevice }: SignInRow) => ({
  id,
  at: at.toISOString(),
  device: describeDevice(userAgent),
  place: describePlace(place),
  outcome,
  is_new_device: isNewDevice,
})

type NewSignIn = { at: Date; userAgent: string; place: string }

const newDeviceMail = (to: Addressee, { at, userAgent, place }: NewSignIn): Mail => ({
  kind: 'new-device',
  ...to,
  subject: 'Tài khoản của bạn vừa đăng nhập trên thiết bị mới',
  paragraphs: [
    'Tài khoản của bạn vừa đăng nhập trên một thiết bị hoặc mạng chưa từng dùng trước đây.',
    `Lúc: ${formatMoment(at.toISOString())} (giờ Việt Nam)`,
    `Thiết bị: ${describeDevice(userAgent)}`,
    `Nơi: ${describePlace(place)}`,
  ],
  closing: [
    'Nếu là bạn thì không cần làm gì thêm.',
    'Nếu không phải bạn, hãy đổi mật khẩu ngay trong mục Hồ sơ: mọi thiết bị khác sẽ bị đăng xuất. Không vào được tài khoản nữa? Hãy dùng mục Quên mật khẩu.',
  ],
})

async function hashesOf(vault: Vault, caller: Caller): Promise<DeviceHashes> {
  return {
    // The token is random; an address is not, so its hash takes the installation's key.
    cookieHash: hashOf(caller.deviceToken),
    addressHash: await vault.hash('known address', clientKey(caller.address)),
  }
}

/** Whether there is an account of this name, and how it knows the caller; null for an unknown device or name. */
export async function recogniseDevice(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { username, caller }: { username: string; caller: Caller },
): Promise<{ isName: boolean; knownBy: 'cookie' | 'address' | null }> {
  const hashes = await hashesOf(vault, caller)
  // An impossible name is searched too, as the empty one, so that it takes as long.
  const { isName, isCookieKnown, isAddressKnown } = await findKnownDevice(db, {
    usernameKey: usernameKey(username) ?? '',
    ...hashes,
  })
  if (isCookieKnown) return { isName, knownBy: 'cookie' }
  return { isName, knownBy: isAddressKnown ? 'address' : null }
}

/** Whether an account has signed in on this very device before, wherever it was then. */
export async function isKnownCookie(
  tx: Tx,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<boolean> {
  return hasKnownCookie(tx, { userId, cookieHash: hashOf(caller.deviceToken) })
}

/** Whether the account that proved a phone signed in on this very device before; not by its address, which others share. */
export async function isDeviceOfPhone(db: Db, phone: string, { deviceToken }: Caller): Promise<boolean> {
  return isCookieOfPhone(db, { phone, cookieHash: hashOf(deviceToken) })
}

/** The player proved who they are from here; the next time, their account knows this device and this address. */
export async function rememberDevice(
  db: Db | Tx,
  vault: Vault,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<void> {
  const hashes = await hashesOf(vault, caller)
  if ((await upsertKnownDevice(db, { userId, ...hashes })) > 0) await trimKnownDevices(db, userId)
}

/** The same for a player whose password the game asked about: the device is not known, only where it is. */
export async function rememberAddress(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { userId, caller }: { userId: string; caller: Caller },
): Promise<void> {
  const { addressHash } = await hashesOf(vault, caller)
  const changed = await upsertKnownDevice(db, { userId, cookieHash: null, addressHash })
  if (changed > 0) await trimKnownDevices(db, userId)
}
