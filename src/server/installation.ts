import { randomBytes } from 'node:crypto'
import { asOwner } from './platform/db/owner.ts'
import { SetupProblem } from './platform/setup-problem.ts'

/**
 * Writes down, once, what this installation is: a demo or the real thing, and its key for hashes of personal values.
 * A demo's database never becomes the real one: its players, prices and secrets are made up.
 */
export async function prepareInstallation(ownerUrl: string, isDemo: boolean): Promise<void> {
  const mode = isDemo ? 'demo' : 'live'
  const made = await asOwner(ownerUrl, async (client) => {
    const readMode = async () =>
      (await client.query<{ value: string }>(`SELECT value FROM installation WHERE name = 'mode'`)).rows[0]
    const kept = await readMode()
    if (kept !== undefined) return kept
    await client.query(
      `INSERT INTO installation (name, value) VALUES ('mode', $1), ('hash_key', $2) ON CONFLICT DO NOTHING`,
      [mode, randomBytes(32).toString('hex')],
    )
    return readMode()
  })
  if (made?.value !== mode) {
    throw new SetupProblem(
      `this database was made with DEMO=${isDemo ? 0 : 1}; start with the same, or use another database`,
    )
  }
}
