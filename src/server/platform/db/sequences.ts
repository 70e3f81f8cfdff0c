import type { Client } from 'pg'
import type { Log } from '../log/log.ts'
import { inTurn } from './advisory-lock.ts'
import { migrationsTurn } from './migrate.ts'
import { asOwner } from './owner.ts'
import { unlessLocked } from './unless-locked.ts'

/** That of the audit trail belongs to no column. Of those that are another role’s nothing is read. */
const NUMBERED = `
  WITH numbered AS MATERIALIZED (
    SELECT s.oid AS sequence, attrelid AS place, quote_ident(attname) AS name, seqmax AS max
      FROM pg_class s JOIN pg_sequence ON seqrelid = s.oid
      LEFT JOIN pg_depend ON classid = 'pg_class'::regclass AND objid = s.oid AND refclassid = classid AND deptype IN ('a', 'i')
      JOIN pg_attribute ON (attrelid, attnum) = (refobjid, refobjsubid)
        OR s.oid = to_regclass('audit_log_seq') AND attrelid = to_regclass('audit_log') AND attname = 'seq'
     WHERE s.relnamespace IN ('public'::regnamespace, 'game'::regnamespace))
  SELECT sequence::regclass::text AS sequence, place::regclass::text AS place, name, max FROM numbered
   WHERE has_sequence_privilege(sequence, 'SELECT') AND has_table_privilege(place, 'SELECT')`

type Numbered = { sequence: string; place: string; name: string; max: string }
type Behind = { sequence: string; column: string; highest: string; next: string }

/**
 * Sequences that would give numbers that are taken, as after rows were copied in: each such insert fails. In a transaction of
 * the owner.
 */
export const readSequencesBehind = (client: Client): Promise<Behind[]> =>
  unlessLocked(client, () => findBehind(client))

async function findBehind(client: Client): Promise<Behind[]> {
  const { rows: numbered } = await client.query<Numbered>(NUMBERED)
  if (numbered.length === 0) return []
  const each = numbered.map(
    ({ sequence, place, name, max }) => `
      SELECT '${sequence}' AS sequence, '${place}.${name}' AS column, last_value + is_called::int AS next,
             (SELECT max(${name}) FROM ${place} WHERE ${name} <= ${max}) AS highest FROM ${sequence}`,
  )
  const { rows } = await client.query<Behind>(
    `SELECT * FROM (${each.join(' UNION ALL ')}) AS one WHERE next <= highest ORDER BY sequence`,
  )
  return rows
}

/** Lets sequences go on behind the highest number of their columns. */
export async function keepSequences(ownerUrl: string, log: Log): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query('BEGIN READ ONLY')
    const behind = await readSequencesBehind(client)
    await client.query('ROLLBACK')
    if (behind.length === 0) return
    await inTurn(client, migrationsTurn(log), async () => {
      for (const { sequence, column, highest } of await readSequencesBehind(client)) {
        await client.query('SELECT setval($1, $2)', [sequence, highest])
        log.warn({ sequence, column, highest }, 'a sequence was behind its column, and was set right')
      }
    })
  })
}
