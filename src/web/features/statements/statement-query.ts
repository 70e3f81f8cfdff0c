import {
  TRANSACTION_TYPES,
  listTransactions,
  TRANSACTIONS_CSV_PATH,
  type TransactionType,
} from '#contract/transactions.ts'
import { pageIn } from '#web/parts/lists/paged-list.tsx'
import { fieldOfMoment } from '#contract/format.ts'
import { savingCall } from '#web/parts/sending/saving-call.ts'
import { ownQuery } from '#web/query-client.ts'

export const STATEMENT_SORTS = ['created_at-desc', 'created_at-asc', 'amount-desc', 'amount-asc'] as const

export type StatementSort = (typeof STATEMENT_SORTS)[number]

/** The filters and the page of the statement. They are stored in the address. */
export type StatementView = {
  page: number
  sort: StatementSort
  search: string
  type: TransactionType | null
  /** Days as `2026-11-21`; empty when open. */
  from: string
  to: string
}

export const EVERYTHING: StatementView = {
  page: 1,
  sort: 'created_at-desc',
  search: '',
  type: null,
  from: '',
  to: '',
}

const ITEMS_PER_PAGE = 20
const SEARCH_MAX = 64

/** Reads the address. Invalid values count as absent. */
export function readView(address: URLSearchParams): StatementView {
  return {
    page: pageIn(address),
    sort: STATEMENT_SORTS.find((sort) => sort === address.get('sort')) ?? EVERYTHING.sort,
    search: (address.get('search') ?? '').trim().slice(0, SEARCH_MAX),
    type: TRANSACTION_TYPES.find((type) => type === address.get('type')) ?? null,
    from: readDay(address.get('from')),
    to: readDay(address.get('to')),
  }
}

/** The address of a view; defaults are left out of it. */
export function writeView(view: StatementView): URLSearchParams {
  const address = new URLSearchParams()
  if (view.type) address.set('type', view.type)
  if (view.from) address.set('from', view.from)
  if (view.to) address.set('to', view.to)
  if (view.search) address.set('search', view.search)
  if (view.sort !== EVERYTHING.sort) address.set('sort', view.sort)
  if (view.page > 1) address.set('page', String(view.page))
  return address
}

/** The view after a change; whatever changes what is listed leads back to the first page. */
export function changeView(view: StatementView, change: Partial<StatementView>): StatementView {
  return { ...view, page: 1, ...change }
}

/** The same as the API's query (spec §7). */
export function apiQueryOf({ page, sort, search, type, from, to }: StatementView) {
  const [column, order] = sort.split('-') as ['created_at' | 'amount', 'asc' | 'desc']
  return {
    page,
    items_per_page: ITEMS_PER_PAGE,
    sort: column,
    order,
    search: search || undefined,
    filter_type: type ?? undefined,
    filter_from: from || undefined,
    filter_to: to || undefined,
  }
}

export const isReversed = ({ from, to }: StatementView) => from !== '' && to !== '' && from > to

export const isFiltered = ({ search, type, from, to }: StatementView) =>
  search !== '' || type !== null || from !== '' || to !== ''

/** How many of the filters that the page does not show are set; days of a chip are shown. */
export const filterCount = ({ search, type, from, to, sort }: StatementView, isDaysShown: boolean): number =>
  [search !== '', type !== null, !isDaysShown && (from !== '' || to !== ''), sort !== EVERYTHING.sort].filter(
    Boolean,
  ).length

function readDay(text: string | null): string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return ''
  const time = new Date(`${text}T00:00:00Z`)
  // The calendar has no 31 February; JavaScript would read it as 3 March.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : ''
}

/** Days up to today that one tap chooses; null means all. */
export const DAY_CHIPS = [1, 7, 30, null] as const

type DayChip = (typeof DAY_CHIPS)[number]

type Days = Pick<StatementView, 'from' | 'to'>

const DAY_MS = 86_400_000

/** The days of a chip, by Vietnam's clock wherever the phone is. */
export function daysOf(chip: DayChip, now_ms: number): Days {
  if (chip === null) return { from: '', to: '' }
  const first = new Date(now_ms - (chip - 1) * DAY_MS).toISOString()
  return { from: fieldOfMoment(first).slice(0, 10), to: '' }
}

/** The chip that stands for these days; undefined for days of the player's own. */
export function chipOf({ from, to }: Days, now_ms: number): DayChip | undefined {
  return DAY_CHIPS.find((chip) => to === '' && daysOf(chip, now_ms).from === from)
}

export const statementQuery = (view: StatementView) =>
  ownQuery<typeof listTransactions>('/user/transactions', { query: apiQueryOf(view) })

const statementFile = { ...listTransactions, path: TRANSACTIONS_CSV_PATH }

/** Saves everything that the view lists, not only its page. */
export async function saveStatement(view: StatementView): Promise<void> {
  const { page: _page, items_per_page: _count, ...query } = apiQueryOf(view)
  await savingCall('giao-dich.csv')(statementFile, { query })
}
