import { readFileSync } from 'node:fs'
import type { Db } from '#server/platform/db/database.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { type Credentials, holdsRole, selectCredentials } from './accounts.queries.ts'
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
