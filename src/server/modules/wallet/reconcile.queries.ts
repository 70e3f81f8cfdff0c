import { sql } from 'kysely'
import {
  RECONCILIATION_EXAMPLES_MAX,
  type ReconciliationExample,
  type ReconciliationRule,
} from '#contract/operator/daily-closes.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export type Found = { count: number; examples: ReconciliationExample[] }

type Check = { check: ReconciliationRule; meaning: string; find: (tx: Tx) => Promise<Found> }

/** `text` selects a row for each fault: what it is about (`kind` and `id`). */
const check = (name: ReconciliationRule, meaning: string, text: string): Check => ({
  check: name,
  meaning,
  find: async (tx) => {
    const { rows } = await sql
      .raw<{ count: string; examples: ReconciliationExample[] }>(
        `WITH broken (kind, id) AS MATERIALIZED (${text})
         SELECT count(*) AS count,
                (SELECT coalesce(json_agg(example), '[]') FROM
                  (SELECT kind, id::text AS id FROM broken LIMIT ${RECONCILIATION_EXAMPLES_MAX}) example) AS examples
           FROM broken`,
      )
      .execute(tx)
    return { count: Number(rows[0]?.count), examples: rows[0]?.examples ?? [] }
  },
})

/** Everything is read: at full size a check takes longer than any other statement may. */
export async function allowLongChecks(tx: Tx): Promise<void> {
  await sql`SELECT set_config('statement_timeout', '600s', true)`.execute(tx)
}

/** Whose a ledger account is: a player's, or one of the portal's own. */
const HOLDER = `CASE WHEN a.user_id IS NULL THEN 'ledger-account' ELSE 'user' END, coalesce(a.user_id, a.id)::text`

/**
 * The sixteen reconciliations. They read across the modules' tables on purpose: each compares two things that different
 * code has written. What they state about an account holds for each stripe of a house account by itself; what is held for
 * deliveries is the sum of the stripes.
 */
export const reconcileQueries: readonly Check[] = [
  check(
    'R1',
    'the sum of all balances is not 0',
    `SELECT NULL, NULL FROM ledger_account HAVING sum(balance) <> 0`,
  ),
  check(
    'R2',
    'a balance differs from the sum of its entries',
    `SELECT ${HOLDER} FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
      GROUP BY a.id, a.user_id, a.balance HAVING a.balance <> coalesce(sum(e.amount), 0)`,
  ),
  check(
    'R3',
    'an account’s entries are not numbered 1…version without a gap',
    `SELECT ${HOLDER} FROM ledger_account a LEFT JOIN ledger_entry e ON e.account_id = a.id
      GROUP BY a.id, a.user_id, a.version
      HAVING a.version <> count(e.*) OR (count(e.*) > 0 AND (min(e.account_version) <> 1 OR max(e.account_version) <> a.version))`,
  ),
  check(
    'R4',
    'an entry does not start where the one before it ended',
    `SELECT 'ledger-transfer', transfer_id::text FROM (
       SELECT transfer_id, balance_before, lag(balance_after, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY account_version) AS previous
         FROM ledger_entry) chain
      WHERE balance_before <> previous`,
  ),
  check(
    'R5',
    'an account is overdrawn that may not be',
    `SELECT ${HOLDER} FROM ledger_account a WHERE balance < 0 AND NOT may_overdraw`,
  ),
  check(
    'R6',
    'a transfer has not exactly its two entries',
    `SELECT 'ledger-transfer', t.id::text FROM ledger_transfer t LEFT JOIN ledger_entry e ON e.transfer_id = t.id
      GROUP BY t.id, t.debit_account, t.credit_account, t.amount, t.kind
      HAVING count(e.*) <> 2 OR sum(e.amount) <> 0
          OR count(*) FILTER (WHERE e.account_id = t.debit_account AND e.amount = -t.amount AND e.kind = t.kind) <> 1
          OR count(*) FILTER (WHERE e.account_id = t.credit_account AND e.amount = t.amount AND e.kind = t.kind) <> 1`,
  ),
  check(
    'R7',
    'money that arrived and its credit do not match one to one',
    `-- An applied event without a credited bank transaction.
     SELECT 'payment-event', e.id::text FROM payment_event e
       LEFT JOIN bank_transaction b ON b.id = e.bank_transaction_id
      WHERE e.status = 'applied' AND (b.id IS NULL OR b.state <> 'credited' OR b.amount <> e.amount)
     UNION ALL
     -- A credited bank transaction without its transfer.
     SELECT 'bank-transfer', b.id::text FROM bank_transaction b
       LEFT JOIN ledger_transfer t ON t.id = b.transfer_id AND t.kind = 'recharge'
      WHERE b.state = 'credited' AND (t.id IS NULL OR t.amount <> b.credited)
     UNION ALL
     -- A recharge transfer without one bank transaction.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer t
      WHERE t.kind = 'recharge' AND (SELECT count(*) FROM bank_transaction b WHERE b.transfer_id = t.id)
        <> (NOT EXISTS (SELECT FROM ledger_transfer back WHERE back.reverses_id = t.id))::int
     UNION ALL
     -- A recharge taken back otherwise than by its mirror.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer back
       JOIN ledger_transfer t ON t.id = back.reverses_id AND t.kind = 'recharge'
      WHERE back.kind <> 'reversal' OR back.amount <> t.amount
         OR back.debit_account <> t.credit_account OR back.credit_account <> t.debit_account
     UNION ALL
     -- A recharge taken back without a record of it, or with another.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer back
       JOIN ledger_transfer t ON t.id = back.reverses_id AND t.kind = 'recharge'
       LEFT JOIN credit_reversal c ON c.transfer_id = back.id
       LEFT JOIN bank_transaction outgoing ON outgoing.id = c.outgoing_id
      WHERE c.transfer_id IS NULL OR t.source_type <> 'bank_transaction'
         OR split_part(t.source_id, ':', 1) <> c.bank_transaction_id::text
         OR (c.outgoing_id IS NOT NULL AND outgoing.reversal_of IS DISTINCT FROM c.bank_transaction_id)
     UNION ALL
     -- A credited bank transaction that the bank took back.
     SELECT 'bank-transfer', b.id::text FROM bank_transaction outgoing
       JOIN bank_transaction b ON b.id = outgoing.reversal_of
      WHERE b.state <> 'refunded' OR b.amount <> outgoing.amount
     UNION ALL
     -- An order credited otherwise than its bank transactions.
     SELECT 'recharge-order', o.code FROM payment_order o
      WHERE o.credited <> (SELECT coalesce(sum(b.credited), 0) FROM bank_transaction b
                            WHERE b.order_id = o.id AND b.state = 'credited')`,
  ),
  check(
    'R8',
    'a delivery’s state and its ledger transfers disagree',
    `SELECT 'delivery', d.id::text FROM delivery d
       LEFT JOIN ledger_transfer t ON t.source_type = 'delivery' AND t.source_id = d.id::text
      GROUP BY d.id, d.state, d.amount, d.kind
      -- Goods that are given again, and rewards, cost nothing.
      HAVING CASE WHEN d.kind IN ('again', 'reward') THEN count(t.*) > 0 ELSE
             count(*) FILTER (WHERE t.kind = d.kind || '_hold' AND t.amount = d.amount) <> 1
          OR count(*) FILTER (WHERE t.kind = d.kind || '_settle' AND t.amount = d.amount) <> (d.state = 'delivered')::int
          OR count(*) FILTER (WHERE t.kind = d.kind || '_refund' AND t.amount = d.amount) <> (d.state = 'refunded')::int
          OR count(t.*) <> 1 + (d.state IN ('delivered', 'refunded'))::int
          -- What is settled or refunded leaves the very row that it is held in.
          OR count(DISTINCT CASE t.kind WHEN d.kind || '_hold' THEN t.credit_account ELSE t.debit_account END) > 1 END`,
  ),
  check(
    'R9',
    'the amounts of open deliveries differ from what is held for them',
    `SELECT 'ledger-account', min(a.id)::text FROM ledger_account a
      WHERE a.kind = 'delivery_hold'
     HAVING sum(a.balance) <> (SELECT coalesce(sum(amount), 0) FROM delivery WHERE state NOT IN ('delivered', 'refunded'))`,
  ),
  check(
    'R10',
    'an activation, a first gift or a reward does not match its one transfer or delivery',
    `SELECT 'user', a.user_id::text FROM activation a LEFT JOIN ledger_transfer t ON t.id = a.transfer_id AND t.kind = 'activation'
      WHERE a.fee > 0 AND (t.id IS NULL OR t.amount <> a.fee)
     UNION ALL
     -- An activation transfer without its activation.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer t
      WHERE t.kind = 'activation' AND NOT EXISTS (SELECT FROM activation a WHERE a.transfer_id = t.id)
     UNION ALL
     -- A gift delivery without its gift.
     SELECT 'delivery', d.id::text FROM delivery d
      WHERE d.kind = 'gift' AND NOT EXISTS (SELECT FROM first_gift g WHERE g.delivery_id = d.id)
     UNION ALL
     -- A gift voided without a refund, or refunded without being voided.
     SELECT 'delivery', d.id::text FROM first_gift g
       JOIN delivery d ON d.id = g.delivery_id
      WHERE (g.voided_at IS NOT NULL) <> (d.state = 'refunded')
     UNION ALL
     -- A reward that was delivered without its row.
     SELECT 'delivery', d.id::text FROM delivery d
      WHERE d.kind = 'reward' AND NOT EXISTS (SELECT FROM reward r WHERE r.delivery_id = d.id AND r.user_id = d.user_id)
     UNION ALL
     -- A reward voided without being refused, or refused without being voided.
     SELECT 'delivery', d.id::text FROM reward r
       JOIN delivery d ON d.id = r.delivery_id
      WHERE (r.voided_at IS NOT NULL) <> (d.state = 'refunded') OR d.kind <> 'reward'
     UNION ALL
     -- A check-in or a milestone that is not what its reward was given for, or a reward without it.
     SELECT 'delivery', delivery_id::text FROM reward r
       FULL JOIN (
         SELECT delivery_id, user_id, 'check_in:' || day AS given_for FROM check_in
         UNION ALL
         SELECT c.delivery_id, c.user_id, 'milestone:' || s.program_id || ':' || s.id
           FROM milestone_claim c JOIN milestone_step s ON s.id = c.step_id) claimed
         USING (delivery_id, user_id, given_for)
      WHERE (claimed IS NULL AND r.voided_at IS NULL AND r.given_for ~ '^(check_in|milestone):') OR r IS NULL
     UNION ALL
     -- An exchange delivery without its order.
     SELECT 'delivery', d.id::text FROM delivery d
      WHERE d.kind = 'exchange' AND NOT EXISTS (
        SELECT FROM exchange_order o WHERE o.delivery_id = d.id AND o.amount = d.amount)`,
  ),
  check(
    'R11',
    'an idempotency key points at no result',
    // What a key names is read as the id that it is: compared as text, every key would be looked for from end to end.
    String.raw`SELECT 'idempotency-key', k.key FROM idempotency_key k
       LEFT JOIN ledger_transfer t ON k.result_type = 'ledger_transfer'
         AND t.id = CASE WHEN k.result_id ~ '^[1-9]\d{0,17}$' THEN k.result_id::bigint END
       LEFT JOIN delivery d ON k.result_type = 'delivery'
         AND d.id = CASE WHEN k.result_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN k.result_id::uuid END
       LEFT JOIN activation a ON k.result_type = 'activation'
         AND a.user_id = CASE WHEN k.result_id ~ '^[1-9]\d{0,17}$' THEN k.result_id::bigint END
       LEFT JOIN payment_order o ON k.result_type = 'payment_order' AND o.code = k.result_id
      WHERE k.result_type IS NULL OR k.result_id IS NULL OR k.response IS NULL
         OR (k.result_type = 'ledger_transfer' AND t.id IS NULL) OR (k.result_type = 'delivery' AND d.id IS NULL)
         OR (k.result_type = 'activation' AND a.user_id IS NULL) OR (k.result_type = 'payment_order' AND o.id IS NULL)`,
  ),
  check(
    'R12',
    'a payment event or its body is not what was stored when it arrived',
    `SELECT 'payment-event', coalesce(e.id, s.event_id)::text
       FROM payment_event e FULL JOIN (SELECT * FROM payment_event_seal WHERE part = 'event') s ON s.event_id = e.id
      WHERE s.digest IS DISTINCT FROM payment_event_digest(e)
     UNION ALL
     -- A body without a seal, or with another. One that was erased leaves its seal.
     SELECT 'payment-event', body.event_id::text
       FROM payment_event_body body
       LEFT JOIN payment_event_seal s ON s.event_id = body.event_id AND s.part = 'body'
      WHERE s.digest IS DISTINCT FROM payment_event_body_digest(body)`,
  ),
  check(
    'R13',
    'the fees taken for a tournament are not those of the teams that play',
    // An admitted team that has paid another sum than the fee.
    `SELECT 'team', team.id::text
       FROM teams team
       JOIN tournaments t ON t.id = team.tournament_id
       LEFT JOIN tournament_charges c ON c.team_id = team.id AND c.state = 'applied'
      WHERE team.state = 'admitted' AND team.captain_id IS NOT NULL AND t.cancelled_at IS NULL
      GROUP BY team.id, t.fee HAVING coalesce(sum(c.luong), 0) <> t.fee
     UNION ALL
     -- A fee that is taken, or will be, from a team that does not play. Those of a cancelled tournament are given back in parts.
     SELECT 'team', c.team_id::text
       FROM tournament_charges c
       JOIN teams team ON team.id = c.team_id
       JOIN tournaments t ON t.id = c.tournament_id
      WHERE c.state IN ('pending', 'applied')
        AND (team.state NOT IN ('held', 'admitted') OR t.cancelled_at < now() - interval '1 hour')`,
  ),
  check(
    'R14',
    'what is held for promises differs from the promises, or what a budget was given from the ledger',
    `SELECT 'ledger-account', min(a.id)::text FROM ledger_account a
      WHERE a.kind = 'promotion_hold'
     HAVING sum(a.balance) <> (SELECT coalesce(sum(held), 0) FROM order_bonus)
                            + (SELECT coalesce(sum(held), 0) FROM gift_code_batch)
     UNION ALL
     -- A budget whose fundings are not those of its account.
     SELECT 'ledger-account', b.account_id::text
       FROM budget b LEFT JOIN ledger_entry e ON e.account_id = b.account_id AND e.kind = 'budget'
      GROUP BY b.id HAVING b.funded <> coalesce(sum(e.amount), 0)
     UNION ALL
     SELECT 'ledger-account', a.id::text FROM ledger_account a
      WHERE a.kind = 'budget' AND NOT EXISTS (SELECT FROM budget b WHERE b.account_id = a.id)`,
  ),
  check(
    'R15',
    'a bonus, gift code or invitation and its ledger transfers disagree, or more was given than limits allow',
    `-- What moved for a bonus; the first id of a cause is the bonus, behind it stands the number of a reversal.
     WITH moved AS MATERIALIZED (
       SELECT split_part(t.source_id, ':', 1) AS bonus, t.*
         FROM ledger_transfer t WHERE t.source_type = 'order_bonus')
     SELECT 'recharge-order', o.code
       FROM order_bonus b
       JOIN payment_order o ON o.id = b.order_id
       JOIN promotion p ON p.id = b.promotion_id
       JOIN budget ON budget.id = p.budget_id
       JOIN users u ON u.id = b.user_id
       LEFT JOIN moved m ON m.bonus = b.id::text
      GROUP BY b.id, o.id, budget.account_id, u.wallet_account_id
      HAVING count(*) FILTER (WHERE m.kind = 'bonus_hold'
                                AND (m.amount > b.promised OR m.debit_account <> budget.account_id)) > 0
          OR coalesce(sum(m.amount) FILTER (WHERE m.kind IN ('bonus_hold', 'reversal')), 0)
             - coalesce(sum(m.amount) FILTER (WHERE m.kind IN ('bonus', 'bonus_release')), 0) <> b.held
          -- What the player has is one grant that was not reversed.
          OR coalesce(sum(m.amount) FILTER (WHERE m.kind = 'bonus'), 0)
             - coalesce(sum(m.amount) FILTER (WHERE m.kind = 'reversal'), 0) <> b.granted
          OR count(*) FILTER (WHERE m.kind = 'bonus' AND m.id = b.transfer_id AND m.amount = b.granted
                                AND m.credit_account = u.wallet_account_id) <> (b.state = 'granted')::int
          OR count(*) FILTER (WHERE m.kind NOT IN ('bonus_hold', 'bonus', 'bonus_release', 'reversal')) > 0
          OR b.user_id <> o.user_id
          -- Only money that was credited brings one.
          OR (b.state = 'granted' AND o.credited = 0)
     UNION ALL
     -- A movement without its bonus.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer t
      WHERE t.kind IN ('bonus_hold', 'bonus', 'bonus_release')
        AND NOT EXISTS (SELECT FROM moved m JOIN order_bonus b ON b.id::text = m.bonus WHERE m.id = t.id)
     UNION ALL
     -- A promotion whose count is not that of its bonuses, or above its cap.
     SELECT 'promotion', p.id::text FROM promotion p LEFT JOIN order_bonus b ON b.promotion_id = p.id
      GROUP BY p.id
      HAVING p.given <> coalesce(sum(b.held + b.granted), 0) OR coalesce(sum(b.held + b.granted), 0) > p.cap_total
     UNION ALL
     -- The same of one player.
     SELECT 'user', coalesce(u.user_id, b.user_id)::text
       FROM promotion_use u
       FULL JOIN (SELECT promotion_id, user_id, sum(held + granted) AS amount FROM order_bonus
                   GROUP BY promotion_id, user_id) b
         ON b.promotion_id = u.promotion_id AND b.user_id = u.user_id
       LEFT JOIN promotion p ON p.id = b.promotion_id
      WHERE coalesce(u.amount, 0) <> coalesce(b.amount, 0) OR b.amount > p.cap_per_player
     UNION ALL
     -- A batch of gift codes whose counts are not those of its uses, above its limits, or that holds something else.
     SELECT 'gift-codes', b.id::text
       FROM gift_code_batch b
       LEFT JOIN budget ON budget.id = b.budget_id
       LEFT JOIN (SELECT batch_id, count(*) AS uses FROM gift_code_use GROUP BY batch_id) u ON u.batch_id = b.id
       LEFT JOIN (SELECT batch_id, count(*) AS codes, sum(uses) AS uses, max(uses) AS most
                    FROM gift_code GROUP BY batch_id) c ON c.batch_id = b.id
       LEFT JOIN (SELECT source_id, sum(CASE kind WHEN 'gift_code_hold' THEN amount ELSE -amount END) AS held,
                         max(debit_account) FILTER (WHERE kind = 'gift_code_hold') AS account
                    FROM ledger_transfer WHERE source_type = 'gift_code_batch' GROUP BY source_id) t
         ON t.source_id = b.id::text
      WHERE b.uses <> coalesce(u.uses, 0) OR b.uses <> c.uses OR b.codes <> c.codes OR c.most > b.uses_per_code
         OR b.uses > b.codes * b.uses_per_code::bigint
         OR b.held <> coalesce(t.held, 0) - coalesce(b.coins, 0) * b.uses
         OR t.account <> budget.account_id
     UNION ALL
     -- A use that gave something else, or to somebody else.
     SELECT 'gift-codes', u.batch_id::text
       FROM gift_code_use u
       JOIN gift_code_batch b ON b.id = u.batch_id
       JOIN users ON users.id = u.user_id
       LEFT JOIN ledger_transfer t
         ON t.kind = 'gift_code' AND t.source_type = 'gift_code_use' AND t.source_id = u.id::text
       LEFT JOIN (SELECT DISTINCT user_id, given_for FROM reward WHERE given_for LIKE 'gift_code:%') r
         ON r.user_id = u.user_id AND r.given_for = 'gift_code:' || u.id
      WHERE t.amount IS DISTINCT FROM b.coins OR t.credit_account <> users.wallet_account_id
         OR (r.user_id IS NULL) <> (b.goods IS NULL)
     UNION ALL
     SELECT 'user', u.user_id::text
       FROM gift_code_use u JOIN gift_code_batch b ON b.id = u.batch_id
      GROUP BY u.batch_id, u.user_id HAVING count(*) > min(b.per_player)
     UNION ALL
     -- A movement or goods without their use.
     SELECT 'ledger-transfer', t.id::text FROM ledger_transfer t
      WHERE (t.kind = 'gift_code' AND NOT EXISTS (
               SELECT FROM gift_code_use u WHERE t.source_type = 'gift_code_use' AND u.id::text = t.source_id))
         OR (t.kind IN ('gift_code_hold', 'gift_code_release') AND NOT EXISTS (
               SELECT FROM gift_code_batch b WHERE t.source_type = 'gift_code_batch' AND b.id::text = t.source_id))
     UNION ALL
     SELECT 'delivery', r.delivery_id::text FROM reward r
      WHERE r.given_for LIKE 'gift_code:%' AND NOT EXISTS (
        SELECT FROM gift_code_use u WHERE u.user_id = r.user_id AND 'gift_code:' || u.id = r.given_for)
     UNION ALL
     -- An invitation that did not give each side what it says, or gave without being granted.
     SELECT 'user', side.user_id::text
       FROM (SELECT invited_id, inviter_id AS user_id, 'inviter' AS side, inviter_coins AS coins FROM invitation_reward
              UNION ALL
             SELECT invited_id, invited_id, 'invited', invited_coins FROM invitation_reward) side
       JOIN users ON users.id = side.user_id
       FULL JOIN (SELECT * FROM ledger_transfer WHERE kind = 'invitation') t
         ON t.source_type = 'invitation' AND t.source_id = side.invited_id || ':' || side.side
      WHERE t.amount IS DISTINCT FROM side.coins OR t.credit_account <> users.wallet_account_id
     UNION ALL
     SELECT 'user', inviter_id::text FROM invitation_reward WHERE state = 'granted'
      GROUP BY inviter_id, month HAVING count(*) > max(per_month)`,
  ),
  check(
    'R16',
    'what providers told of an account and day is not credited, waiting or set aside with its reason',
    `WITH event AS (
       SELECT e.*, coalesce(b.account_number, e.account_number) AS account, b.amount AS moved,
              vietnam_day(coalesce(b.booked_at, b.created_at, e.booked_at, e.received_at)) AS day,
              -- What reports a transfer, and not another one under its reference.
              b.id IS NOT NULL AND e.status <> 'duplicate'
                AND e.reason IS DISTINCT FROM 'reference-conflict' AND e.reason IS DISTINCT FROM 'dismissed-notice' AS is_own
         FROM payment_event e LEFT JOIN bank_transaction b ON b.id = e.bank_transaction_id
        WHERE e.direction = 'in'),
     placed AS (
       SELECT account, day, amount AS told,
              CASE WHEN is_own THEN
                -- A transfer counts once, by its own amount, whatever became of it.
                CASE WHEN row_number() OVER (PARTITION BY bank_transaction_id, is_own ORDER BY id) = 1 THEN moved ELSE 0 END
              WHEN status IN ('new', 'stale', 'review') THEN amount
              WHEN status IN ('duplicate', 'ignored') AND reason IS NOT NULL THEN amount
              ELSE 0 END AS kept
         FROM event
       UNION ALL
       -- A transfer that was credited though nobody told of it.
       SELECT b.account_number, vietnam_day(coalesce(b.booked_at, b.created_at)), 0, b.amount
         FROM bank_transaction b
        WHERE b.direction = 'in' AND b.state = 'credited'
          AND NOT EXISTS (SELECT FROM payment_event e WHERE e.bank_transaction_id = b.id))
     SELECT 'account-day', account || ' ' || day FROM placed
      GROUP BY account, day HAVING sum(told) <> sum(kept)`,
  ),
]
