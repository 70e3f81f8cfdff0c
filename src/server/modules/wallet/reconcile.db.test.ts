import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RECONCILIATION_EXAMPLES_MAX } from '#contract/operator/daily-closes.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { openLog } from '#server/platform/log/log.ts'
import { reconcile } from './index.ts'
import { reconcileQueries } from './reconcile.queries.ts'
import { brokenChecks, openLedger, type Ledger } from '#tests/support/ledger/ledger.ts'
import { buildWholeWorld, DELIVERIES } from '#tests/support/ledger/whole-world.ts'

/*
 * Each reconciliation against the faults it is there for. A fault is planted with the triggers off, as a corrupted
 * disk or a careless superuser would, looked at, and taken back with its transaction.
 */
let ledger: Ledger
let asOwner: Db
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await freshDatabase()
  ledger = openLedger(database)
  asOwner = openDatabase({ url: database.ownerUrl, log: openLog('error'), connectionsMax: 1 })
  drop = database.drop
  await buildWholeWorld(ledger)
})
afterAll(async () => {
  await asOwner.destroy()
  await ledger.close()
  await drop()
})

type Fault = { finds: string[]; fault: string; sql: string }

const WALLET = `(SELECT wallet_account_id FROM users WHERE id = 1)`
const P2P = `(SELECT id FROM ledger_transfer WHERE kind = 'p2p')`
const RECHARGE = `(SELECT id FROM ledger_transfer WHERE kind = 'recharge')`
const HOLD = 9000000000000006n
/** The open delivery's stripe, and an empty one. */
const HELD = `(SELECT credit_account FROM ledger_transfer WHERE kind = 'exchange_hold' AND source_id = '${DELIVERIES.open}')`
const IDLE = `(SELECT max(id) FROM ledger_account WHERE kind = 'delivery_hold' AND version = 0)`
/** What the portal writes beside the ledger when the one recharge is taken back. */
const UNCREDIT = `UPDATE payment_event SET status = 'review';
  UPDATE payment_order SET status = 'review', credited = 0;
  UPDATE bank_transaction SET state = 'review', credited = 0, transfer_id = NULL`

/** A tournament with a fee of 100 and one team of a player. */
const TOURNAMENT = `INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, fee)
    VALUES ('Giải', now(), now() + interval '1 day', 1, 1, 1, 100);
  INSERT INTO teams (tournament_id, name, captain_id) SELECT max(id), 'Đội', 1 FROM tournaments`
const CHARGE = (luong: number) => `INSERT INTO tournament_charges
    (tournament_id, team_id, user_id, server_id, account, character_id, luong, state, applied_at)
  SELECT tournament_id, id, 1, '1', 'a', '1', ${luong}, 'applied', now() FROM teams`

/** A budget of 1,000 of which 100 are promised to an order, as the portal leaves it. */
const PROMISE = `INSERT INTO ledger_account (id, kind, balance, version) VALUES (9000000000019000, 'budget', 900, 2);
  INSERT INTO budget (id, title, account_id, funded, made_by) OVERRIDING SYSTEM VALUE VALUES (9000, 'Quỹ', 9000000000019000, 1000, 1);
  INSERT INTO promotion (id, title, budget_id, starts_at, ends_at, kind, percent, minimum, cap_per_player, cap_total, is_first_recharge, given, made_by)
    OVERRIDING SYSTEM VALUE VALUES (9000, 'Tuần', 9000, '2026-01-01', '2027-01-01', 'percent', 20, 0, 500, 900, false, 100, 1);
  INSERT INTO promotion_use (promotion_id, user_id, cap, amount) SELECT 9000, user_id, 500, 100 FROM payment_order LIMIT 1;
  INSERT INTO order_bonus (id, order_id, promotion_id, user_id, is_first_recharge, promised, held, hold_until)
    OVERRIDING SYSTEM VALUE SELECT 9000, id, 9000, user_id, false, 100, 100, now() FROM payment_order LIMIT 1;
  UPDATE ledger_account SET balance = balance - 1000, version = version + 1 WHERE id = 9000000000000002;
  UPDATE ledger_account SET balance = balance + 100, version = version + 1 WHERE id = 9000000000000009;
  INSERT INTO ledger_transfer (id, kind, debit_account, credit_account, amount, source_type, source_id) OVERRIDING SYSTEM VALUE
    VALUES (900001, 'budget', 9000000000000002, 9000000000019000, 1000, 'budget', 'x'),
           (900002, 'bonus_hold', 9000000000019000, 9000000000000009, 100, 'order_bonus', '9000');
  INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
    SELECT id, version, 900001, 'budget', -1000, balance + 1000, balance, now() FROM ledger_account WHERE id = 9000000000000002;
  INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
    VALUES (9000000000019000, 1, 900001, 'budget', 1000, 0, 1000, now()),
           (9000000000019000, 2, 900002, 'bonus_hold', -100, 1000, 900, now());
  INSERT INTO ledger_entry (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
    SELECT id, version, 900002, 'bonus_hold', 100, balance - 100, balance, now() FROM ledger_account WHERE id = 9000000000000009`
const promised = (finds: string[], fault: string, change: string): Fault => ({
  finds,
  fault,
  sql: `${PROMISE}; ${change}`,
})

const faults: Fault[] = [
  promised([], 'a promise that is in order', 'SELECT 1'),
  promised(['R14'], 'a budget was not given what it says', 'UPDATE budget SET funded = 999'),
  promised(['R14'], 'an account of a budget has none', 'DELETE FROM promotion; DELETE FROM budget'),
  promised(
    ['R14', 'R15'],
    'a promise is larger than what is held',
    'UPDATE order_bonus SET promised = 200, held = 200; UPDATE promotion SET given = 200; UPDATE promotion_use SET amount = 200',
  ),
  promised(
    ['R15'],
    'a bonus was given without a ledger transfer',
    `UPDATE order_bonus SET promised = 600, held = 100, granted = 500, state = 'granted', transfer_id = 900002;
    UPDATE promotion SET given = 600; UPDATE promotion_use SET amount = 500`,
  ),
  promised(
    ['R15'],
    'a promise is another player’s',
    'UPDATE order_bonus SET user_id = 2; UPDATE promotion_use SET user_id = 2',
  ),
  promised(
    ['R15'],
    'a movement of a bonus has none',
    `UPDATE ledger_transfer SET source_id = '1' WHERE id = 900002`,
  ),
  promised(['R15'], 'a promotion counts less than it promised', 'UPDATE promotion SET given = 99'),
  promised(['R15'], 'a player is counted less', 'UPDATE promotion_use SET amount = 99'),
  promised(
    ['R15'],
    'a promotion promised more than its cap',
    'ALTER TABLE promotion DROP CONSTRAINT promotion_within_cap, DROP CONSTRAINT promotion_caps; UPDATE promotion SET cap_total = 99',
  ),
  promised(['R15'], 'a player was promised more than the cap', 'UPDATE promotion SET cap_per_player = 99'),
  {
    finds: ['R1', 'R2'],
    fault: 'a balance was raised by hand',
    sql: `UPDATE ledger_account SET balance = balance + 1 WHERE id = ${WALLET}`,
  },
  {
    finds: ['R2'],
    fault: 'a coin was moved between two balances without a transfer',
    sql: `UPDATE ledger_account SET balance = balance + CASE WHEN id = ${WALLET} THEN 1 ELSE -1 END
           WHERE user_id IN (1, 2)`,
  },
  {
    finds: ['R3'],
    fault: 'an account counted an entry it does not have',
    sql: `UPDATE ledger_account SET version = version + 1 WHERE id = ${WALLET}`,
  },
  {
    finds: ['R3'],
    fault: 'a chain has a gap',
    sql: `UPDATE ledger_entry SET account_version = account_version + 100
           WHERE account_id = ${WALLET}
             AND account_version = (SELECT max(account_version) FROM ledger_entry WHERE account_id = ${WALLET})`,
  },
  {
    finds: ['R4'],
    fault: 'an entry starts elsewhere than the one before it ended',
    sql: `UPDATE ledger_entry SET balance_before = balance_before + 1, balance_after = balance_after + 1
           WHERE transfer_id = (SELECT min(transfer_id) FROM ledger_entry WHERE kind = 'gift_settle') AND amount < 0`,
  },
  {
    finds: ['R5'],
    fault: 'an account is overdrawn that may not be',
    sql: `ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_no_overdraft;
          UPDATE ledger_account SET may_overdraw = false WHERE kind = 'house_recharge'`,
  },
  {
    finds: ['R6'],
    fault: 'a transfer has another amount than its entries',
    sql: `UPDATE ledger_transfer SET amount = amount + 1 WHERE id = ${P2P}`,
  },
  {
    finds: ['R6'],
    fault: 'an entry has another kind than its transfer',
    sql: `UPDATE ledger_entry SET kind = 'adjustment' WHERE transfer_id = ${P2P} AND amount < 0`,
  },
  {
    finds: ['R6'],
    fault: 'a transfer names another account than the one it moved',
    sql: `UPDATE ledger_transfer SET credit_account = 9000000000000002 WHERE id = ${P2P}`,
  },
  {
    finds: ['R1', 'R2', 'R3', 'R6'],
    fault: 'one of the two entries is lost, and the balance with it',
    sql: `DELETE FROM ledger_entry WHERE transfer_id = ${P2P} AND amount > 0;
          UPDATE ledger_account SET balance = balance - 999 WHERE user_id = 2`,
  },
  {
    finds: ['R7'],
    fault: 'an applied event has no bank transaction',
    sql: `UPDATE payment_event SET bank_transaction_id = NULL`,
  },
  {
    finds: ['R7', 'R12', 'R16'],
    fault: 'an event and its bank transaction differ in amount',
    sql: `UPDATE payment_event SET amount = amount + 1`,
  },
  {
    finds: ['R7'],
    fault: 'a bank transaction has another credit than its transfer',
    sql: `UPDATE bank_transaction SET credited = credited + 1; UPDATE payment_order SET credited = credited + 1`,
  },
  {
    finds: ['R7'],
    fault: 'a recharge was credited for no bank transaction',
    sql: `SELECT ledger_post('recharge', 9000000000000007, ${WALLET}, 5, 'bank_transaction', 'none', NULL, NULL, NULL, NULL)`,
  },
  {
    finds: ['R7'],
    fault: 'an order has another credit than its bank transactions',
    sql: `UPDATE payment_order SET credited = credited - 1`,
  },
  {
    finds: ['R7'],
    fault: 'a recharge was taken back and nothing records it',
    sql: `${UNCREDIT}; SELECT ledger_post('adjustment', 9000000000000001, ${WALLET}, 500000, 'test', 'for it', NULL, NULL, NULL, NULL);
          SELECT ledger_post('reversal', ${WALLET}, 9000000000000007, 500000, 'test', 'back', NULL, NULL, NULL, ${RECHARGE})`,
  },
  {
    finds: ['R7'],
    fault: 'a recharge was taken back by another amount',
    sql: `${UNCREDIT}; SELECT ledger_post('reversal', ${WALLET}, 9000000000000007, 5, 'test', 'back', NULL, NULL, NULL, ${RECHARGE});
          INSERT INTO credit_reversal (transfer_id, bank_transaction_id, lent)
            SELECT (SELECT max(id) FROM ledger_transfer), id, 0 FROM bank_transaction`,
  },
  {
    finds: ['R7'],
    fault: 'a recharge was taken back and its bank transaction is still credited',
    sql: `SELECT ledger_post('adjustment', 9000000000000001, ${WALLET}, 500000, 'test', 'for it', NULL, NULL, NULL, NULL);
          SELECT ledger_post('reversal', ${WALLET}, 9000000000000007, 500000, 'test', 'back', NULL, NULL, NULL, ${RECHARGE});
          INSERT INTO credit_reversal (transfer_id, bank_transaction_id, lent)
            SELECT (SELECT max(id) FROM ledger_transfer), id, 0 FROM bank_transaction`,
  },
  {
    finds: ['R7'],
    fault: 'a transfer that the bank took back is still credited',
    sql: `INSERT INTO bank_transaction (account_number, direction, amount, state, reversal_of)
            SELECT account_number, 'out', amount, 'ignored', id FROM bank_transaction`,
  },
  {
    finds: ['R2'],
    fault: 'a coin was moved between two stripes of one account without a transfer',
    sql: `UPDATE ledger_account SET balance = balance + CASE id WHEN ${HELD} THEN -1 ELSE 1 END WHERE id IN (${HELD}, ${IDLE})`,
  },
  {
    finds: ['R8'],
    fault: 'a delivery was settled from another stripe than it is held in',
    sql: `SELECT ledger_post('adjustment', ${HELD}, ${IDLE}, 50000, 'stripe', 'planted', NULL, NULL, NULL, NULL);
          SELECT ledger_post('exchange_settle', (SELECT credit_account FROM ledger_transfer WHERE source_id = 'planted'),
            9000000000000005, 50000, 'delivery', '${DELIVERIES.open}', NULL, NULL, NULL, NULL);
          UPDATE delivery SET state = 'delivered', settled_at = now() WHERE id = '${DELIVERIES.open}'`,
  },
  {
    finds: ['R8', 'R9'],
    fault: 'a delivery is called delivered and was not settled',
    sql: `UPDATE delivery SET state = 'delivered', settled_at = now() WHERE id = '${DELIVERIES.open}'`,
  },
  {
    finds: ['R8', 'R9'],
    fault: 'a settled delivery is open again',
    sql: `UPDATE delivery SET state = 'pending', settled_at = NULL WHERE id = '${DELIVERIES.delivered}'`,
  },
  {
    finds: ['R8'],
    fault: 'a delivery is called delivered and was refunded',
    sql: `UPDATE delivery SET state = 'delivered' WHERE id = '${DELIVERIES.refunded}'`,
  },
  {
    finds: ['R8', 'R9'],
    fault: 'a delivery was both settled and refunded',
    sql: `SELECT ledger_post('exchange_refund', ${HOLD}, ${WALLET}, 10000, 'delivery', '${DELIVERIES.delivered}', NULL, NULL, NULL, NULL)`,
  },
  {
    finds: ['R9'],
    fault: 'more is held than open deliveries are worth',
    sql: `SELECT ledger_post('adjustment', 9000000000000001, ${HOLD}, 5, 'test', 'held', NULL, NULL, NULL, NULL)`,
  },
  {
    finds: ['R10'],
    fault: 'an activation has another fee than was paid',
    sql: `UPDATE activation SET fee = fee + 1`,
  },
  {
    finds: ['R10'],
    fault: 'a fee was paid and the account is not activated',
    sql: `SELECT ledger_post('activation', ${WALLET}, 9000000000000005, 20000, 'user', '2', NULL, NULL, NULL, NULL)`,
  },
  {
    finds: ['R10'],
    fault: 'a gift was refunded and not voided',
    sql: `UPDATE first_gift SET user_id = 2, voided_at = NULL WHERE delivery_id = '${DELIVERIES.giftRefunded}'`,
  },
  {
    finds: ['R10'],
    fault: 'a gift was delivered and voided',
    sql: `UPDATE first_gift SET voided_at = now() WHERE delivery_id = '${DELIVERIES.gift}'`,
  },
  {
    finds: ['R10'],
    fault: 'a gift’s delivery has no gift',
    sql: `DELETE FROM first_gift WHERE delivery_id = '${DELIVERIES.gift}'`,
  },
  {
    finds: ['R10'],
    fault: 'an exchange’s delivery has no order of that amount',
    sql: `UPDATE exchange_order SET amount = amount + 1 WHERE delivery_id = '${DELIVERIES.open}'`,
  },
  ...[
    'provider_event_id = provider_event_id || 1',
    "account_number = '1'",
    'bank_ref = NULL',
    "booked_at = booked_at - interval '1 second'",
    "received_at = received_at - interval '1 second'",
    "signature = 'pulled'",
  ].map((change) => ({
    finds: ['R12'],
    fault: `a payment event was changed: ${change}`,
    sql: `UPDATE payment_event SET ${change}`,
  })),
  ...["raw = raw || 'x'::bytea", "memo = 'khac'", "full_text = 'khac'", "code = 'TCXAAAAAAAAAA'"].map(
    (change) => ({
      finds: ['R12'],
      fault: `the body of a payment event was changed: ${change}`,
      sql: `UPDATE payment_event_body SET ${change}`,
    }),
  ),
  {
    finds: ['R12', 'R16'],
    fault: 'a payment event that decides nothing was put in behind the portal’s back',
    sql: `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status)
            VALUES ('sepay', 'planted', 'valid', 'in', 1, '1', 'ignored')`,
  },
  {
    finds: ['R7', 'R12', 'R16'],
    fault: 'a payment event was changed and another is gone',
    sql: `INSERT INTO payment_event_seal (event_id, part, digest) VALUES (999999, 'event', '');
          UPDATE payment_event SET amount = amount + 1`,
  },
  {
    finds: ['R11'],
    fault: 'a key was claimed and its work never stored',
    sql: `UPDATE idempotency_key SET result_type = NULL, result_id = NULL, response = NULL WHERE scope = 'user:1:transfer'`,
  },
  ...['activate', 'transfer', 'order', 'exchange'].map((operation) => ({
    finds: ['R11'],
    fault: `a key of ${operation} points at a result that is not there`,
    sql: `UPDATE idempotency_key SET result_id = '0' WHERE scope = 'user:1:${operation}'`,
  })),
  { finds: ['R13'], fault: 'a team plays that has not paid its fee', sql: TOURNAMENT },
  { finds: ['R13'], fault: 'a team has paid more than its fee', sql: `${TOURNAMENT}; ${CHARGE(101)}` },
  {
    finds: ['R13'],
    fault: 'a fee is kept from a team that is out',
    sql: `${TOURNAMENT}; ${CHARGE(100)};
      UPDATE teams SET state = 'withdrawn', withdrawn_at = now(), withdrawn_for = 'left'`,
  },
  {
    finds: ['R13'],
    fault: 'a fee is kept of a tournament that was cancelled',
    sql: `${TOURNAMENT}; ${CHARGE(100)}; UPDATE tournaments SET cancelled_at = now() - interval '2 hours'`,
  },
  {
    finds: ['R12', 'R16'],
    fault: 'a notice was set aside without a reason',
    sql: `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status)
            VALUES ('sepay', '9', 'valid', 'in', 70000, '7', 'ignored')`,
  },
  {
    finds: ['R12', 'R16'],
    fault: 'two notices are credited with one transfer',
    sql: `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status, bank_transaction_id)
            SELECT 'casso', '9', 'valid', 'in', amount, account_number, 'applied', id FROM bank_transaction`,
  },
  {
    finds: ['R16'],
    fault: 'money is credited that nobody told of',
    sql: `UPDATE payment_event SET bank_transaction_id = NULL, status = 'review', reason = 'no-code'`,
  },
]

describe('a whole world in order', () => {
  test('every reconciliation finds nothing, and has its one row', async () => {
    const rows = await reconcile(ledger.app)
    expect(rows.map((row) => [row.check, row.count])).toEqual(
      Array.from({ length: 16 }, (_, index) => [`R${index + 1}`, 0]),
    )
    expect(rows.every((row) => row.meaning.length > 10)).toBe(true)
  })
  test('it holds something for every reconciliation to look at', async () => {
    const { rows } = await ledger.owner.query(
      `SELECT (SELECT count(*) FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE a.kind = 'delivery_hold') AS held,
              (SELECT count(*) FROM delivery) AS deliveries, (SELECT count(*) FROM idempotency_key) AS keys`,
    )
    expect(rows).toEqual([{ held: '9', deliveries: '5', keys: '4' }])
  })
})

/** What is found broken once the fault is in; afterwards all is as before. */
async function brokenBy(fault: string): Promise<string[]> {
  const undo = new Error('taken back')
  const broken: string[] = []
  await asOwner
    .transaction()
    .execute(async (tx) => {
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      for (const statement of fault.split(';')) await sql.raw(statement).execute(tx)
      for (const { check, find } of reconcileQueries) {
        const { count, examples } = await find(tx)
        invariant(examples.length === Math.min(count, RECONCILIATION_EXAMPLES_MAX), 'the first are named')
        if (count > 0) broken.push(check)
      }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return broken
}

describe('a fault is found by the reconciliations it concerns and by no other', () => {
  test.for(faults)('$finds: $fault', async ({ sql: fault, finds }) => {
    expect(await brokenBy(fault)).toEqual(finds)
    expect(await brokenChecks(ledger)).toEqual([])
  })

  test('every reconciliation has a fault of its own', () => {
    expect(new Set(faults.flatMap((fault) => fault.finds)).size).toBe(16)
  })
})
