import { type RawBuilder, sql } from 'kysely'
import {
  type CampaignKind,
  CODE_DAYS,
  INVITED_DAYS,
  RETURN_DAYS,
} from '#contract/operator/campaign-reports.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { CAMPAIGN_SUMS, type CampaignKey } from './campaigns.queries.ts'
import type { Span } from './periods.rules.ts'

/** The time in which it ran, and until when everything is counted. */
type Counted = Span & { id: string; until: Date }

type Parts = {
  /** Movements of TCoin: `at`, `user_id` (of none: the campaign’s own), `given`, `taken_back`, and by how much `held` changes. */
  moves?: (counted: Counted) => RawBuilder<unknown>
  /** Ids of the recharges that it brought, as `transfer_id`, where those follow from no time alone. */
  named?: (counted: Counted) => RawBuilder<unknown>
  /** Who took part, `user_id`, and since when, `since`. */
  joined: (counted: Counted) => RawBuilder<unknown>
  /** Whether the recharge `c` of the player `p` was brought by it. */
  isBrought: (counted: Counted) => RawBuilder<unknown>
  /** Deliveries of what it gave. */
  deliveries?: (counted: Counted) => RawBuilder<unknown>
  /** Luong taken, and when it was given back. */
  fees?: (counted: Counted) => RawBuilder<unknown>
}

/** The id of a source that is an operation of its own after each reversal. */
const nthSource = (id: RawBuilder<unknown>, n: RawBuilder<unknown>) =>
  sql`CASE ${n} WHEN 0 THEN ${id}::text ELSE ${id} || ':' || ${n} END`

const IS_NAMED = sql`named.transfer_id IS NOT NULL`

const KINDS: Record<CampaignKind, Parts> = {
  promotions: {
    moves: ({ id, until }) => sql`
      SELECT t.id, t.created_at AS at, b.user_id,
             CASE t.kind WHEN 'bonus' THEN t.amount ELSE 0 END AS given,
             CASE t.kind WHEN 'reversal' THEN t.amount ELSE 0 END AS taken_back,
             CASE t.kind WHEN 'bonus_hold' THEN t.amount WHEN 'reversal' THEN t.amount ELSE -t.amount END AS held
        FROM order_bonus b
       CROSS JOIN LATERAL generate_series(0, b.reversals) AS n
        JOIN ledger_transfer t ON t.source_type = 'order_bonus' AND t.source_id = ${nthSource(sql`b.id`, sql`n`)}
       WHERE b.promotion_id = ${id}::bigint AND t.created_at < ${until}
         AND t.kind IN ('bonus_hold', 'bonus', 'reversal', 'bonus_release')`,
    // A bonus is given in the transaction of its recharge, behind it in the wallet.
    named: () => sql`
      SELECT recharge.transfer_id
        FROM moves
        JOIN users ON users.id = moves.user_id
        JOIN ledger_entry bonus ON bonus.transfer_id = moves.id AND bonus.account_id = users.wallet_account_id
       CROSS JOIN LATERAL (
         SELECT e.transfer_id FROM ledger_entry e
          WHERE e.account_id = bonus.account_id AND e.account_id < 9000000000000000 AND e.kind = 'recharge'
            AND e.account_version < bonus.account_version
          ORDER BY e.account_version DESC LIMIT 1) AS recharge
       WHERE moves.given > 0`,
    joined: () => sql`SELECT user_id, min(at) AS since FROM moves WHERE given > 0 GROUP BY user_id`,
    isBrought: () => IS_NAMED,
  },
  'gift-codes': {
    moves: ({ id, until }) => sql`
      SELECT t.id, t.created_at AS at, u.user_id, t.amount AS given, 0 AS taken_back, -t.amount AS held
        FROM gift_code_use u
        JOIN ledger_transfer t ON t.kind = 'gift_code' AND t.source_type = 'gift_code_use' AND t.source_id = u.id::text
       WHERE u.batch_id = ${id}::bigint AND t.created_at < ${until}
       UNION ALL
      SELECT t.id, t.created_at, NULL, 0, 0, CASE t.kind WHEN 'gift_code_hold' THEN t.amount ELSE -t.amount END
        FROM ledger_transfer t
       WHERE t.kind IN ('gift_code_hold', 'gift_code_release') AND t.source_type = 'gift_code_batch'
         AND t.source_id = ${id} AND t.created_at < ${until}`,
    joined: ({ id, until }) => sql`
      SELECT user_id, min(used_at) AS since FROM gift_code_use
       WHERE batch_id = ${id}::bigint AND used_at < ${until} GROUP BY user_id`,
    isBrought: ({ id }) => sql`EXISTS (
      SELECT FROM gift_code_use u
       WHERE u.batch_id = ${id}::bigint AND u.user_id = p.user_id AND u.used_at <= c.at
         AND u.used_at > c.at - make_interval(days => ${CODE_DAYS}))`,
    deliveries: ({ id }) => sql`
      SELECT d.* FROM gift_code_use u
        JOIN reward r ON r.user_id = u.user_id AND r.given_for = 'gift_code:' || u.id AND r.voided_at IS NULL
        JOIN delivery d ON d.id = r.delivery_id
       WHERE u.batch_id = ${id}::bigint`,
  },
  milestones: {
    // Paid within the time, whenever it was credited, and for whomever first.
    named: ({ from, to, until }) => sql`
      SELECT t.id AS transfer_id, t.credit_account, coalesce(b.booked_at, b.created_at) AS paid_at
        FROM bank_transaction b
       CROSS JOIN LATERAL generate_series(
         0, (SELECT count(*) FROM credit_reversal r WHERE r.bank_transaction_id = b.id)) AS n
        JOIN ledger_transfer t ON t.kind = 'recharge' AND t.source_type = 'bank_transaction'
                              AND t.source_id = ${nthSource(sql`b.id`, sql`n`)}
       WHERE coalesce(b.booked_at, b.created_at) >= ${from} AND coalesce(b.booked_at, b.created_at) < ${to}
         AND t.created_at < ${until}`,
    joined: () => sql`
      SELECT users.id AS user_id, min(named.paid_at) AS since
        FROM named JOIN users ON users.wallet_account_id = named.credit_account GROUP BY users.id`,
    isBrought: () => IS_NAMED,
    deliveries: ({ id }) => sql`
      SELECT d.* FROM milestone_step s
        JOIN milestone_claim m ON m.step_id = s.id
        JOIN delivery d ON d.id = m.delivery_id
       WHERE s.program_id = ${id}::bigint`,
  },
  invitations: {
    moves: ({ from, to, until }) => sql`
      SELECT t.id, t.created_at AS at, u.id AS user_id, t.amount AS given, 0 AS taken_back, 0 AS held
        FROM users u
       CROSS JOIN (VALUES ('inviter'), ('invited')) AS sides (side)
        JOIN ledger_transfer t ON t.kind = 'invitation' AND t.source_type = 'invitation' AND t.source_id = u.id || ':' || side
       WHERE ${isInvited({ from, to })} AND t.created_at < ${until}`,
    joined: (counted) =>
      sql`SELECT u.id AS user_id, u.created_at AS since FROM users u WHERE ${isInvited(counted)}`,
    isBrought: () => sql`c.at < p.created_at + make_interval(days => ${INVITED_DAYS})`,
  },
  tournaments: {
    joined: ({ id, until }) => sql`
      SELECT m.user_id, min(t.created_at) AS since
        FROM teams t JOIN team_members m ON m.team_id = t.id
       WHERE t.tournament_id = ${id}::bigint AND t.state = 'admitted' AND t.created_at < ${until} AND m.user_id IS NOT NULL
       GROUP BY m.user_id`,
    isBrought: ({ from, to }) => sql`c.at >= ${from} AND c.at < ${to}`,
    fees: ({ id, until }) => sql`
      SELECT luong, refunded_at < ${until} AS is_back FROM tournament_charges
       WHERE tournament_id = ${id}::bigint AND applied_at < ${until}`,
  },
}

const isInvited = ({ from, to }: Span) =>
  sql`u.created_at >= ${from} AND u.created_at < ${to} AND u.referrer_id IS NOT NULL AND u.referrer_id <> u.id`

const NO_MOVES = sql`
      SELECT 0::bigint AS id, now() AS at, 0::bigint AS user_id, 0::bigint AS given, 0::bigint AS taken_back, 0::bigint AS held
       WHERE false`

/** Goods of deliveries by what they are, each kind once. */
const sumOfGoods = (isWanted: RawBuilder<unknown>) => sql`
      SELECT coalesce(jsonb_agg(what || jsonb_build_object('quantity', quantity) ORDER BY what), '[]')
        FROM (SELECT good - 'quantity' AS what, sum((good->>'quantity')::bigint) AS quantity
                FROM deliveries CROSS JOIN LATERAL jsonb_array_elements(goods) AS good
               WHERE ${isWanted} GROUP BY good - 'quantity') AS sums`

const FIGURES = [...CAMPAIGN_SUMS, 'goods', 'goods_waiting'] as const

/** What one campaign comes to: `figures`, and what its days are added up from. */
function countsOf(kind: CampaignKind, counted: Counted): RawBuilder<unknown> {
  const parts = KINDS[kind]
  const { from, to, until } = counted
  const earlier = new Date(2 * from.getTime() - to.getTime())
  const isDuring = sql`at >= ${from} AND at < ${to}`
  const isEarlier = sql`at >= ${earlier} AND at < ${from}`
  return sql`
    moves AS MATERIALIZED (${parts.moves?.(counted) ?? NO_MOVES}),
    named AS MATERIALIZED (${parts.named?.(counted) ?? sql`SELECT 0::bigint AS transfer_id WHERE false`}),
    players AS MATERIALIZED (
      SELECT joined.user_id, joined.since, users.wallet_account_id, users.created_at
        FROM (${parts.joined(counted)}) AS joined JOIN users ON users.id = joined.user_id),
    recharges AS MATERIALIZED (
      SELECT p.user_id, e.transfer_id, e.created_at AS at
        FROM players p
       CROSS JOIN LATERAL (
         SELECT transfer_id, created_at FROM ledger_entry
          WHERE account_id = p.wallet_account_id AND account_id < 9000000000000000 AND kind = 'recharge'
            AND created_at < ${until} OFFSET 0) AS e),
    credits AS MATERIALIZED (
      SELECT c.user_id, c.at, b.amount AS vnd, back.id IS NOT NULL AS is_back, ${parts.isBrought(counted)} AS is_brought
        FROM recharges c
        JOIN players p ON p.user_id = c.user_id
        LEFT JOIN named ON named.transfer_id = c.transfer_id
       CROSS JOIN LATERAL (
         SELECT CASE source_type WHEN 'bank_transaction' THEN split_part(source_id, ':', 1)::bigint END AS bank_transaction_id
           FROM ledger_transfer WHERE id = c.transfer_id OFFSET 0) AS t
       CROSS JOIN LATERAL (
         SELECT amount FROM bank_transaction WHERE id = t.bank_transaction_id OFFSET 0) AS b
        LEFT JOIN LATERAL (
          SELECT id FROM ledger_transfer WHERE reverses_id = c.transfer_id AND created_at < ${until} OFFSET 0) AS back ON true
       WHERE c.at >= ${earlier}::timestamptz
          OR ${IS_NAMED}),
    deliveries AS MATERIALIZED (
      SELECT goods, state = 'delivered' AND settled_at < ${until} AS is_given
        FROM (${parts.deliveries?.(counted) ?? sql`SELECT * FROM delivery WHERE false`}) AS d
       WHERE state <> 'refunded' AND created_at < ${until}),
    coins AS (
      SELECT coalesce(sum(given), 0) AS given, coalesce(sum(taken_back), 0) AS taken_back, coalesce(sum(held), 0) AS held
        FROM moves),
    fees AS (
      SELECT coalesce(sum(luong), 0) AS fees, coalesce(sum(luong) FILTER (WHERE is_back), 0) AS fees_back
        FROM (${parts.fees?.(counted) ?? sql`SELECT 0 AS luong, false AS is_back WHERE false`}) AS charges),
    money AS (
      SELECT coalesce(sum(vnd) FILTER (WHERE is_brought), 0) AS brought,
             coalesce(sum(vnd) FILTER (WHERE is_brought AND is_back), 0) AS brought_back,
             coalesce(sum(vnd) FILTER (WHERE ${isDuring} AND NOT is_back), 0) AS recharged,
             coalesce(sum(vnd) FILTER (WHERE ${isEarlier} AND NOT is_back), 0) AS recharged_before,
             count(DISTINCT user_id) FILTER (WHERE is_brought) AS payers,
             count(DISTINCT user_id) FILTER (WHERE ${isEarlier}) AS payers_before
        FROM credits),
    paid AS (
      SELECT user_id, min(at) AS first_at, max(at) FILTER (WHERE at < ${from}) AS last_before,
             bool_or(at >= ${to} AND at < ${to}::timestamptz + make_interval(days => ${RETURN_DAYS})) AS is_after
        FROM recharges GROUP BY user_id),
    who AS (
      SELECT count(*) AS players,
             count(*) FILTER (WHERE p.created_at >= ${from} AND p.created_at < ${to}) AS new_players,
             count(*) FILTER (WHERE first_at >= ${from} AND first_at < ${to}) AS first_payers,
             count(*) FILTER (WHERE last_before < ${from}::timestamptz - make_interval(days => ${RETURN_DAYS})) AS returned,
             count(*) FILTER (WHERE is_after) AS payers_after
        FROM players p LEFT JOIN paid ON paid.user_id = p.user_id),
    figures AS (
      SELECT coins.*, fees.*, money.*, who.*, (${sumOfGoods(sql`is_given`)}) AS goods,
             (${sumOfGoods(sql`NOT is_given`)}) AS goods_waiting
        FROM coins, fees, money, who)`
}

type Of = { span: Span; until: Date; all: { recharged: string; before: string | null } }

/** Counts one campaign from the ledger and stores it in the place of what was counted before. */
export async function storeReport(
  tx: Tx,
  { kind, id }: CampaignKey,
  { span: { from, to }, until, all }: Of,
): Promise<void> {
  const names = sql.join(FIGURES.map((name) => sql.ref(name)))
  const excluded = sql.join(FIGURES.map((name) => sql.ref(`excluded.${name}`)))
  await tx.deleteFrom('campaign_report_day').where('kind', '=', kind).where('campaign', '=', id).execute()
  await sql`
    WITH ${countsOf(kind, { id, from, to, until })},
    stored AS (
      INSERT INTO campaign_report (kind, campaign, counted_until, starts_at, ends_at, all_recharged, all_recharged_before, ${names})
      SELECT ${kind}, ${id}, ${until}::timestamptz, ${from}::timestamptz, ${to}::timestamptz, ${all.recharged}::bigint,
             ${all.before}::bigint, ${names} FROM figures
      ON CONFLICT (kind, campaign) DO UPDATE
        SET (counted_until, starts_at, ends_at, all_recharged, all_recharged_before, ${names}) =
            (excluded.counted_until, excluded.starts_at, excluded.ends_at, excluded.all_recharged,
             excluded.all_recharged_before, ${excluded}))
    INSERT INTO campaign_report_day (kind, campaign, day, players, brought, given)
    SELECT ${kind}, ${id}, vietnam_day(at), sum(players), sum(brought), sum(given)
      FROM (SELECT since AS at, 1 AS players, 0 AS brought, 0 AS given FROM players
             UNION ALL
            SELECT at, 0, vnd, 0 FROM credits WHERE is_brought AND NOT is_back
             UNION ALL
            SELECT at, 0, 0, given - taken_back FROM moves WHERE given > 0 OR taken_back > 0) AS moments
     GROUP BY 3`.execute(tx)
}
