import { queueMail, type Addressee, type Mail } from '#server/modules/mail/index.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/vault/vault.ts'
import { findVerifiedAddress } from './accounts.queries.ts'

/** Queues a mail to a player's verified address, if there is one; answers its id, or null. */
export async function mailPlayer(
  vault: Vault,
  tx: Tx,
  userId: string,
  write: (to: Addressee) => Mail,
): Promise<string | null> {
  const address = await findVerifiedAddress(tx, userId)
  if (!address) return null
  return queueMail(vault, tx, write({ to: address.email, username: address.username }))
}
