import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Db } from './database.ts'
import type { Tx } from './transaction.ts'
import { invariant } from '../values/errors.ts'

/**
 * Hashes and encrypts with the installation's key. `purpose` separates uses: what was hashed or sealed for one means nothing to
 * another.
 */
export type Vault = {
  /**
   * Reads the key. Done at the start: inside transactions that hold every connection, the one who reads it first would
   * wait for ever.
   */
  prepare(): Promise<void>
  /** A keyed hash, 32 bytes: identifies a value without revealing it to a reader of the table. */
  hash(purpose: string, text: string): Promise<Buffer>
  /** Encrypts and authenticates a text. */
  seal(purpose: string, text: string): Promise<Buffer>
  /** The decrypted text; throws when it was not encrypted by this installation for this purpose. */
  open(purpose: string, sealed: Buffer): Promise<string>
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Made with the installation. */
export async function installationKey(db: Db | Tx): Promise<string> {
  const row = await db
    .selectFrom('installation')
    .select('value')
    .where('name', '=', 'hash_key')
    .executeTakeFirstOrThrow()
  return row.value
}

/**
 * Caches the key, and the keys derived from it. It is read at once: anyone who first needed it inside a transaction
 * would need a second connection for it, which a pool full of such transactions does not have.
 */
export function openVault(db: Db): Vault {
  let key: Promise<string> | null = null
  void loadKey().catch(() => {
    // The database is not available; the first use tries again.
  })
  const derived = new Map<string, Buffer>()

  function loadKey(): Promise<string> {
    key ??= installationKey(db).catch((error: unknown) => {
      // Failures are not cached: the next use reads again.
      key = null
      throw error
    })
    return key
  }

  async function keyFor(purpose: string): Promise<Buffer> {
    const loaded = await loadKey()
    const known = derived.get(purpose)
    if (known) return known
    const made = Buffer.from(hkdfSync('sha256', loaded, 'cong-ninja vault', purpose, 32))
    derived.set(purpose, made)
    return made
  }

  return {
    async prepare() {
      await keyFor('prepare')
    },
    async hash(purpose, text) {
      return createHmac('sha256', await keyFor(`hash:${purpose}`))
        .update(text)
        .digest()
    },
    async seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, await keyFor(`seal:${purpose}`), nonce)
      const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    async open(purpose, sealed) {
      invariant(sealed.length >= NONCE_BYTES + TAG_BYTES, 'a sealed text has a nonce and a tag')
      const decipher = createDecipheriv(
        CIPHER,
        await keyFor(`seal:${purpose}`),
        sealed.subarray(0, NONCE_BYTES),
      )
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const hidden = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(hidden), decipher.final()]).toString('utf8')
    },
  }
}
