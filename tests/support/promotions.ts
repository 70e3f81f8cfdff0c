import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { takeBackDue } from '#server/modules/promotions/bonuses.service.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'
import { inHours } from './settings.ts'

/** A promotion of 20 % from now on, as the console sends it, without its budget. */
export const promotionFields = (change: object = {}) => ({
  title: 'Cuối tuần',
  starts_at: new Date().toISOString(),
  ends_at: inHours(48),
  kind: 'percent',
  percent: 20,
  amount: null,
  steps: null,
  minimum: 0,
  cap_per_player: 100_000,
  cap_total: 1_000_000,
  is_first_recharge: false,
  channel: null,
  ...change,
})

type Terms = {
  /** What the budget holds. */
  funds?: number
  budgetId?: string
  kind?: 'percent' | 'fixed' | 'steps'
  percent?: number | null
  amount?: number | null
  steps?: readonly { from: number; amount: number }[] | null
  minimum?: number
  capPerPlayer?: number
  capTotal?: number
  isFirstRecharge?: boolean
  channel?: number | null
  /** Seconds from now. */
  startsIn?: number
  endsIn?: number
}

/** A budget that holds so many TCoin. */
export async function fundedBudget(test: Pick<TestApp, 'db' | 'ownerUrl'>, funds: number): Promise<string> {
  const title = `Ngân sách ${randomUUID()}`
  await asOwner(
    test,
    `WITH maker AS (SELECT min(id) AS id FROM users)
     INSERT INTO budget (title, made_by, funded) SELECT $1, maker.id, $2 FROM maker`,
    [title, funds],
  )
  if (funds > 0)
    await asOwner(
      test,
      `SELECT ledger_post('budget', 9000000000000002, account_id, $2, 'budget', id || ':test', NULL, NULL, NULL, NULL)
         FROM budget WHERE title = $1`,
      [title, funds],
    )
  const row = await test.db
    .selectFrom('budget')
    .select('id')
    .where('title', '=', title)
    .executeTakeFirstOrThrow()
  return row.id
}

/** A promotion that runs, by default 20 % with a budget of its own. */
export async function runningPromotion(
  test: TestApp,
  {
    funds = 10_000_000,
    kind = 'percent',
    percent = kind === 'percent' ? 20 : null,
    amount = null,
    steps = null,
    minimum = 0,
    capPerPlayer = 1_000_000,
    capTotal = 10_000_000,
    isFirstRecharge = false,
    channel = null,
    startsIn = -60,
    endsIn = 3_600,
    ...given
  }: Terms = {},
): Promise<{ id: string; title: string; budgetId: string }> {
  const budgetId = given.budgetId ?? (await fundedBudget(test, funds))
  const title = `Khuyến mãi ${randomUUID()}`
  await asOwner(
    test,
    `INSERT INTO promotion (title, budget_id, starts_at, ends_at, kind, percent, amount, steps, minimum, cap_per_player,
        cap_total, is_first_recharge, channel, state, started_at, made_by)
     SELECT $1, $2, now() + make_interval(secs => $3), now() + make_interval(secs => $4), $5, $6, $7, $8, $9, $10, $11,
        $12, $13, 'running', now(), min(id) FROM users`,
    [
      title,
      budgetId,
      startsIn,
      endsIn,
      kind,
      percent,
      amount,
      steps === null ? null : JSON.stringify(steps),
      minimum,
      capPerPlayer,
      capTotal,
      isFirstRecharge,
      channel,
    ],
  )
  const query = test.db.selectFrom('promotion').select('id').where('title', '=', title)
  return { ...(await query.executeTakeFirstOrThrow()), title, budgetId }
}

/** So that none of an earlier test adds anything. */
export const stopPromotions = (test: TestApp): Promise<void> =>
  asOwner(
    test,
    `UPDATE promotion SET state = 'stopped', stopped_at = now(), stopped_by = made_by WHERE state = 'running'`,
  )

/** What a promotion has promised or given, and what its budget holds. */
export async function promotionNow(test: TestApp, { id, budgetId }: { id: string; budgetId: string }) {
  const { rows } = await sql<{ given: number; left: number; held: number }>`
    SELECT p.given::float8 AS given, a.balance::float8 AS left,
           (SELECT coalesce(sum(held), 0)::float8 FROM order_bonus WHERE promotion_id = p.id) AS held
      FROM promotion p, budget b JOIN ledger_account a ON a.id = b.account_id
     WHERE p.id = ${id}::bigint AND b.id = ${budgetId}::bigint`.execute(test.db)
  invariant(rows[0], 'the promotion is there')
  return rows[0]
}

/** As if an order had been placed so many minutes ago: it ends half an hour after that. */
export const endOrder = (
  test: TestApp,
  { code }: { code: string },
  { minutes }: { minutes: number },
): Promise<void> =>
  asOwner(
    test,
    `WITH moved AS (UPDATE payment_order SET created_at = created_at - make_interval(mins => $2),
        expires_at = expires_at - make_interval(mins => $2) WHERE code = $1 RETURNING id)
     UPDATE order_bonus SET hold_until = hold_until - make_interval(mins => $2) FROM moved WHERE order_id = moved.id`,
    [code, minutes],
  )

/** What the worker does with promises that are over. */
export async function takeBackAll(test: TestApp): Promise<void> {
  while (await takeBackDue(test.deps));
}
