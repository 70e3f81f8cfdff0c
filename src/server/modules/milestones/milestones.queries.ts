import { sql, type RawBuilder } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { inPages } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

type Span = { startsAt: Date; endsAt: Date }
type CurrentProgram = Span & { id: string; title: string; claimsUntil: Date; claimsMax: number }

/** The running programme whose steps may be taken now; they never overlap. */
export async function selectCurrent(db: Db, now: Date): Promise<CurrentProgram | undefined> {
  const { rows } = await sql<CurrentProgram>`
    SELECT id, title, starts_at AS "startsAt", ends_at AS "endsAt", claims_until AS "claimsUntil",
           claims_max AS "claimsMax"
      FROM milestone_program
     WHERE state = 'running' AND tstzrange(starts_at, claims_until) @> ${now}::timestamptz`.execute(db)
  return rows[0]
}

type StepRow = { id: string; at: number; goods: Good[]; claimed: boolean; left: number }

/** By rising amount. What the game refused counts as not taken. */
export async function selectSteps(db: Db, programId: string, userId: string | null): Promise<StepRow[]> {
  const { rows } = await sql<StepRow & { at: string }>`
    SELECT s.id, s.at, s.goods, greatest(p.claims_max - s.claims, 0) AS left, EXISTS (
        SELECT FROM milestone_claim c JOIN reward r ON r.delivery_id = c.delivery_id
         WHERE c.step_id = s.id AND c.user_id = ${userId}::bigint AND r.voided_at IS NULL) AS claimed
      FROM milestone_step s JOIN milestone_program p ON p.id = s.program_id
     WHERE s.program_id = ${programId}::bigint ORDER BY s.at`.execute(db)
  return rows.map((row) => ({ ...row, at: parseCoins(row.at) }))
}

/**
 * VND of the player's recharges that were paid within the time and are credited now. No transfer is stored before it was made, but
 * for clocks that differ: so many of the newest rows of the player are read.
 */
export async function sumRecharged(db: Db | Tx, userId: string, span: Span): Promise<number> {
  const { rows } = await recharged(sql`${userId}::bigint`, {
    startsAt: sql`${span.startsAt}::timestamptz`,
    endsAt: sql`${span.endsAt}::timestamptz`,
  }).execute(db)
  return parseCoins(rows[0]?.recharged ?? '0')
}

type Value = RawBuilder<unknown>

const recharged = (userId: Value, { startsAt, endsAt }: { startsAt: Value; endsAt: Value }) =>
  sql<{ recharged: string }>`
    SELECT coalesce(sum(amount), 0) AS recharged FROM bank_transaction
     WHERE user_id = ${userId} AND created_at >= ${startsAt} - interval '1 day'
       AND state = 'credited' AND coalesce(booked_at, created_at) >= ${startsAt}
       AND coalesce(booked_at, created_at) < ${endsAt}`

export type Recharge = { userId: string; amount: number; bookedAt: Date }

/**
 * The steps that a recharge brings its player over, as notices. It is not stored as credited yet, and the caller has locked the
 * player's wallet: what is added up stays as it is.
 */
export const stepsReachedBy = ({ userId, amount, bookedAt }: Recharge, now: Date): RawBuilder<unknown> => sql`
  SELECT s.id::text AS subject, jsonb_build_object('at', s.at, 'title', p.title, 'until', p.claims_until) AS data
    FROM milestone_program p
   CROSS JOIN LATERAL (${recharged(sql`${userId}::bigint`, { startsAt: sql`p.starts_at`, endsAt: sql`p.ends_at` })}) AS before
    JOIN milestone_step s ON s.program_id = p.id AND s.at > before.recharged AND s.at <= before.recharged + ${amount}::bigint
   WHERE p.state = 'running' AND tstzrange(p.starts_at, p.claims_until) @> ${now}::timestamptz
     AND p.starts_at <= ${bookedAt}::timestamptz AND p.ends_at > ${bookedAt}::timestamptz`

type Step = Span & { programId: string; at: number; goods: Good[] }

/** A step that may be taken now. */
export async function findStep(tx: Tx, id: string, now: Date): Promise<Step | undefined> {
  const { rows } = await sql<Step & { at: string }>`
    SELECT s.program_id AS "programId", s.at, s.goods, p.starts_at AS "startsAt", p.ends_at AS "endsAt"
      FROM milestone_step s JOIN milestone_program p ON p.id = s.program_id
     WHERE s.id = ${id}::bigint AND p.state = 'running'
       AND tstzrange(p.starts_at, p.claims_until) @> ${now}::timestamptz`.execute(tx)
  return rows[0] && { ...rows[0], at: parseCoins(rows[0].at) }
}

/** Counts a player who takes a step for the first time; false where as many as may have taken it. Those who take it take turns. */
export async function countClaim(
  tx: Tx,
  { userId, stepId }: { userId: string; stepId: string },
): Promise<boolean> {
  const { rows } = await sql`
    WITH own AS (
      SELECT FROM milestone_claim WHERE step_id = ${stepId}::bigint AND user_id = ${userId}::bigint),
    counted AS (
      UPDATE milestone_step s SET claims = s.claims + 1 FROM milestone_program p
       WHERE s.id = ${stepId}::bigint AND p.id = s.program_id AND s.claims < p.claims_max
         AND NOT EXISTS (SELECT FROM own)
      RETURNING s.id)
    SELECT FROM own UNION ALL SELECT FROM counted`.execute(tx)
  return rows.length > 0
}

type Claim = { userId: string; stepId: string; deliveryId: string }

/** A step that has a row already had a reward that the game refused: its row is that of the new one. */
export async function upsertClaim(tx: Tx, { userId, stepId, deliveryId }: Claim): Promise<void> {
  await sql`
    INSERT INTO milestone_claim (user_id, step_id, delivery_id)
    VALUES (${userId}::bigint, ${stepId}::bigint, ${deliveryId}::uuid)
    ON CONFLICT (user_id, step_id) DO UPDATE SET delivery_id = EXCLUDED.delivery_id`.execute(tx)
}

export const claimsOfPerson = inPages(
  ({ id }, { after, limit }) => sql`
    SELECT c.step_id::text AS cursor, p.title AS programme, s.at AS amount, c.delivery_id AS delivery
      FROM milestone_claim c
      JOIN milestone_step s ON s.id = c.step_id
      JOIN milestone_program p ON p.id = s.program_id
     WHERE c.user_id = ${id}::bigint AND c.step_id > coalesce(${after}::bigint, 0)
     ORDER BY c.step_id LIMIT ${limit}`,
)
