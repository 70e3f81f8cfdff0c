/** What happens to the rows of a table that grows with use. `job` is the name of the worker's loop that removes them. */
type Kept = { tables: string[]; kept: string; why: string; job: string | null }

const forGood = (tables: string[], why: string): Kept => ({ tables, kept: 'for good', why, job: null })

const until = (table: string, kept: string, { why, job }: { why: string; job: string }): Kept => ({
  tables: [table],
  kept,
  why,
  job,
})

export const GROWING: readonly Kept[] = [
  until('rate_limit', 'until the counter ends', { why: 'limits of calls', job: 'expired counters' }),
  until('one_time_code', '2 days', {
    why: 'a code lives 10 minutes, its tries count for a day',
    job: 'old codes',
  }),
  until('sms_message', '30 days', { why: 'complaints about codes', job: 'old messages' }),
  until('sms_code_day', '30 days', { why: 'ceilings and the share of codes used', job: 'old messages' }),
  until('password_reset', '30 minutes', { why: 'the link opens nothing later', job: 'old password links' }),
  until('password_request', 'until it is answered, 30 minutes at most', {
    why: 'a queue',
    job: 'password requests',
  }),
  until('mail_outbox', 'until it is sent, 24 hours at most', { why: 'a queue', job: 'mail' }),
  until('sessions', '7 days without use, 30 days in all; of the console 12 hours', {
    why: 'a session that ended lets nobody in',
    job: 'expired sessions',
  }),
  until('known_device', '180 days without use, an address 30', {
    why: 'not locked out, no mail',
    job: 'forgotten devices',
  }),
  until('sign_in', '90 days', { why: 'the history a player sees', job: 'old sign-ins' }),
  until('delivery_attempt', '90 days', { why: 'disputes about goods', job: 'old delivery attempts' }),
  until('recharge_claim_picture', '90 days, and while the claim is open', {
    why: 'receipts name people',
    job: 'claim pictures',
  }),
  until('payment_event_body', '24 months, and until it is decided', {
    why: 'disputes with banks; names people',
    job: 'old payment notifications',
  }),
  until('audit_personal', '24 months', {
    why: 'who acted from where; the chain has its hash',
    job: 'old personal parts of the audit trail',
  }),
  until('idempotency_key', 'the answer 30 days, the key for good', {
    why: 'a late repeat must not move money twice (R11); answers name people',
    job: 'old answers',
  }),
  until('post_view', 'the present day and the one before', {
    why: 'one view a visitor and day',
    job: 'posts.purge',
  }),
  until('daily_close_due', 'until the day is closed', { why: 'a queue', job: 'reconciliation' }),
  forGood(
    ['ledger_account', 'ledger_transfer', 'ledger_entry', 'activation', 'credit_reversal'],
    'the books; nobody may change them',
  ),
  forGood(
    [
      'payment_order',
      'payment_event',
      'payment_event_seal',
      'bank_transaction',
      'bank_transfer_act',
      'gateway_refund',
      'payment_checkout',
    ],
    'what a credit rests on; R7 and R12 compare it',
  ),
  forGood(['delivery', 'exchange_order', 'first_gift'], 'what a purchase rests on; R8 to R10 compare it'),
  forGood(
    ['audit_log', 'audit_seal', 'proposal', 'planned_price'],
    'who decided what; a chain that cannot be cut',
  ),
  forGood(['bank_statement_day', 'daily_close', 'reconciliation_run'], 'proof of the books'),
  forGood(
    ['statistics_hour', 'statistics_active', 'statistics_active_player', 'listed_balance'],
    'figures of the console, ids without names',
  ),
  forGood(
    [
      'users',
      'user_contacts',
      'second_factor',
      'recovery_code',
      'player_note',
      'order_note',
      'game_character',
      'game_character_fetch',
      'erased_name',
    ],
    'the account, until portal erase',
  ),
  forGood(['deletion_request'], 'who asked and what came of it; the message is erased with them'),
  forGood(['consent'], 'proof of what an account agreed to'),
  forGood(['recharge_claim', 'recharge_claim_note'], 'answers about money, until portal erase'),
  forGood(
    ['game.characters', 'game.items', 'game.deliveries'],
    'the embedded game’s own; empty with a game server',
  ),
]

/** Tables that do not grow with use, and why. */
export const NOT_GROWING: Readonly<Record<string, string>> = {
  alarm_notice: 'a row an alarm',
  audit_head: 'one row',
  audit_line: 'a row a line',
  content_version: 'a row for each kind of content',
  categories: 'written by editors',
  daily_digest: 'a row an owner and day',
  installation: 'two rows',
  legal_draft: 'one an owner and text',
  legal_text: 'published by owners, each version for good',
  limited_act: 'acts of operators, for good as the trail of them is',
  maintenance: 'one row',
  matches: 'bounded by its tournament',
  payment_provider: 'a row a provider',
  picture: 'written by editors',
  picture_file: 'written by editors',
  post_categories: 'written by editors',
  post_draft: 'one an editor and post',
  post_revision: '100 a post; older ones are removed when one is added',
  posts: 'written by editors',
  provider_list: 'a row a provider',
  ranking_entries: 'replaced by each refresh',
  ranking_groups: 'written by operators',
  ranking_snapshots: 'a row a board',
  reconciliation_task: 'a row a task',
  schema_migration: 'a row a migration',
  servers: 'written by operators',
  settings: 'a row a setting',
  saved_filter: 'at most 20 an operator and list',
  staff_invite: 'written by owners',
  statistics_turn: 'one row',
  stored_check: 'a row a check',
  team_members: 'bounded by its tournament',
  teams: 'bounded by its tournament',
  tournaments: 'written by operators',
  user_roles: 'given by owners',
}

export function retentionDocument(): string {
  const growing = GROWING.map(
    ({ tables, kept, why, job }) => `- ${named(tables)}: ${kept}; ${why}${job === null ? '' : ` [${job}]`}`,
  )
  const others = Map.groupBy(Object.entries(NOT_GROWING), ([, why]) => why)
  return [
    '# How long what is kept',
    '',
    'Written by `npm run retention` from `scripts/retention-table.ts`; a test fails when a table is in neither list. Jobs run in the worker, in small batches by an index; `npm run torture -- --retention 20000` tests them under load. What `portal erase` removes: [law.md](law.md).',
    '',
    '## Tables that grow with use',
    '',
    'How long the rows are kept; why; the job that removes them.',
    '',
    ...growing,
    '',
    '## Tables that do not',
    '',
    ...[...others].map(([why, tables]) => `- ${named(tables.map(([table]) => table))}: ${why}`),
    '',
  ].join('\n')
}

const named = (tables: readonly string[]) => tables.map((table) => `\`${table}\``).join(', ')
