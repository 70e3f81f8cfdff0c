import { HOUSE } from '../wallet.service.ts'
import { all, asOwner, dropConstraint, dropTrigger, rewritePost, sql, type Guard } from './guards.ts'
import { aSource } from './ledger.ts'
import {
  crossPayments,
  entryByHand,
  overdraw,
  payMoreThanOwed,
  postRaw,
  repeatCause,
  repeatKey,
  reverseTwice,
  spendTwice,
  transferWithoutEntries,
} from './probes.ts'

const withoutFunctionsCheck = rewritePost('debit.balance < p_amount', 'false')
const withoutCheckConstraint = dropConstraint('ledger_account', 'ledger_account_no_overdraft')
const withoutRowLocks = rewritePost(' FOR NO KEY UPDATE', '')
const withoutEntryKey = dropConstraint('ledger_entry', 'ledger_entry_pkey')

/** What keeps the ledger's rows right, anyone who writes them. */
export const ledgerGuards: Guard[] = [
  {
    guard: 'the function’s own balance check',
    remove: withoutFunctionsCheck,
    probe: overdraw,
    refusal: 'INSUFFICIENT_BALANCE',
    without: '23514',
  },
  {
    guard: 'CHECK no overdraft',
    remove: withoutCheckConstraint,
    probe: asOwner(`UPDATE ledger_account SET balance = -1 WHERE kind = 'house_gift'`),
    refusal: '23514',
  },
  {
    guard: 'the function’s balance check and CHECK no overdraft together',
    remove: all(withoutFunctionsCheck, withoutCheckConstraint),
    probe: overdraw,
    refusal: 'INSUFFICIENT_BALANCE',
  },
  {
    guard: 'row locks of the function',
    remove: withoutRowLocks,
    probe: spendTwice,
    refusal: 'CN001',
    without: '23505',
  },
  {
    guard: 'row locks and the entry’s primary key together',
    remove: all(withoutRowLocks, withoutEntryKey),
    probe: spendTwice,
    refusal: 'CN001',
  },
  {
    guard: 'CHECK that a debt is never more than paid',
    remove: dropConstraint('ledger_account', 'ledger_account_debt'),
    probe: payMoreThanOwed,
    refusal: '23514',
  },
  {
    guard: 'unique source',
    remove: dropConstraint('ledger_transfer', 'ledger_transfer_one_per_source'),
    probe: repeatCause,
    refusal: '23505',
  },
  {
    guard: 'unique reversal',
    remove: dropConstraint('ledger_transfer', 'ledger_transfer_reverses_id_key'),
    probe: reverseTwice,
    refusal: '23505',
  },
  {
    guard: 'primary key of idempotency keys',
    remove: dropConstraint('idempotency_key', 'idempotency_key_pkey'),
    probe: repeatKey,
    refusal: 'answered from the first',
  },
  {
    guard: 'primary key of entries (the gapless chain)',
    remove: withoutEntryKey,
    probe: (ledger) => entryByHand(ledger, () => `(SELECT max(account_id) FROM ledger_entry), 1, 5, 0, 5`),
    refusal: '23505',
  },
  {
    guard: 'one entry for each side of a transfer',
    remove: dropConstraint('ledger_entry', 'ledger_entry_one_side'),
    probe: (ledger) => entryByHand(ledger, ({ debit }) => `${debit}, 3, -1, 9, 8`),
    refusal: '23505',
  },
  {
    guard: 'CHECK that an entry adds up',
    remove: dropConstraint('ledger_entry', 'ledger_entry_adds_up'),
    probe: (ledger) => entryByHand(ledger, () => `${HOUSE.gift}, ${aSource().id}, 5, 0, 6`),
    refusal: '23514',
  },
  {
    guard: 'CHECK that an entry is not 0',
    remove: dropConstraint('ledger_entry', 'ledger_entry_amount_check'),
    probe: (ledger) => entryByHand(ledger, () => `${HOUSE.gift}, ${aSource().id}, 0, 0, 0`),
    refusal: '23514',
  },
  {
    guard: 'zero-sum trigger',
    remove: dropTrigger('ledger_transfer', 'ledger_transfer_balanced'),
    probe: transferWithoutEntries,
    refusal: 'CN003',
  },
  {
    guard: 'two different accounts',
    remove: all(
      dropConstraint('ledger_transfer', 'ledger_transfer_two_accounts'),
      dropConstraint('ledger_entry', 'ledger_entry_pkey'),
      dropConstraint('ledger_entry', 'ledger_entry_one_side'),
      dropTrigger('ledger_transfer', 'ledger_transfer_balanced'),
    ),
    probe: postRaw(1, true),
    refusal: '23514',
  },
  {
    guard: 'positive amounts, in the function and as a CHECK',
    remove: all(
      rewritePost('p_amount <= 0', 'false'),
      dropConstraint('ledger_transfer', 'ledger_transfer_amount_check'),
      dropConstraint('ledger_entry', 'ledger_entry_amount_check'),
    ),
    probe: postRaw(0),
    refusal: '23514',
  },
  {
    guard: 'balances that stay exact in JSON',
    remove: dropConstraint('ledger_account', 'ledger_account_exact'),
    probe: asOwner(`UPDATE ledger_account SET balance = 9000000000000001 WHERE kind = 'suspense'`),
    refusal: '23514',
  },
  {
    guard: 'one wallet for each player',
    remove: sql('DROP INDEX ledger_account_one_for_player'),
    probe: asOwner(
      `INSERT INTO ledger_account (id, kind, user_id)
         SELECT nextval('ledger_account_id_seq'), kind, user_id FROM ledger_account WHERE kind = 'user_wallet' LIMIT 1`,
    ),
    refusal: '23505',
  },
  {
    guard: 'one row for each stripe of the house’s accounts',
    remove: sql('DROP INDEX ledger_account_one_stripe'),
    probe: asOwner(
      `INSERT INTO ledger_account (id, kind, stripe) VALUES (nextval('ledger_account_id_seq'), 'house_gift', 15)`,
    ),
    refusal: '23505',
  },
  {
    guard: 'CHECK of the stripes: sixteen for the house, one for a player',
    remove: dropConstraint('ledger_account', 'ledger_account_stripe'),
    probe: asOwner(
      `INSERT INTO ledger_account (id, kind, stripe) VALUES (nextval('ledger_account_id_seq'), 'house_gift', 16 + lastval())`,
    ),
    refusal: '23514',
  },
  {
    guard: 'players’ accounts have a player, the house’s have none',
    remove: dropConstraint('ledger_account', 'ledger_account_owner'),
    probe: asOwner(
      `INSERT INTO ledger_account (id, kind, user_id) VALUES (nextval('ledger_account_id_seq'), 'house_gift', ${"nextval('ledger_account_id_seq')"})`,
    ),
    refusal: '23514',
  },
  {
    guard: 'append-only: UPDATE and DELETE of entries',
    remove: dropTrigger('ledger_entry', 'ledger_entry_append_only'),
    probe: asOwner(`UPDATE ledger_entry SET created_at = now() WHERE account_version = 1`),
    refusal: 'CN002',
  },
  {
    guard: 'append-only: TRUNCATE of entries',
    remove: dropTrigger('ledger_entry', 'ledger_entry_no_truncate'),
    probe: asOwner(`TRUNCATE ledger_entry`),
    refusal: 'CN002',
  },
  {
    guard: 'append-only: UPDATE and DELETE of transfers',
    remove: dropTrigger('ledger_transfer', 'ledger_transfer_append_only'),
    probe: asOwner(`UPDATE ledger_transfer SET request_id = 'x'`),
    refusal: 'CN002',
  },
  {
    guard: 'append-only: TRUNCATE of transfers',
    remove: all(
      dropTrigger('ledger_transfer', 'ledger_transfer_no_truncate'),
      dropTrigger('ledger_entry', 'ledger_entry_no_truncate'),
      // Bank transactions hang on transfers, and events, acts and reversals on those.
      dropTrigger('payment_event', 'payment_event_no_truncate'),
      dropTrigger('bank_transfer_act', 'bank_transfer_act_no_truncate'),
      dropTrigger('credit_reversal', 'credit_reversal_no_truncate'),
    ),
    probe: asOwner(`TRUNCATE ledger_transfer CASCADE`),
    refusal: 'CN002',
  },
]

/** Slow between the two locks, so that two payments surely meet. The order of the locks stays as it is. */
export const slowLocks: Guard['remove'] = rewritePost(
  /(SELECT \* INTO STRICT (?:debit|credit) FROM ledger_account WHERE id = (?:p_debit|p_credit) FOR NO KEY UPDATE;)(?=\s+SELECT)/g,
  '$1 PERFORM pg_sleep(0.2);',
)

export const lockOrderGuard: Guard = {
  guard: 'locks in the order of account ids',
  remove: rewritePost('IF p_debit < p_credit THEN', 'IF true THEN'),
  probe: crossPayments,
  refusal: 'accepted',
  without: '40P01',
}
