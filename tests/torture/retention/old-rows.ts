import type { Client } from 'pg'

/** How many rows too old, and how many almost that old, are put into each table. */
export type Planting = { old: number; young: number }

/**
 * `insert` reads `n`, `is_old` and `id` of a player from `made`; `isTooOld` is a condition on the table's rows. `among` leaves
 * out what the clients add meanwhile, which would stand in for planted rows that are gone.
 */
type OldRows = { insert: string; isTooOld: string; among?: string; isYoung?: string }

const HOUR_MORE = (age: string) =>
  `now() - interval '${age}' + CASE WHEN is_old THEN -1 ELSE 1 END * interval '1 hour'`
const VIETNAM_DAY = `(now() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`
const DIGEST = (of: string) => `sha256(('${of}' || n)::bytea)`
const NOW_MS = 'extract(epoch FROM now())::bigint * 1000'

/** The table, its columns, and the values of one row: everything is as the portal's own code would have written it. */
const rows = (table: string, values: Record<string, string>, from = 'made'): string =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')}) SELECT ${Object.values(values).join(', ')} FROM ${from}`

/** Closed cases of which `about_id` says for which table they were made; as what `WITH` begins with. */
const closedCases = (name: string): string => `WITH cases AS (
        INSERT INTO help_case (user_id, about_kind, about_id, about_title, state, closed_at)
        SELECT id, 'order', '${name}-' || n, 'Đơn nạp', 'closed', ${HOUR_MORE('180 days')} FROM made RETURNING id, user_id)`
const helpMessage = rows(
  'help_message',
  { case_id: 'id', author_id: 'user_id', is_staff: 'false', text: `'-'` },
  'cases',
)
const caseOf = (message: string, condition: string): string =>
  `(SELECT ${condition} FROM help_message m JOIN help_case c ON c.id = m.case_id WHERE m.id = ${message})`
const CASE_TOO_OLD = `closed_at < now() - interval '180 days'`

/** By table: every one of the retention table that a job cleans up. */
export const OLD_ROWS: Readonly<Record<string, OldRows>> = {
  rate_limit: {
    insert: rows('rate_limit', {
      key: `'planted:' || n`,
      points: '1',
      expire: `${NOW_MS} + CASE WHEN is_old THEN -1 ELSE 1 END * 3600000`,
    }),
    isTooOld: `expire <= ${NOW_MS}`,
    among: `key LIKE 'planted:%'`,
  },
  one_time_code: {
    insert: rows('one_time_code', {
      channel: `'phone'`,
      target: DIGEST('target'),
      code_hash: DIGEST('code'),
      made_at: HOUR_MORE('2 days'),
      tries_since: HOUR_MORE('2 days'),
    }),
    isTooOld: `made_at < now() - interval '2 days'`,
  },
  sms_message: {
    insert: rows('sms_message', {
      provider: `'planted'`,
      message_id: 'n::text',
      sender: DIGEST('sender'),
      outcome: `'help'`,
      received_at: HOUR_MORE('30 days'),
    }),
    isTooOld: `received_at < now() - interval '30 days'`,
  },
  sms_code_day: {
    insert: rows('sms_code_day', {
      day: `${VIETNAM_DAY} - CASE WHEN is_old THEN 31 + n / 1000 ELSE 29 END`,
      prefix: `'84' || lpad((n % 1000)::text, 3, '0')`,
    }).replace('FROM made', 'FROM made WHERE is_old OR n <= 1000 + (SELECT count(*) FROM made WHERE is_old)'),
    isTooOld: `day < ${VIETNAM_DAY} - 30`,
  },
  // One a player.
  password_reset: {
    insert: rows(
      'password_reset',
      {
        user_id: 'users.id',
        token_hash: `sha256(('token' || users.id)::bytea)`,
        password_mark: `sha256('mark')`,
        sealed_email: `'-'`,
        made_at: `now() - CASE WHEN users.id % 3 = 0 THEN 1 ELSE 40 END * interval '1 minute'`,
      },
      'users',
    ),
    isTooOld: `made_at < now() - interval '30 minutes'`,
  },
  // Answered one by one, each with a line in the log.
  password_request: {
    insert: rows('password_request', {
      sealed: `'-'`,
      created_at: `now() - interval '2 hours'`,
      next_attempt_at: `now() + CASE WHEN is_old THEN 0 ELSE 1 END * interval '1 hour'`,
    }).replace('FROM made', 'FROM made WHERE n <= 50 OR NOT is_old'),
    isTooOld: `next_attempt_at <= now()`,
  },
  mail_outbox: {
    insert: rows('mail_outbox', {
      kind: `'planted'`,
      sealed: `'-'`,
      created_at: HOUR_MORE('24 hours'),
      next_attempt_at: `now() + CASE WHEN is_old THEN 0 ELSE 1 END * interval '1 hour'`,
    }).replace('FROM made', 'FROM made WHERE n <= 200 OR NOT is_old'),
    among: `kind = 'planted'`,
    isTooOld: `created_at < now() - interval '24 hours'`,
  },
  sessions: {
    insert: rows('sessions', {
      user_id: 'id',
      token_hash: DIGEST('token'),
      expires_at: `now() + CASE WHEN is_old THEN -1 ELSE 2 END * interval '1 hour'`,
      user_agent: `'-'`,
    }),
    among: `user_agent = '-'`,
    isTooOld: 'expires_at <= now()',
  },
  push_message: {
    insert: rows('push_message', {
      notice_id: 'n',
      subscription_id: '0',
      created_at: HOUR_MORE('24 hours'),
      next_attempt_at: `now() + CASE WHEN is_old THEN 0 ELSE 1 END * interval '1 hour'`,
    }),
    among: 'subscription_id = 0',
    isTooOld: `created_at < now() - interval '24 hours'`,
  },
  client_error: {
    insert: rows('client_error', {
      fingerprint: DIGEST('client error'),
      site: `'player'`,
      release: `'planted'`,
      kind: `'part'`,
      message: `'Error'`,
      place: `''`,
      is_new: 'false',
      pages: `'{}'`,
      engines: `'{}'`,
      last_seen: HOUR_MORE('90 days'),
    }),
    among: `release = 'planted'`,
    isTooOld: `last_seen < now() - interval '90 days'`,
  },
  notice: {
    insert: rows('notice', {
      user_id: 'id',
      kind: `'security'`,
      subject: `'planted ' || n`,
      data: `'{"event": "password-changed"}'`,
      created_at: HOUR_MORE('180 days'),
    }),
    among: `subject LIKE 'planted %'`,
    isTooOld: `created_at < now() - interval '180 days'`,
  },
  known_device: {
    insert: rows('known_device', {
      user_id: 'id',
      kind: `CASE WHEN n % 2 = 0 THEN 'cookie' ELSE 'address' END`,
      hash: DIGEST('device'),
      last_seen_at: `CASE WHEN n % 2 = 0 THEN ${HOUR_MORE('180 days')} ELSE ${HOUR_MORE('30 days')} END`,
    }),
    among: `last_seen_at < now() - interval '1 day'`,
    isTooOld: `last_seen_at < now() - CASE kind WHEN 'cookie' THEN interval '180 days' ELSE interval '30 days' END`,
  },
  sign_in: {
    insert: rows('sign_in', {
      user_id: 'id',
      at: HOUR_MORE('90 days'),
      outcome: `'succeeded'`,
      user_agent: `'-'`,
      place: `'VN'`,
      origin_hash: DIGEST('origin'),
      is_new_device: 'false',
    }),
    among: `at < now() - interval '1 day'`,
    isTooOld: `at <= now() - interval '90 days'`,
  },
  // Of a delivery with no further attempts: each new attempt removes all but the last 200 of its delivery.
  delivery_attempt: {
    insert: rows('delivery_attempt', {
      delivery_id: '(SELECT id FROM delivery WHERE settled_at IS NOT NULL LIMIT 1)',
      asked: `'status'`,
      answer: `'unknown'`,
      took_ms: '1',
      asked_at: HOUR_MORE('90 days'),
    }),
    among: `asked_at < now() - interval '1 day'`,
    isTooOld: `asked_at < now() - interval '90 days'`,
  },
  game_comparison: {
    insert: rows('game_comparison', {
      since: `now() - interval '1 year'`,
      until: 'now()',
      state: `'done'`,
      finished_at: HOUR_MORE('90 days'),
    }),
    isTooOld: `finished_at < now() - interval '90 days'`,
  },
  // One a comparison.
  missing_delivery: {
    insert: rows(
      'missing_delivery',
      {
        comparison_id: 'id',
        delivery_id: '(SELECT id FROM delivery WHERE settled_at IS NOT NULL LIMIT 1)',
        server_id: `'1'`,
        bought_at: 'started_at',
      },
      'game_comparison',
    ),
    isTooOld: `comparison_id IN (SELECT id FROM game_comparison WHERE finished_at < now() - interval '90 days')`,
  },
  // One a tournament.
  tournament_events: {
    insert: `WITH over AS (
        INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, cancelled_at)
        SELECT 'planted ' || n, now() - interval '2 years', now() - interval '1 year', 1, 1, 1, ${HOUR_MORE('90 days')}
          FROM made RETURNING id, cancelled_at)
      ${rows('tournament_events', { tournament_id: 'id', number: '1', kind: `'cancel'`, change: `'{}'`, at: 'cancelled_at' }, 'over')}`,
    isTooOld: `at < now() - interval '90 days'`,
  },
  // One a group, which no worker reads again.
  ranking_days: {
    insert: `WITH planted AS (
        INSERT INTO ranking_groups (name, source, board, value_name, position, claimed_until)
        SELECT CASE WHEN is_old THEN 'old ' ELSE 'young ' END || n, 'game', 'level', '-', 9999, 'infinity'
          FROM made RETURNING id, name)
      ${rows('ranking_days', { group_id: 'id', day: `${VIETNAM_DAY} - CASE WHEN name LIKE 'old %' THEN 91 ELSE 89 END`, taken_at: 'now()', class_ids: `'{}'` }, 'planted')}`,
    isTooOld: `day < ${VIETNAM_DAY} - 90`,
  },
  // One a day.
  ranking_day_entries: {
    insert: rows(
      'ranking_day_entries',
      {
        group_id: 'group_id',
        day: 'day',
        rank: '1',
        server_id: `'1'`,
        name: `'planted'`,
        value: '1',
        server_rank: '1',
        server_class_rank: '1',
      },
      'ranking_days',
    ),
    isTooOld: `day < ${VIETNAM_DAY} - 90`,
  },
  // Every tenth of the old ones belongs to a claim whose case waits: it stays.
  recharge_claim_picture: {
    insert: `WITH claims AS (
        INSERT INTO recharge_claim (user_id, amount, paid_at, status, created_at, answered_at, answered_by, message)
        SELECT id, n, now(), CASE WHEN n % 10 = 0 THEN 'open' ELSE 'rejected' END, ${HOUR_MORE('90 days')},
               CASE WHEN n % 10 <> 0 THEN now() END, CASE WHEN n % 10 <> 0 THEN id END, CASE WHEN n % 10 <> 0 THEN '-' END
          FROM made RETURNING id, user_id, status, created_at),
      waiting AS (
        INSERT INTO help_case (user_id, about_kind, about_id, about_title)
        SELECT user_id, 'claim', id, '-' FROM claims WHERE status = 'open')
      ${rows('recharge_claim_picture', { claim_id: 'id', content: `'-'`, width: '1', height: '1', created_at: 'created_at' }, 'claims')}`,
    isTooOld: `created_at < now() - interval '90 days'
      AND NOT EXISTS (SELECT FROM help_case c
            WHERE c.about_kind = 'claim' AND c.about_id = claim_id::text AND c.state = 'open')`,
  },
  help_case: {
    insert: rows('help_case', {
      user_id: 'id',
      about_kind: `'order'`,
      about_id: `'case-' || n`,
      about_title: `'Đơn nạp'`,
      state: `'closed'`,
      closed_at: HOUR_MORE('180 days'),
    }),
    among: `about_id LIKE 'case-%'`,
    isTooOld: CASE_TOO_OLD,
  },
  help_message: {
    insert: `${closedCases('message')} ${helpMessage}`,
    among: caseOf('help_message.id', `about_id LIKE 'message-%'`),
    isTooOld: caseOf('help_message.id', CASE_TOO_OLD),
  },
  help_visitor: {
    insert: `${closedCases('visitor')} ${rows('help_visitor', { case_id: 'id', channel: `'phone'`, contact: `'84912345678'` }, 'cases')}`,
    among: `(SELECT about_id LIKE 'visitor-%' FROM help_case c WHERE c.id = case_id)`,
    isTooOld: `(SELECT ${CASE_TOO_OLD} FROM help_case c WHERE c.id = case_id)`,
  },
  help_picture: {
    insert: `${closedCases('picture')}, messages AS (${helpMessage} RETURNING id)
      ${rows('help_picture', { message_id: 'id', content: `'-'`, width: '1', height: '1' }, 'messages')}`,
    among: caseOf('message_id', `about_id LIKE 'picture-%'`),
    isTooOld: caseOf('message_id', CASE_TOO_OLD),
  },
  // One after the other, as they arrive. Every tenth of the old ones waits for a decision: it stays.
  payment_event_body: {
    insert: `WITH events AS (
        INSERT INTO payment_event (provider, provider_event_id, signature, direction, amount, account_number, status,
            reason, received_at, processed_at)
        SELECT 'planted', n::text, 'valid', 'out', 1, '0', CASE WHEN n % 10 = 0 THEN 'stale' ELSE 'ignored' END,
               'outgoing', ${HOUR_MORE('24 months')} + n * interval '1 microsecond', now()
          FROM made RETURNING id)
      ${rows('payment_event_body', { event_id: 'id', raw: `'-'`, memo: `''`, full_text: `''` }, 'events')}`,
    among: `raw = '-'`,
    isTooOld: `(SELECT received_at < now() - interval '24 months' AND status <> 'stale'
      FROM payment_event e WHERE e.id = event_id)`,
  },
  // The chain of the trail does not hold for these rows, and is not looked at here.
  audit_personal: {
    insert: `WITH entries AS (
        INSERT INTO audit_log (seq, at, actor_kind, action, subject_type, subject_id, details, prev_hash, hash)
        SELECT nextval('audit_log_seq'), ${HOUR_MORE('24 months')}, 'system', 'tests.planted', 'test', n::text, '{}', '', ''
          FROM made RETURNING seq)
      ${rows('audit_personal', { seq: 'seq', content: `'{}'` }, 'entries')}`,
    among: `content = '{}'`,
    isTooOld: `(SELECT at < now() - interval '24 months' FROM audit_log a WHERE a.seq = audit_personal.seq)`,
  },
  idempotency_key: {
    insert: rows('idempotency_key', {
      scope: `'planted:' || id`,
      key: 'n::text',
      request_hash: DIGEST('request'),
      result_type: `'planted'`,
      result_id: 'n::text',
      status_code: '200',
      response: `jsonb_build_object('balance', n)`,
      created_at: HOUR_MORE('30 days'),
    }),
    among: `scope LIKE 'planted:%'`,
    isTooOld: `created_at < now() - interval '30 days' AND response <> '{"erased": true}'`,
    isYoung: `created_at >= now() - interval '30 days' AND response <> '{"erased": true}'`,
  },
  post_view: {
    insert: `WITH post AS (
        INSERT INTO posts (title, excerpt, content, is_published) VALUES ('Bài', '', '', false) RETURNING id AS post_id)
      ${rows('post_view', { post_id: 'post_id', day: `${VIETNAM_DAY} - CASE WHEN is_old THEN 2 ELSE 0 END`, visitor: DIGEST('visitor') }, 'made, post')}`,
    isTooOld: `day < ${VIETNAM_DAY} - 1`,
  },
  // Three days, each changed often.
  daily_close_due: {
    insert: rows('daily_close_due', {
      day: `${VIETNAM_DAY} - CASE WHEN is_old THEN 1 + n % 3 ELSE 0 END`,
    }),
    isTooOld: `day < ${VIETNAM_DAY}`,
  },
}

export async function plantOldRows(owner: Client, { old, young }: Planting): Promise<void> {
  for (const { insert } of Object.values(OLD_ROWS)) {
    const made = `made AS (
      SELECT n, n <= ${old} AS is_old, ids.list[1 + n % cardinality(ids.list)] AS id
        FROM generate_series(1, ${old + young}) n, (SELECT array_agg(id) AS list FROM users) ids)`
    await owner.query(
      insert.startsWith('WITH ') ? insert.replace('WITH ', `WITH ${made}, `) : `WITH ${made} ${insert}`,
    )
  }
}

export type Left = Record<string, { all: number; tooOld: number; young: number }>

/** How many rows of each table there are, how many are too old, and how many are not. */
export async function countRows(owner: Client): Promise<Left> {
  const left: Left = {}
  for (const [table, { isTooOld, isYoung = `NOT (${isTooOld})`, among = 'true' }] of Object.entries(
    OLD_ROWS,
  )) {
    const { rows: counted } = await owner.query<Left[string]>(
      `SELECT count(*)::int AS all, (count(*) FILTER (WHERE ${isTooOld}))::int AS "tooOld",
              (count(*) FILTER (WHERE ${isYoung}))::int AS young
         FROM ${table} WHERE ${among}`,
    )
    left[table] = counted[0] as Left[string]
  }
  return left
}
