import { readFileSync } from 'node:fs'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { invalidField } from '#server/platform/http/refusal.ts'
import { holdsRole } from './accounts.service.ts'
import {
  replacePasswordHash,
  selectCredentials,
  updatePasswordHash,
  type Credentials,
} from './credentials.queries.ts'
import { operatorPasswordFault, passwordFault } from './password.rules.ts'
import { usernameKey } from './usernames.rules.ts'

const commonPasswords: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean),
)

/** Throws a field refusal for a new password that is the username or among the most common ones. */
export function assertPasswordFit(judged: { username: string; password: string }): void {
  const fault = passwordFault(judged, commonPasswords)
  if (fault !== null) throw invalidField('password', fault)
}

/** The same for an account that exists: an operator's has to be longer. */
export async function assertNewPasswordFit(
  db: Db,
  { userId, username, password }: { userId: string; username: string; password: string },
): Promise<void> {
  assertPasswordFit({ username, password })
  const fault = (await holdsRole(db, userId)) ? operatorPasswordFault(password) : null
  if (fault !== null) throw invalidField('password', fault)
}

/** Ignores the case of the name. */
export async function findCredentials(db: Db, username: string): Promise<Credentials | undefined> {
  const key = usernameKey(username)
  return key === null ? undefined : selectCredentials(db, key)
}

/** Sets a hash in place of the one the caller knows; false when that one has been replaced meanwhile. */
export async function setPasswordHash(
  db: Db,
  change: { userId: string; from: string; to: string },
): Promise<boolean> {
  return updatePasswordHash(db, change)
}

/** Sets a new password's hash, whatever the old one was. End the sessions in the same transaction, after this. */
export async function setNewPasswordHash(tx: Tx, change: { userId: string; hash: string }): Promise<void> {
  await replacePasswordHash(tx, change)
}
