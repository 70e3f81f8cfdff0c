import { asOwner, sql, type Guard } from './guards.ts'
import { outcomeOf } from './ledger.ts'
import { DELIVERIES } from './whole-world.ts'

const UNIQUE = '23505'
const CHECK = '23514'
const APPEND_ONLY = 'CN002'

/** What makes a thing happen once, or keeps it as it was, in the rows around the ledger. For the whole world. */
export const rowGuards: Guard[] = [
  {
    guard: 'one activation for each player',
    remove: sql(`ALTER TABLE activation DROP CONSTRAINT activation_pkey`),
    probe: asOwner(`INSERT INTO activation (user_id, fee) VALUES (1, 0)`),
    refusal: UNIQUE,
  },
  {
    guard: 'one activation for each payment',
    remove: sql(`ALTER TABLE activation DROP CONSTRAINT activation_transfer_id_key`),
    probe: asOwner(
      `INSERT INTO activation (user_id, transfer_id, fee) SELECT 2, transfer_id, fee FROM activation`,
    ),
    refusal: UNIQUE,
  },
  {
    guard: 'a fee has its payment, and only a fee has',
    remove: sql(`ALTER TABLE activation DROP CONSTRAINT activation_paid`),
    probe: asOwner(`INSERT INTO activation (user_id, fee) VALUES (2, 20000)`),
    refusal: CHECK,
  },
  {
    guard: 'one player for each wallet',
    remove: sql(`ALTER TABLE users DROP CONSTRAINT users_wallet_account_id_key`),
    probe: asOwner(`INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
      SELECT 3, 'haigiong', '-', '1', wallet_account_id FROM users WHERE id = 1`),
    refusal: UNIQUE,
  },
  {
    guard: 'each event of a provider once',
    remove: sql(`ALTER TABLE payment_event DROP CONSTRAINT payment_event_once`),
    probe:
      asOwner(`INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number)
      VALUES ('sepay', '1', 'valid', 'in', 500000, '0011000000001')`),
    refusal: UNIQUE,
  },
  {
    guard: 'each transfer at the bank once, whoever reports it',
    remove: sql(`DROP INDEX bank_transaction_once`),
    probe: asOwner(`INSERT INTO bank_transaction (account_number, direction, bank_ref, amount, state)
      VALUES ('0011000000001', 'in', 'FT1', 500000, 'review')`),
    refusal: UNIQUE,
  },
  {
    guard: 'one bank transfer for each credit',
    remove: sql(`ALTER TABLE bank_transaction DROP CONSTRAINT bank_transaction_transfer_id_key`),
    probe:
      asOwner(`INSERT INTO bank_transaction (account_number, direction, amount, state, credited, transfer_id)
      SELECT account_number, direction, amount, state, credited, transfer_id FROM bank_transaction`),
    refusal: UNIQUE,
  },
  {
    guard: 'a credited bank transfer names its credit',
    remove: sql(`ALTER TABLE bank_transaction DROP CONSTRAINT bank_transaction_credit`),
    probe: asOwner(`INSERT INTO bank_transaction (account_number, direction, amount, state)
      VALUES ('0011000000001', 'in', 1, 'credited')`),
    refusal: CHECK,
  },
  {
    guard: 'the facts of an event stay',
    remove: sql(`DROP TRIGGER payment_event_facts ON payment_event`),
    probe: asOwner(`UPDATE payment_event SET amount = amount + 1`),
    refusal: APPEND_ONLY,
  },
  {
    guard: 'a final delivery stays final',
    remove: sql(`DROP TRIGGER delivery_final ON delivery`),
    probe: asOwner(`UPDATE delivery SET state = 'refunded' WHERE id = '${DELIVERIES.delivered}'`),
    refusal: APPEND_ONLY,
  },
  {
    guard: 'a delivery that is being sent has a lease, and no other has',
    remove: sql(`ALTER TABLE delivery DROP CONSTRAINT delivery_lease`),
    probe: asOwner(`UPDATE delivery SET state = 'sending' WHERE id = '${DELIVERIES.open}'`),
    refusal: CHECK,
  },
  {
    guard: 'one live gift for each player',
    remove: sql(`DROP INDEX first_gift_one_each`),
    probe: asOwner(`UPDATE first_gift SET voided_at = NULL WHERE delivery_id = '${DELIVERIES.giftRefunded}'`),
    refusal: UNIQUE,
  },
  {
    guard: 'append-only: the audit trail',
    remove: sql(`DROP TRIGGER audit_log_append_only ON audit_log`),
    probe: async (ledger) => {
      await ledger.owner.query(
        `SELECT audit_append('system', NULL, 'test.act', 'test', '1', NULL, '{}', NULL, NULL, NULL)`,
      )
      return outcomeOf(ledger.owner.query(`UPDATE audit_log SET action = 'nothing'`))
    },
    refusal: APPEND_ONLY,
  },
]
