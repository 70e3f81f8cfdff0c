import type { Client } from 'pg'
import { sqlState } from './transaction.ts'

const LOCKED = '55P03'

/**
 * In a transaction: what `look` finds, or nothing where somebody has locked a table, for which nobody waits. PostgreSQL locks a
 * table also to say how it is made.
 */
export async function unlessLocked<One>(client: Client, look: () => Promise<One[]>): Promise<One[]> {
  await client.query(`SET LOCAL lock_timeout = '1s'`)
  await client.query('SAVEPOINT look')
  try {
    return await look()
  } catch (error) {
    if (sqlState(error) !== LOCKED) throw error
    await client.query('ROLLBACK TO SAVEPOINT look')
    return []
  }
}
