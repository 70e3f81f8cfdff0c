import { Client, type DatabaseError } from 'pg'
import { copyOf, dropOtherKeys } from '../mutation/database/pieces.ts'

/** The second line behind claims and locks: what happened once is one row, whatever the program does. */
const KEYS: readonly (readonly [table: string, key: string])[] = [
  ['idempotency_key', 'idempotency_key_pkey'],
  ['ledger_transfer', 'ledger_transfer_one_per_source'],
  ['ledger_entry', 'ledger_entry_one_side'],
  ['ledger_entry', 'ledger_entry_pkey'],
  ['payment_event', 'payment_event_once'],
  ['bank_transaction', 'bank_transaction_once'],
]

/**
 * Writes a row of the run once more, each time with one key alone to refuse it, and undoes that. Returns the keys that did
 * not refuse: while the guards before them hold, nothing else in a run would show that they are missing.
 */
export async function missingKeys(ownerUrl: string): Promise<string[]> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const missing: string[] = []
    for (const [table, key] of KEYS) if (!(await refuses(client, table, key))) missing.push(key)
    return missing
  } finally {
    await client.end()
  }
}

async function refuses(client: Client, table: string, key: string): Promise<boolean> {
  await client.query('BEGIN')
  try {
    await client.query(dropOtherKeys(table, key))
    const { rows } = await client.query<{ row: string }>(`SELECT ctid::text AS row FROM ${table} LIMIT 1`)
    await client.query(copyOf(table, `ctid = '${rows[0]?.row}'`))
    return false
  } catch (error) {
    return (error as DatabaseError).constraint === key
  } finally {
    await client.query('ROLLBACK')
  }
}
