import { createHash } from 'node:crypto'
import { loginPassword } from '#contract/fields.ts'

/** What stands before an argon2id hash that was made of the MD5 digest of a password, in hex: the password was not known. */
export const OF_MD5 = 'md5:'

/** How a stored password was made. A hash of argon2 begins with `$argon2`, one of bcrypt with `$2`. */
export function formOf(storedHash: string): 'argon2' | 'argon2id-of-md5' | 'bcrypt' {
  if (storedHash.startsWith(OF_MD5)) return 'argon2id-of-md5'
  return storedHash.startsWith('$2') ? 'bcrypt' : 'argon2'
}

export const md5Of = (password: string): string => createHash('md5').update(password).digest('hex')

const BCRYPT = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** One more doubles the time of each login: 14 takes a second. */
const BCRYPT_COST_MAX = 14

/** A password as the table of an older site has it. */
export type ForeignPassword =
  | { form: 'plain'; password: string }
  | { form: 'md5'; md5: string }
  | { form: 'bcrypt'; hash: string }

export type PasswordFault = 'empty-password' | 'password-length' | 'unreadable-password' | 'costly-password'

export type ForeignForm = ForeignPassword['form']

/**
 * Reads a password of the form that the table has, or of the one that it is: a hash of MD5 or bcrypt is longer than any
 * password that a login takes.
 */
export function readForeignPassword(
  stored: string,
  form: ForeignForm | 'detected',
): ForeignPassword | PasswordFault {
  if (stored === '') return 'empty-password'
  const [, cost] = BCRYPT.exec(stored) ?? []
  const isMd5 = /^[0-9a-f]{32}$/i.test(stored)
  const found = cost !== undefined ? 'bcrypt' : isMd5 ? 'md5' : 'plain'
  if (form !== 'detected' && form !== 'plain' && form !== found) return 'unreadable-password'
  if (form !== 'plain' && cost !== undefined)
    return Number(cost) <= BCRYPT_COST_MAX ? { form: 'bcrypt', hash: stored } : 'costly-password'
  if (form !== 'plain' && isMd5) return { form: 'md5', md5: stored.toLowerCase() }
  return loginPassword.safeParse(stored).success ? { form: 'plain', password: stored } : 'password-length'
}
