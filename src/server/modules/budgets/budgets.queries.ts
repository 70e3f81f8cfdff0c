import { sql } from 'kysely'
import type { Budget } from '#contract/operator/promotions.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countWithinReach, pageById } from '#server/platform/db/list.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'

const budgets = (db: Db | Tx) =>
  db
    .selectFrom('budget')
    .innerJoin('ledger_account as account', 'account.id', 'budget.account_id')
    .innerJoin('users as maker', 'maker.id', 'budget.made_by')
    .select(['budget.id', 'budget.title', 'budget.funded', 'budget.made_by', 'budget.made_at'])
    .select(['account.balance', 'maker.username as maker'])
    .select(
      sql<string>`(SELECT coalesce(sum(b.held), 0) FROM order_bonus b JOIN promotion p ON p.id = b.promotion_id
        WHERE p.budget_id = budget.id AND b.held > 0) + (SELECT coalesce(sum(held), 0) FROM gift_code_batch
        WHERE budget_id = budget.id AND held > 0)`.as('held'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof budgets>['executeTakeFirstOrThrow']>>

function toBudget({ id, title, made_by, made_at, maker, ...row }: Row): Budget {
  const [funded, balance, held] = [row.funded, row.balance, row.held].map(parseCoins) as [
    number,
    number,
    number,
  ]
  // What left the account is what was put in and is not there any more.
  const given = funded - balance - held
  return {
    id,
    title,
    funded,
    balance,
    held,
    given,
    made_by: { id: made_by, username: maker },
    made_at: made_at.toISOString(),
  }
}

export async function selectBudgets(
  db: Db,
  ids: readonly string[] | undefined,
  page: ListPage,
): Promise<ListRows<Budget>> {
  const found = budgets(db).$if(ids !== undefined, (query) => query.where('budget.id', 'in', ids as string[]))
  const rows = await pageById(found, 'budget.id', page).execute()
  const counted = db
    .selectFrom('budget')
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids as string[]))
  return { total: () => countWithinReach(db, counted), rows: rows.map(toBudget) }
}

export async function findBudget(db: Db | Tx, id: string): Promise<Budget | undefined> {
  const row = await budgets(db).where('budget.id', '=', id).executeTakeFirst()
  return row && toBudget(row)
}

export async function findTitles(db: Db | Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('budget').select(['id', 'title']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}

/** TCoin that are neither given nor promised. */
export async function findBalances(db: Db | Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('budget')
    .innerJoin('ledger_account as account', 'account.id', 'budget.account_id')
    .select(['budget.id', 'account.balance'])
    .where('budget.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, balance }) => [id, parseCoins(balance)]))
}

/** Undefined when another budget has the title. Its ledger account is opened with it. */
export async function insertBudget(
  tx: Tx,
  { title, madeBy }: { title: string; madeBy: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO budget (title, made_by) VALUES (${title}, ${madeBy}::bigint)
    ON CONFLICT (lower(title)) DO NOTHING RETURNING id`.execute(tx)
  return rows[0]?.id
}

/**
 * Locks a budget with its ledger account, whose balance is then what may be taken. Before the account `promotion`, although
 * its id is higher: of those who lock that one nobody waits for a budget.
 */
export async function lockBudget(
  tx: Tx,
  id: string,
): Promise<{ accountId: string; balance: number } | undefined> {
  const row = await tx
    .selectFrom('budget')
    .innerJoin('ledger_account as account', 'account.id', 'budget.account_id')
    .select(['budget.account_id as accountId', 'account.balance'])
    .where('budget.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { ...row, balance: parseCoins(row.balance) }
}

export async function updateFunded(tx: Tx, id: string, amount: number): Promise<void> {
  await sql`UPDATE budget SET funded = funded + ${amount}::bigint WHERE id = ${id}::bigint`.execute(tx)
}
