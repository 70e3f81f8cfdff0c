import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** The database belongs to a demo and the portal was started without one, or the reverse. */
export class WrongModeError extends Error {}

/**
 * Writes down, once, what this installation is: a demo or the real thing, and its key for hashes of personal values.
 * A demo's database never becomes the real one: its players, prices and secrets are made up.
 */
export async function prepareInstallation(ownerUrl: string, isDemo: boolean): Promise<{ isNew: boolean }> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'cong-ninja start' })
  await client.connect()
  try {
    const mode = isDemo ? 'demo' : 'live'
    const made = await client.query(
      `INSERT INTO installation (name, value) VALUES ('mode', $1), ('hash_key', $2) ON CONFLICT DO NOTHING`,
      [mode, randomBytes(32).toString('hex')],
    )
    const { rows } = await client.query<{ value: string }>(
      `SELECT value FROM installation WHERE name = 'mode'`,
    )
    if (rows[0]?.value !== mode) {
      throw new WrongModeError(
        `this database was made with DEMO=${isDemo ? 0 : 1}; start with the same, or use another database`,
      )
    }
    return { isNew: made.rowCount !== 0 }
  } finally {
    await client.end()
  }
}
