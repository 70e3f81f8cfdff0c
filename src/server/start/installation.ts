import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'
import { asOwner } from '../platform/db/owner.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

export type Installation = {
  ownerUrl: string
  isDemo: boolean
  /** The names of the vendors in the registry. */
  providers: readonly string[]
}

/**
 * Writes down, once, what this installation is: a demo or the real thing, and its key for hashes of personal values.
 * A demo's database never becomes the real one: its players, prices and secrets are made up. The providers are written
 * here because the app's role may not add one.
 */
export async function prepareInstallation({ ownerUrl, isDemo, providers }: Installation): Promise<void> {
  const mode = isDemo ? 'demo' : 'live'
  const made = await asOwner(ownerUrl, async (client) => {
    await addProviders(client, providers)
    const kept = await readMode(client)
    if (kept !== null) return kept
    await client.query(
      `INSERT INTO installation (name, value) VALUES ('mode', $1), ('hash_key', $2) ON CONFLICT DO NOTHING`,
      [mode, randomBytes(32).toString('hex')],
    )
    return readMode(client)
  })
  requireMode(made, { isDemo })
}

/** `demo` or `live`; null while the database has not been prepared. */
export async function readMode(client: Client): Promise<string | null> {
  const { rowCount } = await client.query(`SELECT WHERE to_regclass('installation') IS NOT NULL`)
  if (rowCount === 0) return null
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM installation WHERE name = 'mode'`)
  return rows[0]?.value ?? null
}

export function requireMode(made: string | null, { isDemo }: { isDemo: boolean }): void {
  if (made === null || made === (isDemo ? 'demo' : 'live')) return
  throw new SetupProblem(
    `this database was made with DEMO=${isDemo ? 0 : 1}; start with the same, or use another database`,
  )
}

/** Writes only when one is missing, so that a usual start waits for no lock. */
async function addProviders(client: Client, providers: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM unnest($1::text[]) AS name EXCEPT SELECT name FROM payment_provider',
    [providers],
  )
  if (rows.length === 0) return
  await client.query('INSERT INTO payment_provider (name) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    rows.map(({ name }) => name),
  ])
}
