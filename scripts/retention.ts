import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What happens to the rows of a table that grows with use. `job` is the name of the worker's loop that removes them. */
type Retention = { tables: string[]; stored: string; why: string; job: string | null }

/** Tables separated by spaces. */
const forGood = (tables: string, why: string): Retention => ({
  tables: tables.split(' '),
  stored: 'for good',
  why,
  job: null,
})

const until = (tables: string, stored: string, [job, why]: readonly [string, string]): Retention => ({
  tables: tables.split(' '),
  stored,
  why,
  job,
})

export const GROWING: readonly Retention[] = [
  until('rate_limit', 'until the counter ends', ['expired counters', 'limits of calls']),
  until('one_time_code', '2 days', ['old codes', 'a code lives 10 minutes, its tries count for a day']),
  until('sms_message', '30 days', ['old messages', 'complaints about codes']),
  until('sms_code_day', '30 days', ['old messages', 'ceilings and the share of codes used']),
  until('password_reset', '30 minutes', ['old password links', 'the link opens nothing later']),
  until('password_request', 'until it is answered, 30 minutes at most', ['password requests', 'a queue']),
  until('mail_outbox', 'until it is sent, 24 hours at most', ['mail', 'a queue']),
  until('push_message', 'until it is sent, 24 hours at most', ['push', 'a queue']),
  until('sessions', '7 days without use, 30 days in all; of the console 12 hours', [
    'expired sessions',
    'a session that ended lets nobody in',
  ]),
  until('known_device', '180 days without use, an address 30', [
    'forgotten devices',
    'not locked out, no mail',
  ]),
  until('sign_in', '90 days', ['old sign-ins', 'the history a player sees']),
  until('notice', '180 days', ['old notices', 'what a player was told; statement and receipts stay']),
  until('delivery_attempt', '90 days', ['old delivery attempts', 'disputes about goods']),
  until('game_comparison', '90 days after its end', ['old comparisons', 'what was given again, and why']),
  until('missing_delivery', 'as its comparison', [
    'old comparisons',
    'what was given again is a delivery of its own',
  ]),
  until('tournament_events', '90 days after the end of the tournament', [
    'old tournament events',
    'spectators come back, and acts are undone, on its days only',
  ]),
  until('ranking_days', '90 days', ['old rankings', 'what players look up again']),
  until('ranking_day_entries', 'as its day', ['old rankings', 'what players look up again']),
  until('recharge_claim_picture', '90 days, and while the claim is open', [
    'claim pictures',
    'receipts name people',
  ]),
  until('help_case help_message help_picture help_visitor', '180 days after it was closed', [
    'past cases',
    'what was answered before; closed after 14 days without a message',
  ]),
  until('client_error', '90 days after it was met last', [
    'old client errors',
    'whether a later release mended it; names nobody',
  ]),
  until('payment_event_body', '24 months, and until it is decided', [
    'old payment notifications',
    'disputes with banks; names people',
  ]),
  until('audit_personal', '24 months', [
    'old personal parts of the audit trail',
    'who acted from where; the chain has its hash',
  ]),
  until('idempotency_key', 'the answer 30 days, the key for good', [
    'old answers',
    'a late repeat must not move money twice (R11); answers name people',
  ]),
  until('post_view', 'the present day and the one before', ['posts.purge', 'one view a visitor and day']),
  until('daily_close_due', 'until the day is closed', ['reconciliation', 'a queue']),
  forGood(
    'ledger_account ledger_transfer ledger_entry activation credit_reversal',
    'the books; nobody may change them',
  ),
  forGood(
    'payment_order payment_event payment_event_seal bank_transaction bank_transfer_act gateway_refund payment_checkout',
    'what a credit rests on; R7 and R12 compare it',
  ),
  forGood(
    'promotion promotion_use order_bonus gift_code_batch gift_code gift_code_use invitation_reward',
    'what orders were promised, and codes and invitations gave; R14 and R15 compare it',
  ),
  forGood(
    'delivery delivery_collection exchange_order first_gift reward order_purchase check_in milestone_claim',
    'what a purchase or a reward rests on; R8 to R10 compare it',
  ),
  forGood('tournament_charges', 'what was taken in the game and given back; R13 compares it'),
  forGood(
    'audit_log audit_seal proposal proposal_agreement planned_price give_again_batch budget milestone_program milestone_step',
    'who decided what; a chain that cannot be cut',
  ),
  forGood('bank_statement_day given_statement daily_close reconciliation_run', 'proof of the books'),
  forGood(
    'statistics_hour statistics_part statistics_payer statistics_active statistics_active_player listed_balance campaign_report campaign_report_day',
    'figures of the console, ids without names',
  ),
  forGood(
    'users user_contacts contact_hint second_factor recovery_code player_note order_note game_character game_character_fetch ranking_nickname imported_account erased_name notice_preference notice_digest',
    'the account, until portal erase',
  ),
  forGood('account_change', 'what the game was told; of an erased account until the game has answered'),
  forGood('deletion_request', 'who asked and what came of it; the message is erased with them'),
  forGood('consent', 'proof of what an account agreed to'),
  forGood('recharge_claim recharge_claim_note', 'answers about money, until portal erase'),
  forGood(
    'game.characters game.items game.deliveries game.charges',
    'the embedded game’s own; empty with a game server',
  ),
]

/** Why tables do not grow with use, and which these are. */
export const NOT_GROWING: Readonly<Record<string, string>> = {
  'a row an alarm': 'alarm_notice',
  'one row': 'audit_head game_accounts game_description maintenance push_key statistics_turn',
  'a row a line': 'audit_line',
  'a row for each kind of content': 'content_version',
  'written by editors': 'categories picture picture_file post_categories posts',
  'a row an owner and day': 'daily_digest',
  'at most ten a player, each until its session ends': 'push_subscription',
  'two rows': 'installation',
  'one an owner and text': 'legal_draft',
  'published by owners, each version for good': 'legal_text',
  'acts of operators, for good as the trail of them is': 'limited_act goods_promise',
  'bounded by its tournament':
    'matches team_invitations team_members teams tournament_draw tournament_follower tournament_reminder',
  'a row a provider': 'payment_provider provider_list',
  'one an editor and post': 'post_draft',
  '100 a post; older ones are removed when one is added': 'post_revision',
  'replaced by each refresh': 'ranking_entries ranking_staging',
  'written by operators': 'answer_template game_name ranking_groups servers tournaments',
  'a row a board': 'ranking_snapshots',
  'a row a task': 'reconciliation_task',
  'a row a migration': 'schema_migration',
  'a row a setting': 'settings',
  'at most 20 an operator and list': 'saved_filter',
  'written by owners': 'staff_invite',
  'a row a check': 'stored_check',
  'until it is done or not due any more': 'failed_work',
  'a row a timer': 'backup_run',
  'given by owners': 'user_roles',
  'a row a role that was taken': 'former_role',
}

export function retentionDocument(): string {
  const growing = GROWING.map(
    ({ tables, stored, why, job }) =>
      `- ${named(tables)}: ${stored}; ${why}${job === null ? '' : ` [${job}]`}`,
  )
  return [
    '# How long data is stored',
    '',
    'Written by `npm run retention` from `scripts/retention.ts`; a test fails when a table is in neither list. Jobs run in the worker, in small batches by an index; `npm run torture -- --retention 20000` tests them under load. What `portal erase` removes: [law.md](law.md).',
    '',
    '## Tables that grow with use',
    '',
    'How long the rows are stored; why; the job that removes them.',
    '',
    ...growing,
    '',
    '## Tables that do not',
    '',
    ...Object.entries(NOT_GROWING).map(([why, tables]) => `- ${named(tables.split(' '))}: ${why}`),
    '',
  ].join('\n')
}

const named = (tables: readonly string[]) => tables.map((table) => `\`${table}\``).join(', ')

// `npm run retention`; tests/repo/retention.test.ts reports when the document is stale.
if (import.meta.main) await writeFile(join(import.meta.dirname, '../docs/retention.md'), retentionDocument())
