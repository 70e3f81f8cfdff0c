import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorCategories, OperatorCategory, OperatorCategoryBody } from '#contract/operator/posts.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { notFound } from '#server/platform/http/refusal.ts'
import {
  deleteCategory,
  insertCategory,
  lockCategory,
  summariseCategories,
  updateCategory,
} from './operator-categories.queries.ts'
import { notifyContentChanged } from './operator-posts.queries.ts'
import type { Operator } from './operator-posts.service.ts'
import { emptyTitle, tooManyCategories } from './posts.errors.ts'
import { findCategory, listCategoryRows, type CategoryRow } from './posts.queries.ts'
import { CATEGORIES_MAX, cleanLine } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'

type Given = NonNullable<QueryOf<typeof operatorCategories.list>['filter']>

/** There are a hundred at most, so they are sorted and filtered here. */
export async function listOperatorCategories(
  db: Db,
  { q = '', id }: Given,
  { sort, order, from, to }: ListPage & { sort: string },
): Promise<ListRows<OperatorCategory>> {
  const wanted = cleanLine(q).toLowerCase()
  const rows = (await listCategoryRows(db, CATEGORIES_MAX))
    .filter((row) => row.title.toLowerCase().includes(wanted) && (id?.includes(row.id) ?? true))
    .sort((a, b) => compare(a, b, sort) * (order === 'asc' ? 1 : -1))
  return { total: rows.length, rows: rows.slice(from, to + 1) }
}

function compare(a: CategoryRow, b: CategoryRow, sort: string): number {
  const byId = Number(a.id) - Number(b.id)
  if (sort === 'title') return a.title.localeCompare(b.title, 'vi') || byId
  return (sort === 'position' ? a.position - b.position : 0) || byId
}

export async function getOperatorCategory(db: Db, id: string): Promise<OperatorCategory> {
  const category = await findCategory(db, id)
  if (category === undefined) throw notFound()
  return category
}

export async function createCategory(
  deps: PostsDeps,
  body: OperatorCategoryBody,
  operator: Operator,
): Promise<OperatorCategory> {
  const created = await inTransaction(deps.db, async (tx) => {
    const { count, nextPosition } = await summariseCategories(tx)
    if (count >= CATEGORIES_MAX) throw tooManyCategories(CATEGORIES_MAX)
    const after = await insertCategory(tx, valuesFrom(body, { description: '', position: nextPosition }))
    await record(tx, operator, { action: 'categories.create', id: after.id, before: null, after })
    return after
  })
  deps.onContentChanged()
  return created
}

export async function changeCategory(
  deps: PostsDeps,
  change: { id: string; body: OperatorCategoryBody },
  operator: Operator,
): Promise<OperatorCategory> {
  const { id, body } = change
  const changed = await inTransaction(deps.db, async (tx) => {
    const before = await lockCategory(tx, id)
    if (before === undefined) throw notFound()
    const after = await updateCategory(tx, id, valuesFrom(body, before))
    await record(tx, operator, { action: 'categories.update', id, before, after })
    return after
  })
  deps.onContentChanged()
  return changed
}

export async function removeCategory(
  deps: PostsDeps,
  id: string,
  operator: Operator,
): Promise<OperatorCategory> {
  const removed = await inTransaction(deps.db, async (tx) => {
    const before = await lockCategory(tx, id)
    if (before === undefined) throw notFound()
    await deleteCategory(tx, id)
    await record(tx, operator, { action: 'categories.delete', id, before, after: null })
    return before
  })
  deps.onContentChanged()
  return removed
}

/** A field left out keeps its value; an empty description is one, so only absence keeps the old. */
function valuesFrom(
  body: OperatorCategoryBody,
  before: Pick<CategoryRow, 'description' | 'position'>,
): Omit<CategoryRow, 'id'> {
  const title = cleanLine(body.title)
  if (title === '') throw emptyTitle()
  return {
    title,
    description: body.description === undefined ? before.description : cleanLine(body.description ?? ''),
    position: body.position ?? before.position,
  }
}

type Act = { action: string; id: string; before: CategoryRow | null; after: CategoryRow | null }

async function record(tx: Tx, operator: Operator, { action, id, before, after }: Act): Promise<void> {
  await notifyContentChanged(tx)
  await appendAudit(tx, {
    actor: { kind: 'operator', id: operator.operatorId },
    action,
    subject: { type: 'category', id },
    details: { before, after },
    requestId: operator.requestId,
  })
}
