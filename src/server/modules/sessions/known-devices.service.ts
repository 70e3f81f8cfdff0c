import { usernameKey } from '#server/modules/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { clientKey } from '#server/platform/http/client-address.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import type { Caller } from './caller.ts'
import {
  findKnownDevice,
  hasKnownCookie,
  isCookieOfPhone,
  trimKnownDevices,
  upsertKnownDevice,
  type DeviceHashes,
} from './sign-ins.queries.ts'
import { hashOf } from '#server/platform/values/crypto.ts'

export { forgetOldDevices } from './sign-ins.queries.ts'

async function hashesOf(vault: Vault, caller: Caller): Promise<DeviceHashes> {
  return {
    // Random itself; an address is not, and is kept under the installation's key.
    cookieHash: hashOf(caller.deviceToken),
    addressHash: await vault.hash('known address', clientKey(caller.address)),
  }
}

/** How the account of this name knows the caller; null for an unknown device or name. */
export async function recogniseDevice(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { username, caller }: { username: string; caller: Caller },
): Promise<'cookie' | 'address' | null> {
  const hashes = await hashesOf(vault, caller)
  // An impossible name is looked up too, as the empty one, so that it takes as long.
  const { isCookieKnown, isAddressKnown } = await findKnownDevice(db, {
    usernameKey: usernameKey(username) ?? '',
    ...hashes,
  })
  if (isCookieKnown) return 'cookie'
  return isAddressKnown ? 'address' : null
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
