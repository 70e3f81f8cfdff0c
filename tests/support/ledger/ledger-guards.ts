import { all, dropConstraint, dropTrigger, rewritePost, type Guard } from '#tests/support/ledger/guards.ts'
import { crossPayments, overdraw, postRaw, repeatKey, spendTwice } from './probes.ts'

const withoutFunctionsCheck = rewritePost('debit.balance < p_amount', 'false')
const withoutCheckConstraint = dropConstraint('ledger_account', 'ledger_account_no_overdraft')
const withoutRowLocks = rewritePost(' FOR NO KEY UPDATE', '')
const withoutEntryKey = dropConstraint('ledger_entry', 'ledger_entry_pkey')

/**
 * Guards that only postings at the same moment or the program itself can miss, and those that stand behind each other:
 * taken away together, nothing refuses any more. Each alone: tests/mutation/database.
 */
export const ledgerGuards: Guard[] = [
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
    guard: 'primary key of idempotency keys',
    remove: dropConstraint('idempotency_key', 'idempotency_key_pkey'),
    probe: repeatKey,
    refusal: 'answered from the first',
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
