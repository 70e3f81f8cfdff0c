import { HOUSE } from '../wallet.service.ts'
import { asPortal, sql, type Guard } from './guards.ts'
import { aSource, aWallet, outcomeOf, post } from './ledger.ts'
import { strangerPosts } from './probes.ts'

/** What the portal's role may not do, and the grant that would let it. */
export const grantGuards: Guard[] = [
  {
    guard: 'no INSERT on transfers',
    remove: sql(
      `GRANT INSERT ON ledger_transfer TO portal_app; DROP TRIGGER ledger_transfer_balanced ON ledger_transfer`,
    ),
    probe: async (ledger) => {
      const [debit, credit] = [await aWallet(ledger), await aWallet(ledger)]
      return outcomeOf(
        ledger.appPool.query(
          `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
           VALUES ('p2p', $1, $2, 1, 'test', $3)`,
          [debit, credit, `granted ${aSource().id}`],
        ),
      )
    },
    refusal: '42501',
  },
  {
    guard: 'no INSERT on entries',
    remove: sql(`GRANT INSERT ON ledger_entry TO portal_app`),
    probe: async (ledger) => {
      const [debit, credit] = [await aWallet(ledger, 10), await aWallet(ledger)]
      const { transferId } = await post(ledger, { kind: 'p2p', debit, credit, amount: 1 })
      return outcomeOf(
        ledger.appPool.query(
          `INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
           VALUES (${HOUSE.gift}, $1, $2, 'p2p', 1, 0, 1, now())`,
          [transferId, transferId],
        ),
      )
    },
    refusal: '42501',
  },
  {
    guard: 'no UPDATE of balances',
    remove: sql(`GRANT UPDATE (balance) ON ledger_account TO portal_app`),
    probe: asPortal(`UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'house_gift'`),
    refusal: '42501',
  },
  {
    guard: 'no new accounts by hand',
    remove: sql(
      `GRANT INSERT ON ledger_account TO portal_app; GRANT USAGE ON SEQUENCE ledger_account_id_seq TO portal_app`,
    ),
    probe: asPortal(
      `INSERT INTO ledger_account (id, kind, user_id, may_overdraw) SELECT max(id) + 1, 'receivable', max(id) + 1, true FROM ledger_account`,
    ),
    refusal: '42501',
  },
  {
    guard: 'no UPDATE or DELETE of entries (before the trigger is even asked)',
    remove: sql(`GRANT DELETE ON ledger_entry TO portal_app`),
    probe: asPortal(`DELETE FROM ledger_entry`),
    refusal: '42501',
    without: 'CN002',
  },
  {
    guard: 'no TRUNCATE of entries (before the trigger is even asked)',
    remove: sql(`GRANT TRUNCATE ON ledger_entry TO portal_app`),
    probe: asPortal(`TRUNCATE ledger_entry`),
    refusal: '42501',
    without: 'CN002',
  },
  {
    guard: 'no CREATE in the schema',
    remove: sql(`GRANT CREATE ON SCHEMA public TO portal_app`),
    probe: asPortal(`CREATE TABLE notes (id int)`),
    refusal: '42501',
  },
  {
    guard: 'no temporary tables, which could stand before the real ones',
    remove: async (ledger) => {
      const { rows } = await ledger.owner.query<{ name: string }>('SELECT current_database() AS name')
      await ledger.owner.query(`GRANT TEMPORARY ON DATABASE ${rows[0]?.name} TO portal_app`)
    },
    probe: asPortal(`CREATE TEMP TABLE ledger_account (id int)`),
    refusal: '42501',
  },
  {
    guard: 'ledger_post is for the portal’s role only',
    remove: sql(`GRANT EXECUTE ON FUNCTION ledger_post TO PUBLIC`),
    probe: strangerPosts,
    refusal: '42501',
  },
]
