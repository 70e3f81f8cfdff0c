import type { QueryOf } from '#contract/endpoint.ts'
import type { operatorCategories, OperatorCategory, OperatorCategoryBody } from '#contract/operator/posts.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { changedMeanwhile, orNotFound } from '#server/platform/values/errors.ts'
import { changeContent, emptyTitle, tooManyCategories } from './operator-posts.service.ts'
import {
  deleteCategory,
  insertCategory,
  lockCategory,
  summariseCategories,
  updateCategory,
  type CategoryValues,
} from './operator-posts.queries.ts'
import { findCategory, listCategoryRows, type CategoryRow } from './posts.queries.ts'
import { cleanLine } from '#server/platform/html/clean-text.rules.ts'
import { CATEGORIES_MAX, isOutdated } from './posts.rules.ts'
import type { PostsDeps } from './posts.service.ts'
import { holdsWords, searchedWords } from '#contract/search-form.ts'

type Given = NonNullable<QueryOf<typeof operatorCategories.list>['filter']>

/** There are a hundred at most, so they are sorted and filtered here. */
export async function listOperatorCategories(
  db: Db,
  { q = '', id }: Given,
  { sort, order, from, to }: ListPage & { sort: string },
): Promise<ListRows<OperatorCategory>> {
  const words = searchedWords(q)
  const rows = (await listCategoryRows(db, CATEGORIES_MAX))
    .filter((row) => holdsWords(row.title, words) && (id?.includes(row.id) ?? true))
    .sort((a, b) => compare(a, b, sort) * (order === 'asc' ? 1 : -1))
  return { total: rows.length, rows: rows.slice(from, to + 1).map(describe) }
}

function compare(a: CategoryRow, b: CategoryRow, sort: string): number {
  const byId = Number(a.id) - Number(b.id)
  if (sort === 'title') return a.title.localeCompare(b.title, 'vi') || byId
  return (sort === 'position' ? a.position - b.position : 0) || byId
}

export async function getOperatorCategory(db: Db, id: string): Promise<OperatorCategory> {
  const category = orNotFound(await findCategory(db, id))
  return describe(category)
}

const describe = ({ updated_at, ...row }: CategoryRow): OperatorCategory => ({
  ...row,
  updated_at: updated_at.toISOString(),
})

const CATEGORY = {
  type: 'category',
  audited: ({ id, title, description, position }: CategoryRow) => ({ id, title, description, position }),
  describe,
} as const

export const createCategory = (deps: PostsDeps, call: UserCall<typeof operatorCategories.create>) =>
  changeContent(deps, call, {
    ...CATEGORY,
    action: 'categories.create',
    async work(tx) {
      const { count, nextPosition } = await summariseCategories(tx)
      if (count >= CATEGORIES_MAX) throw tooManyCategories(CATEGORIES_MAX)
      const values = valuesFrom(call.body, { description: '', position: nextPosition })
      return { before: null, after: await insertCategory(tx, values) }
    },
  })

export const changeCategory = (deps: PostsDeps, call: UserCall<typeof operatorCategories.update>) =>
  changeContent(deps, call, {
    ...CATEGORY,
    action: 'categories.update',
    async work(tx) {
      const { params, body } = call
      const before = await lockCategory(tx, params.id)
      if (isOutdated(body.updated_at, before)) throw changedMeanwhile(describe(before))
      return { before, after: await updateCategory(tx, before.id, valuesFrom(body, before)) }
    },
  })

export const removeCategory = (deps: PostsDeps, call: UserCall<typeof operatorCategories.remove>) =>
  changeContent(deps, call, {
    ...CATEGORY,
    action: 'categories.delete',
    async work(tx) {
      const before = await lockCategory(tx, call.params.id)
      await deleteCategory(tx, before.id)
      return { before, after: null }
    },
  })

/** A field left out stays as it was; an empty description is a value. */
function valuesFrom(
  body: OperatorCategoryBody,
  before: Pick<CategoryRow, 'description' | 'position'>,
): CategoryValues {
  const title = cleanLine(body.title)
  if (title === '') throw emptyTitle()
  return {
    title,
    description: body.description === undefined ? before.description : cleanLine(body.description ?? ''),
    position: body.position ?? before.position,
  }
}
