import type { DatabaseGuard } from './guard.ts'
import { copyOf, dropOtherKeys, ERASE_PLAYER, holds } from './pieces.ts'

function triggerGuard(
  trigger: string,
  what: string,
  rest: Omit<DatabaseGuard, 'name' | 'removal'>,
): DatabaseGuard {
  const [table, name] = trigger.split('.')
  return { name: `${trigger}: ${what}`, removal: `DROP TRIGGER ${name} ON ${table}`, ...rest }
}

/** Rows that stay as they were written: the trigger, the operations it refuses, and any column. */
const RETAINED: [trigger: string, operations: readonly string[], column: string][] = [
  ['audit_log.audit_log_append_only', ['UPDATE', 'DELETE'], 'request_id'],
  ['audit_log.audit_log_no_truncate', ['TRUNCATE'], ''],
  ['audit_seal.audit_seal_append_only', ['UPDATE', 'DELETE'], 'at'],
  ['audit_seal.audit_seal_no_truncate', ['TRUNCATE'], ''],
  ['bank_transfer_act.bank_transfer_act_append_only', ['UPDATE', 'DELETE'], 'reason'],
  ['bank_transfer_act.bank_transfer_act_no_truncate', ['TRUNCATE'], ''],
  ['credit_reversal.credit_reversal_append_only', ['UPDATE', 'DELETE'], 'lent'],
  ['credit_reversal.credit_reversal_no_truncate', ['TRUNCATE'], ''],
  ['delivery.delivery_no_delete', ['DELETE'], ''],
  ['ledger_entry.ledger_entry_append_only', ['UPDATE', 'DELETE'], 'created_at'],
  ['ledger_entry.ledger_entry_no_truncate', ['TRUNCATE'], ''],
  ['ledger_transfer.ledger_transfer_append_only', ['UPDATE', 'DELETE'], 'request_id'],
  ['ledger_transfer.ledger_transfer_no_truncate', ['TRUNCATE'], ''],
  ['payment_event.payment_event_no_delete', ['DELETE'], ''],
  ['payment_event.payment_event_no_truncate', ['TRUNCATE'], ''],
  ['payment_event_body.payment_event_body_facts', ['UPDATE'], 'memo'],
  ['payment_event_seal.payment_event_seal_append_only', ['UPDATE', 'DELETE'], 'digest'],
  ['payment_event_seal.payment_event_seal_no_truncate', ['TRUNCATE'], ''],
]

const retainedGuards = RETAINED.flatMap(([trigger, operations, column]) => {
  const table = trigger.slice(0, trigger.indexOf('.'))
  const attempts: Record<string, string> = {
    UPDATE: `UPDATE ${table} SET ${column} = ${column}`,
    DELETE: `DELETE FROM ${table}`,
    TRUNCATE: `TRUNCATE ${table} CASCADE`,
  }
  return operations.map((operation) =>
    triggerGuard(trigger, `no ${operation}`, {
      attempt: attempts[operation] ?? '',
      refusal: `CN002 ${table} is append-only: ${operation} refused`,
    }),
  )
})

/** Tables in which nothing is written for a player who was erased. */
const ERASED = [
  'account_change',
  'consent',
  'contact_hint',
  'deletion_request',
  'delivery',
  'game_character',
  'game_character_fetch',
  'help_case',
  'imported_account',
  'known_device',
  'notice',
  'notice_digest',
  'notice_preference',
  'order_note',
  'password_reset',
  'player_note',
  'push_subscription',
  'ranking_nickname',
  'recharge_claim',
  'second_factor',
  'sessions',
  'sign_in',
  'tournament_follower',
  'tournament_reminder',
  'user_contacts',
]

const erasedGuards = ERASED.map((table) =>
  triggerGuard(`${table}.zz_user_not_erased`, 'nothing new for the erased', {
    preparation: `${ERASE_PLAYER}${dropOtherKeys(table)}`,
    attempt: copyOf(table, 'true'),
    refusal: 'CN002 user was erased',
  }),
)

const OLD_TRANSFER = `INSERT INTO bank_transaction (account_number, direction, amount, state, booked_at)
  VALUES ('1', 'in', 1, 'review', now() - interval '2 days');`
const OLD_EVENT = `INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, booked_at)
  VALUES ('sepay', '2', 'valid', 'in', 1, '1', now() - interval '2 days');`

const MADE_DUE = holds(`SELECT count(*) = 1 FROM daily_close_due`)
const PAID = `INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
  SELECT 'adjustment', min(id), max(id), 1, 'test', 'by hand' FROM ledger_account;`

/** Of the tournament that has teams. */
const CLOSE_LIST = `INSERT INTO tournament_draw (tournament_id, closed_at, list, list_digest, chain, round)
  SELECT DISTINCT tournament_id, now(), '[]'::jsonb, repeat('a', 64), '{}'::jsonb, 1 FROM teams`

/** What else triggers guard or do. */
const ownGuards = [
  triggerGuard('tournaments.tournaments_draw_secret', 'the secret of a draw stays', {
    attempt: `UPDATE tournaments SET draw_secret = repeat('0', 64)`,
    refusal: '23000 the secret of a draw never changes',
  }),
  triggerGuard('tournament_draw.tournament_draw_signature', 'the signature of a draw stays', {
    preparation: `UPDATE tournament_draw SET signature = repeat('a', 96)`,
    attempt: `UPDATE tournament_draw SET signature = repeat('b', 96)`,
    refusal: '23000 the signature of a draw never changes',
  }),
  triggerGuard('tournaments.tournaments_drawn_by_beacon', 'a closed list is drawn by its beacon', {
    attempt: `UPDATE tournaments SET drawn_at = now(), drawn_list = '[]' WHERE id IN (SELECT tournament_id FROM tournament_draw)`,
    refusal: '23000 a closed list is drawn by its beacon',
  }),
  ...(
    [
      [
        'teams.teams_closed',
        `INSERT INTO teams (tournament_id, name) SELECT min(tournament_id), 'Thêm' FROM teams`,
      ],
      ['teams.teams_closed_name', `UPDATE teams SET name = name || 'x'`],
      ['teams.teams_closed_seed', `UPDATE teams SET seed = seed + 1 WHERE seed IS NOT NULL`],
      [
        'team_members.team_members_closed',
        `INSERT INTO team_members (tournament_id, team_id, position, character_name)
         SELECT tournament_id, team_id, 7, 'Thêm' FROM team_members`,
      ],
      ['team_members.team_members_closed_name', `UPDATE team_members SET character_name = 'Thêm'`],
    ] as const
  ).map(([trigger, attempt]) =>
    triggerGuard(trigger, 'a closed list stays', {
      preparation: CLOSE_LIST,
      attempt,
      refusal: '23000 the list of a tournament stays as it was closed',
    }),
  ),
  ...(
    [
      ['promotion', `UPDATE promotion SET percent = 50`],
      ['milestone_program', `UPDATE milestone_program SET title = 'Khác'`],
      ['milestone_step', `DELETE FROM milestone_step`],
      ['gift_code_batch', `UPDATE gift_code_batch SET coins = 200`],
    ] as const
  ).map(([table, attempt]) =>
    triggerGuard(`${table}.${table}_terms_stay`, 'the terms stay', {
      preparation: `UPDATE promotion SET state = 'running', started_at = now();
        UPDATE milestone_program SET state = 'running', started_at = now(); DELETE FROM milestone_claim`,
      attempt,
      as: 'portal',
      refusal: `CN002 the terms of ${table} stay once it was started`,
    }),
  ),
  triggerGuard('ledger_transfer.ledger_transfer_balanced', 'a transfer has its entries', {
    attempt: PAID,
    refusal: 'CN003 ledger transfer is not balanced',
  }),
  triggerGuard('payment_event.payment_event_facts', 'the facts stay', {
    attempt: `UPDATE payment_event SET amount = amount + 1`,
    refusal: 'CN002 the facts of a payment event cannot change',
  }),
  triggerGuard('notice.notice_push', 'a notice waits for the browsers of its player', {
    attempt: `INSERT INTO notice (user_id, kind, subject, data) VALUES (1, 'security', 'b', '{"event": "password-reset"}');
      ${holds(`SELECT count(*) = 1 FROM push_message m JOIN notice n ON n.id = m.notice_id WHERE n.subject = 'b'`)}`,
    refusal: 'done',
  }),
  triggerGuard('budget.budget_account', 'a budget has an account of its own', {
    attempt: `INSERT INTO budget (title, made_by, account_id) VALUES ('Tết', 2, 1);
      ${holds(`SELECT kind = 'budget' FROM ledger_account JOIN budget ON account_id = ledger_account.id WHERE title = 'Tết'`)}`,
    refusal: 'done',
  }),
  triggerGuard('delivery.delivery_final', 'what is settled stays settled', {
    attempt: `UPDATE delivery SET state = 'refunded' WHERE state = 'delivered'`,
    refusal: 'CN002 delivery is already delivered',
  }),
  triggerGuard('payment_event.payment_event_sealed', 'each event is sealed', {
    attempt: `${OLD_EVENT}${holds(`SELECT count(*) = 2 FROM payment_event_seal WHERE part = 'event'`)}`,
    refusal: 'done',
  }),
  triggerGuard('payment_event_body.payment_event_body_sealed', 'each body is sealed', {
    attempt: `${OLD_EVENT} INSERT INTO payment_event_body (event_id, raw, memo, full_text)
      SELECT max(id), '-', '-', '-' FROM payment_event;
      ${holds(`SELECT count(*) = 2 FROM payment_event_seal WHERE part = 'body'`)}`,
    refusal: 'done',
  }),
  ...[
    OLD_TRANSFER,
    `UPDATE bank_transaction SET state = state, booked_at = now() - interval '2 days' WHERE id = 1;`,
  ].map((change, at) =>
    triggerGuard('bank_transaction.bank_transaction_turns_close', `makes a close due (${at + 1})`, {
      preparation: `DELETE FROM daily_close_due`,
      attempt: `${change}${MADE_DUE}`,
      refusal: 'done',
    }),
  ),
  triggerGuard(
    'bank_transaction.bank_transaction_invitation_waits',
    'a first recharge makes an invitation due',
    {
      preparation: `DELETE FROM invitation_reward; UPDATE users SET referrer_id = 2 WHERE id = 1`,
      attempt: `UPDATE bank_transaction SET state = state WHERE id = 1;
      ${holds(`SELECT count(*) = 1 FROM invitation_reward WHERE invited_id = 1 AND due_at > now()`)}`,
      refusal: 'done',
    },
  ),
  triggerGuard('payment_event.payment_event_turns_close', 'makes a close due', {
    preparation: `DELETE FROM daily_close_due`,
    attempt: `${OLD_EVENT}${MADE_DUE}`,
    refusal: 'done',
  }),
]

export const triggerGuards: DatabaseGuard[] = [...retainedGuards, ...erasedGuards, ...ownGuards]
