import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

/**
 * Luong, and loads: of items and yen, how many times the most that the game takes of each at once, in millionths. Both are worst
 * cases, and may be more than a double holds exactly.
 */
export type GoodsAmount = { luong: bigint; loads: bigint }

type PromiseKind = 'gift-codes' | 'milestones' | 'check-in' | 'give-again'

/** What was promised: a campaign, a batch that is given again, a day of check-ins. */
export type PromiseKey = { kind: PromiseKind; subject: string }

export type NewPromise = PromiseKey & {
  /** Who asked for it; null of the daily check-in. */
  operatorId: string | null
  /** No second person agreed. */
  isAlone: boolean
  amount: GoodsAmount
  given: GoodsAmount
  /** Null: now. */
  endsAt: Date | null
}

/** Promises of goods take turns from here on, until the transaction ends. */
export async function lockGoods(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('promises of goods', 0))`.execute(tx)
}

type GoodsSums = Record<'alone' | 'operator' | 'day' | 'budget', GoodsAmount>

/**
 * What was promised within 24 hours: by one operator without a second person, by that one, by all; and what the budget of 30 days
 * counts. A promise counts in full until it ends, and then by what was given. Only to be trusted under the lock of goods.
 */
export async function sumPromises(db: Db | Tx, operatorId: string | null): Promise<GoodsSums> {
  const { rows } = await sql<Record<keyof GoodsSums, [string, string]>>`
    WITH counted AS (
      SELECT operator_id, is_alone, promised_at > clock_timestamp() - interval '24 hours' AS is_new,
             CASE WHEN ends_at > clock_timestamp() THEN luong ELSE given_luong END AS luong,
             CASE WHEN ends_at > clock_timestamp() THEN loads ELSE given_loads END AS loads
        FROM goods_promise WHERE ends_at > now() - interval '30 days')
    SELECT ${sumWhere(sql`is_new AND is_alone AND operator_id = ${operatorId}::bigint`)} AS alone,
           ${sumWhere(sql`is_new AND operator_id = ${operatorId}::bigint`)} AS operator,
           ${sumWhere(sql`is_new`)} AS day, ${sumWhere(sql`true`)} AS budget
      FROM counted`.execute(db)
  const [row] = rows
  const amount = (sum: [string, string] | undefined): GoodsAmount => ({
    luong: BigInt(sum?.[0] ?? 0),
    loads: BigInt(sum?.[1] ?? 0),
  })
  return {
    alone: amount(row?.alone),
    operator: amount(row?.operator),
    day: amount(row?.day),
    budget: amount(row?.budget),
  }
}

const sumWhere = (condition: ReturnType<typeof sql>) => sql`ARRAY[
  coalesce(sum(luong) FILTER (WHERE ${condition}), 0)::text, coalesce(sum(loads) FILTER (WHERE ${condition}), 0)::text]`

export async function insertPromise(
  tx: Tx,
  { kind, subject, operatorId, isAlone, amount, given, endsAt }: NewPromise,
): Promise<void> {
  await sql`
    INSERT INTO goods_promise (kind, subject, operator_id, is_alone, luong, loads, given_luong, given_loads, ends_at)
    VALUES (${kind}, ${subject}, ${operatorId}::bigint, ${isAlone}, ${String(amount.luong)}::bigint,
            ${String(amount.loads)}::bigint, ${String(given.luong)}::bigint, ${String(given.loads)}::bigint,
            coalesce(${endsAt}::timestamptz, clock_timestamp()))`.execute(tx)
}

/** What is not given is counted no longer. */
export async function endPromise(tx: Tx, { kind, subject }: PromiseKey): Promise<void> {
  await sql`
    UPDATE goods_promise SET ends_at = clock_timestamp()
     WHERE kind = ${kind} AND subject = ${subject} AND ends_at > clock_timestamp()`.execute(tx)
}

type Giving = PromiseKey & { amount: GoodsAmount }

/** Counts goods as given, of what was promised. */
export async function addGiven(tx: Tx, { kind, subject, amount }: Giving): Promise<void> {
  await sql`
    UPDATE goods_promise SET given_luong = least(luong, given_luong + ${String(amount.luong)}::bigint),
           given_loads = least(loads, given_loads + ${String(amount.loads)}::bigint)
     WHERE kind = ${kind} AND subject = ${subject}`.execute(tx)
}

/** The same where the promise holds so much still. */
export async function takeGiven(tx: Tx, { kind, subject, amount }: Giving): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE goods_promise SET given_luong = given_luong + ${String(amount.luong)}::bigint,
           given_loads = given_loads + ${String(amount.loads)}::bigint
     WHERE kind = ${kind} AND subject = ${subject} AND given_luong + ${String(amount.luong)}::bigint <= luong
       AND given_loads + ${String(amount.loads)}::bigint <= loads`.execute(tx)
  return numAffectedRows === 1n
}

export async function isPromised(tx: Tx, { kind, subject }: PromiseKey): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM goods_promise WHERE kind = ${kind} AND subject = ${subject}`.execute(tx)
  return rows.length > 0
}
