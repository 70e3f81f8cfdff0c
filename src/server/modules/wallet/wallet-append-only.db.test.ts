import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aWallet, mustReconcile, useLedger, outcomeOf, post } from './testing/ledger.ts'

/*
 * What nobody may do to the ledger: the portal's role has no right to, and for the owner there are triggers.
 */
const ledger = useLedger()
beforeAll(async () => {
  const from = await aWallet(ledger, 100)
  await post(ledger, { kind: 'p2p', debit: from, credit: await aWallet(ledger), amount: 40 })
})
afterAll(async () => {
  await mustReconcile(ledger)
})

const NO_RIGHT = '42501'
const APPEND_ONLY = 'CN002'

describe('the owner of the schema cannot rewrite history', () => {
  test.for([
    `UPDATE ledger_entry SET amount = amount + 1, balance_after = balance_after + 1`,
    `UPDATE ledger_entry SET created_at = now()`,
    `DELETE FROM ledger_entry`,
    `TRUNCATE ledger_entry`,
    `UPDATE ledger_transfer SET amount = amount + 1`,
    `UPDATE ledger_transfer SET actor_user_id = 1`,
    `DELETE FROM ledger_transfer`,
    `TRUNCATE ledger_transfer CASCADE`,
  ])('%s', async (statement) => {
    expect(await outcomeOf(ledger.owner.query(statement))).toBe(APPEND_ONLY)
  })
})

describe('the portal’s role cannot write the ledger past its one function', () => {
  test.for([
    `INSERT INTO ledger_account (id, kind, may_overdraw) VALUES (1, 'house_gift', true)`,
    `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
       VALUES ('p2p', 1, 2, 1, 'test', 'by hand')`,
    `INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
       VALUES (1, 99, 1, 'p2p', 1, 0, 1, now())`,
    `UPDATE ledger_account SET balance = balance + 1`,
    `UPDATE ledger_account SET version = version + 1`,
    `UPDATE ledger_account SET may_overdraw = true`,
    `UPDATE ledger_account SET user_id = 1`,
    `UPDATE ledger_transfer SET amount = 1`,
    `UPDATE ledger_entry SET amount = 1`,
    `DELETE FROM ledger_account`,
    `DELETE FROM ledger_transfer`,
    `DELETE FROM ledger_entry`,
    `TRUNCATE ledger_account, ledger_transfer, ledger_entry CASCADE`,
    `MERGE INTO ledger_account USING (SELECT 1) AS one ON true WHEN MATCHED THEN UPDATE SET balance = 0`,
    `SELECT setval('ledger_account_id_seq', 1)`,
    `UPDATE activation SET fee = 0`,
    `DELETE FROM activation`,
    `DELETE FROM idempotency_key`,
    `DELETE FROM delivery`,
    `DELETE FROM payment_event`,
    `UPDATE users SET wallet_account_id = 1`,
  ])('%s', async (statement) => {
    expect(await outcomeOf(ledger.appPool.query(statement))).toBe(NO_RIGHT)
  })
})

describe('the portal’s role cannot change the schema, nor become someone who can', () => {
  test.for([
    `CREATE TABLE notes (id int)`,
    `CREATE TEMP TABLE notes (id int)`,
    `CREATE TABLE game.notes (id int)`,
    `CREATE SCHEMA notes`,
    `CREATE FUNCTION free_coins() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'`,
    `CREATE TRIGGER quiet BEFORE INSERT ON ledger_entry FOR EACH ROW EXECUTE FUNCTION refuse_change()`,
    `CREATE EXTENSION dblink`,
    `CREATE ROLE intruder`,
    `DROP TABLE ledger_entry`,
    `DROP TRIGGER ledger_entry_append_only ON ledger_entry`,
    `DROP FUNCTION ledger_post`,
    `ALTER TABLE ledger_entry DISABLE TRIGGER ALL`,
    `ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_no_overdraft`,
    `ALTER TABLE ledger_account OWNER TO CURRENT_USER`,
    `ALTER ROLE portal_app SUPERUSER`,
    `SET session_replication_role = replica`,
    `SET ROLE pg_write_all_data`,
    `COPY ledger_account FROM PROGRAM 'true'`,
    `COPY ledger_entry TO '/tmp/ledger'`,
  ])('%s', async (statement) => {
    expect(await outcomeOf(ledger.appPool.query(statement))).toBe(NO_RIGHT)
  })

  test('it cannot hand its rights to others', async () => {
    // Without the right to grant, PostgreSQL only warns: the rights themselves must not have moved.
    await outcomeOf(ledger.appPool.query(`GRANT ALL ON ledger_account TO PUBLIC`))
    const { rows } = await ledger.owner.query(
      `SELECT grantee FROM information_schema.role_table_grants
        WHERE table_name = 'ledger_account' AND grantee = 'PUBLIC'`,
    )
    expect(rows).toEqual([])
  })
})

test('the portal’s role may do what it is there for: read, lock, and post', async () => {
  const wallet = await aWallet(ledger, 5)
  const client = await ledger.appPool.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query(
      'SELECT balance FROM ledger_account WHERE id = $1 FOR NO KEY UPDATE',
      [wallet],
    )
    await client.query('COMMIT')
    expect(rows).toEqual([{ balance: '5' }])
  } finally {
    client.release()
  }
})
