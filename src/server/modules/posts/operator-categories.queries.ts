import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import { nextVersion } from './operator-posts.queries.ts'
import { CATEGORY_COLUMNS, type CategoryRow } from './posts.queries.ts'

export type CategoryValues = Omit<CategoryRow, 'id' | 'updated_at'>

/** Locks a category before it is changed. */
export async function lockCategory(tx: Tx, id: string): Promise<CategoryRow> {
  return tx
    .selectFrom('categories')
    .select(CATEGORY_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)
}

/** How many there are, and the place behind the last one. */
export async function summariseCategories(db: Db | Tx): Promise<{ count: number; nextPosition: number }> {
  const row = await db
    .selectFrom('categories')
    .select([sql<string>`count(*)`.as('count'), sql<number>`coalesce(max(position) + 1, 0)`.as('next')])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), nextPosition: row.next }
}

export async function insertCategory(tx: Tx, values: CategoryValues): Promise<CategoryRow> {
  return tx.insertInto('categories').values(values).returning(CATEGORY_COLUMNS).executeTakeFirstOrThrow()
}

export async function updateCategory(tx: Tx, id: string, values: CategoryValues): Promise<CategoryRow> {
  return tx
    .updateTable('categories')
    .set({ ...values, updated_at: nextVersion })
    .where('id', '=', id)
    .returning(CATEGORY_COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Its posts stay; only their place in it goes. */
export async function deleteCategory(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('categories').where('id', '=', id).execute()
}
