import type { AlarmName } from '#contract/operator/alarms.ts'
import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'
import { aTransfer } from './bank.ts'
import { runningBatch } from './gift-codes.ts'
import { aPlayer } from './players.ts'
import { gameTakes } from './rewards.ts'

type Provoke = (portal: TestApp) => Promise<void>

const sql =
  (text: string): Provoke =>
  (portal) =>
    asOwner(portal, text)

const delivery =
  (state: 'parked' | 'pending' | 'delivered', age: string): Provoke =>
  (portal) =>
    aPlayer(portal).then(({ id }) =>
      asOwner(
        portal,
        `INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name, goods, state, created_at, settled_at)
         VALUES (gen_random_uuid(), 'exchange', $1, 100, '1', 'nguoi', 'c', 'C', '[]', '${state}', now() - interval '${age}',
           CASE WHEN '${state}' = 'delivered' THEN now() END)`,
        [id],
      ),
    )

const proposal =
  (kind: string, subject: string, payload: string): Provoke =>
  (portal) =>
    aPlayer(portal).then(({ id }) =>
      asOwner(
        portal,
        `INSERT INTO proposal (kind, subject, payload, reason, proposed_by, proposed_at)
         VALUES ($1, $2, $3, 'Thử cảnh báo', $4, now() - interval '2 hours')`,
        [kind, subject, payload, id],
      ),
    )

/** A close of the day before yesterday, without a list of the bank: its noon is over at any hour. */
const close = (account: string, status: string, differences: string): Provoke =>
  sql(
    `INSERT INTO daily_close (account_number, day, revision, status, differences, arrived_count, arrived_vnd, told_vnd,
         left_vnd, credited_vnd, review_vnd, refunded_vnd, ignored_vnd, due_coins, ledger_coins, order_coins, direct_coins,
         open_events)
       VALUES ('${account}', current_date - 2, 1, '${status}', '${differences}', 1, 50000, 50000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
  )

/** Brings about what each alarm is about. `one-person` is a matter of the environment (TWO_PEOPLE=0). */
export const PROVOKED: Record<Exclude<AlarmName, 'one-person'>, Provoke> = {
  async 'unmatched-transfers'(portal) {
    const id = await aTransfer(portal)
    await asOwner(
      portal,
      `UPDATE bank_transaction SET created_at = now() - interval '2 hours' WHERE id = $1`,
      [id],
    )
  },
  'unread-payment-events': sql(
    `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, received_at)
       VALUES ('sepay', 'unread', 'valid', 'in', 50000, '001', now() - interval '11 minutes')`,
  ),
  async 'waiting-claims'(portal) {
    const { id } = await aPlayer(portal)
    await asOwner(
      portal,
      `WITH claim AS (INSERT INTO recharge_claim (user_id, amount, paid_at) VALUES ($1, 50000, now()) RETURNING id)
         INSERT INTO help_case (user_id, about_kind, about_id, about_title, created_at, last_message_at)
         SELECT $1, 'claim', id, 'Thử cảnh báo', now() - interval '2 hours', now() - interval '2 hours' FROM claim`,
      [id],
    )
  },
  async 'waiting-cases'(portal) {
    const { id } = await aPlayer(portal)
    await asOwner(
      portal,
      `WITH opened AS (INSERT INTO help_case (user_id, about_kind, about_id, about_title, messages)
           VALUES ($1, 'transaction', '1', 'Thử cảnh báo', 1) RETURNING id)
         INSERT INTO help_message (case_id, author_id, is_staff, text, created_at)
         SELECT id, $1, false, 'Thử cảnh báo', now() - interval '25 hours' FROM opened`,
      [id],
    )
  },
  'waiting-credits': proposal(
    'bank-transfer',
    '1',
    '{"act":"credit","user_id":"1","rate":1,"coins":"50000"}',
  ),
  async 'waiting-refunds'(portal) {
    const [{ id: operatorId }, transferId] = [await aPlayer(portal), await aTransfer(portal)]
    await asOwner(
      portal,
      `INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, asked_by, reason, asked_at, next_query_at)
         VALUES ($1, 'THU0000001', 50000, $2, 'Thử cảnh báo', now() - interval '2 hours', now())`,
      [transferId, operatorId],
    )
  },
  'parked-deliveries': delivery('parked', '16 minutes'),
  'late-deliveries': delivery('pending', '6 minutes'),
  async 'collector-silent'(portal) {
    await delivery('delivered', '1 minute')(portal)
    await asOwner(
      portal,
      `INSERT INTO delivery_collection (delivery_id, bought_at) SELECT id, created_at FROM delivery WHERE state = 'delivered';
       INSERT INTO game_description (description, collector_seen_at, tells_collection, read_at)
         VALUES ('{}', now() - interval '3 minutes', true, now())`,
    )
  },
  async 'untakable-goods'(portal) {
    await aPlayer(portal)
    await runningBatch(portal, { coins: null, goods: [{ kind: 'item', code: 'thu-cung', quantity: 1 }] })
    await gameTakes(portal, { pet: 99 })
  },
  'game-accounts-unknown': sql(
    `UPDATE game_accounts SET asked_at = now(), failing_since = now() - interval '3 minutes', failure = 'HTTP 404'`,
  ),
  async 'unsent-account-changes'(portal) {
    const { id } = await aPlayer(portal)
    await asOwner(
      portal,
      `WITH asked AS (UPDATE game_accounts SET asked_at = now())
         INSERT INTO account_change (user_id, version, changed_at) VALUES ($1, 1, now() - interval '3 minutes')`,
      [id],
    )
  },
  'open-payment-events': sql(
    `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status, received_at)
       VALUES ('sepay', 'open#stale', 'valid', 'in', 50000, '001', 'stale', now() - interval '2 hours')`,
  ),
  'missing-backups': sql(
    `INSERT INTO backup_run (kind, succeeded_at) VALUES ('backup', now() - interval '27 hours')`,
  ),
  'client-errors': sql(
    `INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, times, pages, engines)
       VALUES (sha256('1'), 'player', 'x1', 'part', 'TypeError', 'src/web/router.tsx:1:1', true, 10, '{/home}', '{"Chrome 109": 10}')`,
  ),
  'failed-work': sql(
    `INSERT INTO failed_work (job, subject, failures, error, retry_at) VALUES ('bonuses', '1', 1, 'thử', now())`,
  ),
  async 'failed-refunds'(portal) {
    const [{ id: operatorId }, transferId] = [await aPlayer(portal), await aTransfer(portal)]
    await asOwner(
      portal,
      `INSERT INTO gateway_refund (bank_transaction_id, refund_order, amount, state, asked_by, reason, decided_at, result_code)
         VALUES ($1, 'THU0000002', 50000, 'failed', $2, 'Thử cảnh báo', now(), 1080)`,
      [transferId, operatorId],
    )
  },
  'uncompared-closes': close('002', 'green', '{}'),
  'red-closes': close('001', 'red', '{bank-more}'),
  'waiting-proposals': proposal('setting', 'manual_credit_limit', '{}'),
  async 'due-deletions'(portal) {
    const { id } = await aPlayer(portal)
    await asOwner(
      portal,
      `INSERT INTO deletion_request (user_id, due_at) VALUES ($1, now() + interval '2 days')`,
      [id],
    )
  },
  'failed-mails': sql(
    `INSERT INTO mail_outbox (kind, sealed, last_error, created_at) VALUES ('test', 'x', 'EAUTH', now() - interval '16 minutes')`,
  ),
  'audit-chain-broken': sql(
    `UPDATE stored_check SET faults = 1, first_fault = 'hash', first_place = 7, checked_at = now() WHERE name = 'audit-chain'`,
  ),
  'ledger-broken': sql(
    `INSERT INTO reconciliation_run (origin, finished_at, took_ms, found, rules) VALUES ('command', now(), 5, 2, '[]')`,
  ),
}
