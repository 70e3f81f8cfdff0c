import { readSettings } from '#server/modules/settings/index.ts'
import { openAccount } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'
import { phoneTaken, staffName, unknownServer, usernameTaken } from './accounts.errors.ts'
import { isErasedName } from './personal.queries.ts'
import { drawUserId, findReferrerId, findTaken, insertContacts, insertUser } from './accounts.queries.ts'
import { isStaffName, usernameKey } from './usernames.rules.ts'

export type NewAccount = {
  username: string
  /** Canonical. */
  phone: string
  passwordHash: string
  serverId: string
  email?: string | null
  /** A username or user id, as the link of the player who invited says it. */
  referral?: string | null
}

export type Account = { id: string; username: string; serverId: string; walletId: string }

/** Refuses what cannot succeed before a password is hashed for it. The unique indexes still decide at the insert. */
export async function assertFree(
  { db, vault }: { db: Db; vault: Vault },
  wanted: { username: string; phone: string },
): Promise<void> {
  if (isStaffName(wanted.username, (await readSettings(db)).siteName)) throw staffName()
  const taken = await findTaken(db, {
    usernameKey: wanted.username.toLowerCase(),
    phone: wanted.phone,
  })
  if (taken.isUsernameTaken) throw usernameTaken()
  await assertNeverErased({ db, vault }, wanted.username)
  if (taken.isPhoneTaken) throw phoneTaken()
}

/** Who registered the name of an erased account again would have its characters in the game. */
export async function assertNeverErased(deps: { db: Db; vault: Vault }, username: string): Promise<void> {
  if (await isErasedName(deps, username)) throw usernameTaken()
}

/** Makes a player with an empty wallet. Throws USERNAME_TAKEN, PHONE_TAKEN, or a field refusal for an unknown server. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<Account> {
  const { username, serverId } = account
  // The database refuses such a text with an error of its own kind; to the player it is one more unknown server.
  if (!/^[0-9A-Za-z_-]{1,16}$/.test(serverId)) throw unknownServer()
  const referrerId = await findReferrer(tx, account.referral ?? null)
  const id = await drawUserId(tx)
  const walletId = await openAccount(tx, 'user_wallet', id)
  try {
    await insertUser(tx, {
      id,
      username,
      password_hash: account.passwordHash,
      server_id: serverId,
      referrer_id: referrerId,
      wallet_account_id: walletId,
    })
    await insertContacts(tx, { user_id: id, phone: account.phone, email: account.email || null })
  } catch (error) {
    throw takenRefusal(error) ?? error
  }
  return { id, username, serverId, walletId }
}

async function findReferrer(tx: Tx, referral: string | null): Promise<string | null> {
  if (referral === null) return null
  // A number may be a name as well as an id; the name, which its owner chose, comes first.
  return findReferrerId(tx, {
    usernameKey: usernameKey(referral),
    userId: /^[1-9]\d{0,17}$/.test(referral) ? referral : null,
  })
}

function takenRefusal(error: unknown): Error | null {
  const state = sqlState(error)
  if (state !== '23505' && state !== '23503') return null
  const { constraint } = error as { constraint?: string }
  if (constraint === 'users_username') return usernameTaken()
  if (constraint === 'user_contacts_phone') return phoneTaken()
  if (constraint === 'users_server_id_fkey') return unknownServer()
  return null
}
