import { sql, type RawBuilder } from 'kysely'
import type { PromotionTerms } from '#contract/promotion-rules.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import { listDueOf } from '#server/platform/queues/due-rows.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Share } from './unpaid.rules.ts'

/** A promotion that runs now, and what is left of it to one player and to everybody. */
export type RunningPromotion = PromotionTerms & {
  id: string
  title: string
  ends_at: string
  cap_per_player: number
  is_first_recharge: boolean
  channel: number | null
  budgetId: string
  /** Whether something may be held for orders of the player that nobody has paid yet. */
  mayHold: boolean
  rest: { player: number; total: number }
}

type RunningRow = Omit<RunningPromotion, 'ends_at' | 'rest' | 'amount' | 'minimum' | 'cap_per_player'> & {
  ends_at: Date
  amount: string | null
  minimum: string
  cap_per_player: string
  used: string
  total: string
}

/** What is left of the promotion `p` to everybody: of its cap, and of what its budget holds. */
const LEFT_TO_ALL = sql`least(p.cap_total - p.given, (
  SELECT balance FROM ledger_account WHERE id = (SELECT account_id FROM budget WHERE id = p.budget_id)))`

/** Whether money was credited to a player; what was reversed does not count. Under the player’s lock only. */
const hasRecharged = (userId: RawBuilder<unknown>) => sql<boolean>`EXISTS (
  SELECT FROM bank_transaction t WHERE t.user_id = ${userId} AND t.state = 'credited')`

/**
 * The promotions that an order of the player could be given now, in the order of their ids. One of the first recharge only
 * is for those who were never credited money. Accounts that cost nothing hold nothing: neither paid for nor activated.
 */
export async function selectRunning(db: Db | Tx, userId: string): Promise<RunningPromotion[]> {
  const user = sql`${userId}::bigint`
  const { rows } = await sql<RunningRow>`
    SELECT p.id, p.title, p.ends_at, p.kind, p.percent, p.amount, p.steps, p.minimum, p.cap_per_player,
           p.is_first_recharge, p.channel, p.budget_id AS "budgetId", coalesce(u.amount, 0) AS used,
           NOT p.is_first_recharge AND (${hasRecharged(user)} OR EXISTS (
             SELECT FROM activation WHERE activation.user_id = ${user})) AS "mayHold",
           ${LEFT_TO_ALL} AS total
      FROM promotion p
      LEFT JOIN promotion_use u ON u.promotion_id = p.id AND u.user_id = ${user}
     WHERE p.state = 'running' AND p.ends_at > now() AND p.starts_at <= now()
       AND NOT (p.is_first_recharge AND ${hasRecharged(user)})
     ORDER BY p.id`.execute(db)
  return rows.map(({ ends_at, amount, minimum, cap_per_player, used, total, ...row }) => ({
    ...row,
    ends_at: ends_at.toISOString(),
    amount: amount === null ? null : parseCoins(amount),
    minimum: parseCoins(minimum),
    cap_per_player: parseCoins(cap_per_player),
    rest: { player: parseCoins(cap_per_player) - parseCoins(used), total: parseCoins(total) },
  }))
}

export type LockedRest = {
  /** TCoin that are left to everybody, and of the promotion’s cap to the player. */
  total: number
  player: number
  isRunning: boolean
  promotion: Share
  budget: Share
}

type RestRow = { id: string; isRunning: boolean } & Record<
  'capLeft' | 'playerLeft' | 'balance' | 'held' | 'own' | 'budgetHeld' | 'budgetOwn',
  string
>

/**
 * Locks promotions, then their budgets, each in the order of ids: who promises or draws takes turns with whoever else draws on
 * them. What is left is read once they are locked.
 */
export async function lockRests(
  tx: Tx,
  ids: readonly string[],
  userId: string,
): Promise<Map<string, LockedRest>> {
  await sql`
    SELECT FROM promotion WHERE id = ANY (${ids}::bigint[]) ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  await sql`
    SELECT FROM budget WHERE id IN (SELECT budget_id FROM promotion WHERE id = ANY (${ids}::bigint[]))
     ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<RestRow>`
    WITH held AS (
      SELECT p.id, p.budget_id, coalesce(sum(b.held), 0) AS coins,
             coalesce(sum(b.held) FILTER (WHERE b.user_id = ${userId}::bigint), 0) AS own
        FROM promotion p LEFT JOIN order_bonus b ON b.promotion_id = p.id AND b.state = 'held'
       WHERE p.budget_id IN (SELECT budget_id FROM promotion WHERE id = ANY (${ids}::bigint[]))
       GROUP BY p.id)
    SELECT p.id, p.state = 'running' AS "isRunning", p.cap_total - p.given AS "capLeft",
           p.cap_per_player - coalesce(u.amount, 0) AS "playerLeft", account.balance,
           held.coins::bigint AS held, held.own::bigint AS own,
           (SELECT sum(coins)::bigint FROM held of_budget WHERE of_budget.budget_id = p.budget_id) AS "budgetHeld",
           (SELECT sum(own)::bigint FROM held of_budget WHERE of_budget.budget_id = p.budget_id) AS "budgetOwn"
      FROM promotion p
      JOIN held ON held.id = p.id
      JOIN budget ON budget.id = p.budget_id
      JOIN ledger_account account ON account.id = budget.account_id
      LEFT JOIN promotion_use u ON u.promotion_id = p.id AND u.user_id = ${userId}::bigint
     WHERE p.id = ANY (${ids}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, toRest(row)]))
}

function toRest({ isRunning, ...row }: RestRow): LockedRest {
  const [capLeft, balance] = [parseCoins(row.capLeft), parseCoins(row.balance)]
  return {
    total: Math.min(capLeft, balance),
    player: parseCoins(row.playerLeft),
    isRunning,
    promotion: { left: capLeft, held: parseCoins(row.held), own: parseCoins(row.own) },
    budget: { left: balance, held: parseCoins(row.budgetHeld), own: parseCoins(row.budgetOwn) },
  }
}

type NewBonus = {
  code: string
  promotion: Pick<RunningPromotion, 'id' | 'is_first_recharge'>
  promised: number
}

/** Writes what an order is promised, while nothing is held for it. Answers its id. */
export async function insertBonus(tx: Tx, { code, promotion, promised }: NewBonus): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO order_bonus (order_id, promotion_id, user_id, is_first_recharge, promised, held, state, hold_until)
    SELECT id, ${promotion.id}::bigint, user_id, ${promotion.is_first_recharge}, ${promised}::bigint, 0, 'conditional',
           expires_at
      FROM payment_order WHERE code = ${code}
    RETURNING id`.execute(tx)
  return (rows[0] as { id: string }).id
}

/** Counts for the promotion and the player what is held for an order from now on. Answers the account of the budget. */
export async function updateHeld(tx: Tx, { id, coins }: { id: string; coins: number }): Promise<string> {
  const { rows } = await sql<{ budgetAccount: string }>`
    WITH bonus AS (
      UPDATE order_bonus SET state = 'held', held = ${coins}::bigint WHERE id = ${id}::bigint
      RETURNING promotion_id, user_id),
    counted AS (
      UPDATE promotion p SET given = given + ${coins}::bigint FROM bonus WHERE p.id = bonus.promotion_id
      RETURNING p.id, p.budget_id, p.cap_per_player, bonus.user_id),
    used AS (
      INSERT INTO promotion_use (promotion_id, user_id, cap, amount)
        SELECT id, user_id, cap_per_player, ${coins}::bigint FROM counted
        ON CONFLICT (promotion_id, user_id) DO UPDATE SET amount = promotion_use.amount + EXCLUDED.amount)
    SELECT budget.account_id AS "budgetAccount" FROM budget JOIN counted ON counted.budget_id = budget.id`.execute(
    tx,
  )
  return (rows[0] as { budgetAccount: string }).budgetAccount
}

export type LockedBonus = {
  id: string
  title: string
  promised: number
  held: number
  granted: number
  state: 'held' | 'conditional' | 'granted' | 'released'
  reversals: number
  transferId: string | null
  promotionId: string
  /** It is for the first recharge, and money was credited to the player before. */
  isTooLate: boolean
  terms: PromotionTerms
  orderExpiresAt: Date
  rate: number
}

type LockedRow = Omit<LockedBonus, 'promised' | 'held' | 'granted' | 'terms' | 'rate'> &
  Record<'promised' | 'held' | 'granted' | 'minimum' | 'rate', string> &
  Pick<PromotionTerms, 'kind' | 'percent' | 'steps'> & { amount: string | null }

/** Locks what an order is promised; undefined where that is nothing. The order and the player’s wallet are locked by the caller. */
export async function lockBonus(tx: Tx, orderId: string): Promise<LockedBonus | undefined> {
  const { rows } = await sql<LockedRow>`
    SELECT b.id, p.title, b.promised, b.held, b.granted, b.state, b.reversals, b.transfer_id AS "transferId",
           p.kind, p.percent, p.amount, p.steps, p.minimum, o.expires_at AS "orderExpiresAt", o.rate,
           b.promotion_id AS "promotionId", b.is_first_recharge AND ${hasRecharged(sql`b.user_id`)} AS "isTooLate"
      FROM order_bonus b
      JOIN promotion p ON p.id = b.promotion_id
      JOIN payment_order o ON o.id = b.order_id
     WHERE b.order_id = ${orderId}::bigint FOR UPDATE OF b`.execute(tx)
  const [row] = rows
  if (row === undefined) return undefined
  const { kind, percent, amount, steps, minimum, ...rest } = row
  return {
    ...rest,
    promised: parseCoins(row.promised),
    held: parseCoins(row.held),
    granted: parseCoins(row.granted),
    rate: parseCoins(row.rate),
    terms: {
      kind,
      percent,
      steps,
      amount: amount === null ? null : parseCoins(amount),
      minimum: parseCoins(minimum),
    },
  }
}

/** The player has it; what is left of the promise is taken back. */
export async function updateGranted(
  tx: Tx,
  { id, coins, transferId }: { id: string; coins: number; transferId: string },
): Promise<void> {
  await sql`
    UPDATE order_bonus
       SET state = 'granted', granted = ${coins}::bigint, held = held - ${coins}::bigint, transfer_id = ${transferId}::bigint,
           hold_until = clock_timestamp()
     WHERE id = ${id}::bigint`.execute(tx)
}

/** Nothing will be given for an order any more: what is held is taken back. */
export async function updateReleased(tx: Tx, code: string): Promise<void> {
  await sql`
    UPDATE order_bonus SET state = 'released', hold_until = clock_timestamp()
     WHERE order_id = (SELECT id FROM payment_order WHERE code = ${code}) AND state IN ('held', 'conditional')`.execute(
    tx,
  )
}

/** A grant was reversed: what the player gave back is held again, for another decision or to be taken back. */
export async function updateReversed(tx: Tx, id: string, state: 'held' | 'released'): Promise<void> {
  await sql`
    UPDATE order_bonus
       SET state = ${state}, held = held + granted, granted = 0, transfer_id = NULL, reversals = reversals + 1
     WHERE id = ${id}::bigint`.execute(tx)
}

type DueBonus = {
  id: string
  promotionId: string
  userId: string
  held: number
  reversals: number
  budgetAccount: string
}

/**
 * Locks one bonus whose promise is over, with its order: money for it may be decided about at the same moment. None of an
 * order whose money is being checked.
 */
export async function lockDueBonus(tx: Tx, id: string): Promise<DueBonus | undefined> {
  const { rows } = await sql<DueBonus & { held: string }>`
    SELECT b.id, b.promotion_id AS "promotionId", b.user_id AS "userId", b.held, b.reversals,
           budget.account_id AS "budgetAccount"
      FROM order_bonus b
      JOIN payment_order o ON o.id = b.order_id
      JOIN promotion p ON p.id = b.promotion_id
      JOIN budget ON budget.id = p.budget_id
     WHERE b.id = ${id}::bigint AND ${isBonusDue}
       FOR UPDATE OF o, b SKIP LOCKED`.execute(tx)
  return rows[0] && { ...rows[0], held: parseCoins(rows[0].held) }
}

const isBonusDue = sql<boolean>`b.held > 0 AND b.hold_until <= clock_timestamp() AND o.status <> 'review'`

/** Ids of promises that are not needed any more, the longest first. */
export const listDueBonuses = listDueOf({
  id: 'b.id',
  from: sql`order_bonus b JOIN payment_order o ON o.id = b.order_id`,
  isDue: isBonusDue,
  order: sql`b.hold_until`,
})

/**
 * Gives back what a promise did not need, for others and for the player. One that was not kept yet may still be drawn, by an
 * operation of its own to the ledger, for money that was paid in time and is told late.
 */
export async function updateTakenBack(
  tx: Tx,
  { id, promotionId, userId, held }: Pick<DueBonus, 'id' | 'promotionId' | 'userId' | 'held'>,
): Promise<void> {
  await sql`UPDATE promotion SET given = given - ${held}::bigint WHERE id = ${promotionId}::bigint`.execute(
    tx,
  )
  await sql`
    UPDATE promotion_use SET amount = amount - ${held}::bigint
     WHERE promotion_id = ${promotionId}::bigint AND user_id = ${userId}::bigint`.execute(tx)
  await sql`
    UPDATE order_bonus
       SET held = 0, state = CASE state WHEN 'held' THEN 'conditional' ELSE state END,
           reversals = reversals + (state = 'held')::integer
     WHERE id = ${id}::bigint`.execute(tx)
}

export const bonusesOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT b.id::text AS cursor, o.code AS "order", p.title, b.promised, b.granted, b.state, b.created_at
      FROM order_bonus b
      JOIN payment_order o ON o.id = b.order_id
      JOIN promotion p ON p.id = b.promotion_id
     WHERE b.user_id = ${id}::bigint AND b.id > coalesce(${after}::bigint, 0)
     ORDER BY b.id LIMIT ${limit}`,
)
