import { inTransaction } from '#server/platform/db/transaction.ts'
import type { TestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { appendAudit } from '../audit.service.ts'

/** Rows of the trail one after the other on one connection, and so in one line. */
export async function append({ db }: Pick<TestApp, 'db'>, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await inTransaction(db, (tx) =>
      appendAudit(tx, {
        actor: { kind: 'system' },
        action: 'users.note',
        subject: { type: 'test', id },
        reason: 'thử',
        details: { before: null, after: { b: 1, a: ['đ', 2.5] } },
        personal: { phone: '84901234567', address: '203.0.113.9' },
      }),
    )
  }
}

/** What only somebody with the owner's rights and bad intent can do. */
export const tamper = (portal: TestApp, statements: string) =>
  asOwner(portal, `SET session_replication_role = replica; ${statements}`)

const TABLES = ['audit_log', 'audit_personal', 'audit_line', 'audit_head', 'audit_seal']

/** Reads a trail that was changed, and then makes it what it was. */
export async function whileTampered<Result>(
  portal: TestApp,
  statements: string,
  read: () => Promise<Result>,
): Promise<Result> {
  const each = (statement: (table: string) => string) => TABLES.map(statement).join('; ')
  await tamper(
    portal,
    `${each((table) => `CREATE TABLE saved_${table} AS SELECT * FROM ${table}`)}; ${statements}`,
  )
  try {
    return await read()
  } finally {
    await tamper(
      portal,
      each(
        (table) =>
          `DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM saved_${table}; DROP TABLE saved_${table}`,
      ),
    )
  }
}

/** Makes the seals so far one day older, with their hashes, as if it were the day after. */
export const nextDay = (portal: TestApp) =>
  tamper(
    portal,
    `DO $$
     DECLARE
       one audit_seal;
       last bytea := sha256('cong-ninja audit seal');
     BEGIN
       FOR one IN SELECT * FROM audit_seal ORDER BY number LOOP
         one.day := one.day - 1;
         one.prev_hash := last;
         last := sha256(last || audit_seal_canonical(one));
         UPDATE audit_seal SET day = one.day, prev_hash = one.prev_hash, hash = last WHERE number = one.number;
         UPDATE audit_head SET seal_hash = last;
       END LOOP;
     END $$`,
  )
