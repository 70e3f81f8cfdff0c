import { useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { readList } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import type { AnswerOf, Endpoint, QueryInputOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { LIST_REACH_MAX } from '#contract/operator/fields.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { Button } from '#ui/button.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { FileButton } from './file-button.tsx'
import { type Filter, FilterBar, filterOf } from './filter-bar.tsx'
import { kitCopy } from './kit.copy.ts'
import { type ListAddress, PAGE_ROWS, useListAddress } from './list-address.ts'
import { LoadFailure, PageSkeleton } from './loaded.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { ScreenFrame, useScreenTitle } from './screen.tsx'

const copy = kitCopy.list

type RowOf<E> = AnswerOf<E> extends readonly (infer Row extends { id: string })[] ? Row : never

type BulkProps<Row> = { chosen: readonly Row[]; onDone: () => void }

type Props<E extends Endpoint> = {
  endpoint: E
  /** The name of the table for screen readers. */
  label: string
  columns: readonly Column<RowOf<E>>[]
  filters?: readonly Filter[]
  usualSort: ListAddress['sort']
  /** Instead of “no row fits”, when nothing is filtered. */
  empty?: ReactNode
  /** The list as a file: `GET <path>.csv`. */
  isFile?: boolean
  /** Acts on several rows at once, for operators with the permission. */
  bulk?: { permission: Permission; Acts: ComponentType<BulkProps<RowOf<E>>> }
  /** Reads again every so many milliseconds. */
  refreshMs?: number
}

/** A list of the console: filters, sorting, columns and page in the address, numbers of rows, a file, acts on several. */
export function DataList<E extends Endpoint>({
  endpoint,
  label,
  columns,
  filters = [],
  usualSort,
  empty,
  isFile = false,
  bulk,
  refreshMs,
}: Props<E>) {
  const may = useMay()
  const Acts = bulk && may(bulk.permission) ? bulk.Acts : null
  const { address, turnTo, sortBy, filterBy, hide } = useListAddress(usualSort)
  const query = queryOf(address, filters)
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...readList(endpoint, query as QueryInputOf<E>),
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs }),
  })
  const rows = (data?.rows ?? []) as readonly RowOf<E>[]
  const { chosen, choose, clear } = useChosen(rows)
  const isFiltered = Object.keys(address.filter).length > 0

  return (
    <div className="space-y-3 lg:space-y-4">
      <FilterBar
        filters={filters}
        values={address.filter}
        onFilter={(values, isRefined) => {
          clear()
          filterBy(values, isRefined)
        }}
      >
        <Columns columns={columns} hidden={address.hidden} onHide={hide} />
        {isFile && <FileButton path={endpoint.path} query={{ sort: query.sort, filter: query.filter }} />}
      </FilterBar>
      <SavedFilters path={endpoint.path} usualSort={usualSort} {...presentOf(address, filters, usualSort)} />
      <Counted total={data?.total} />
      {Acts && chosen.length > 0 && <ChosenRows Acts={Acts} chosen={chosen} onDone={clear} />}
      {error && !data ? (
        <LoadFailure error={error} onRetry={refetch} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : rows.length === 0 ? (
        <div data-empty className="rounded-lg bg-sunken px-4 py-8 text-center">
          {isFiltered || !empty ? copy.empty : empty}
        </div>
      ) : (
        <div aria-busy={isPlaceholderData} className={isPlaceholderData ? 'opacity-60' : ''}>
          <DataTable
            label={label}
            columns={columns.filter(({ name }) => !address.hidden.includes(name))}
            rows={rows}
            sort={address.sort}
            onSort={sortBy}
            {...(Acts && { chosen: chosen.map(({ id }) => id), onChoose: choose })}
          />
          <Turning {...{ address, total: data.total, next: data.next }} shown={rows.length} onTurn={turnTo} />
        </div>
      )}
    </div>
  )
}

type PageProps<E extends Endpoint> = Omit<Props<E>, 'label'> & {
  /** Beside the title. */
  acts?: ReactNode
  /** Between the title and the list. */
  lead?: ReactNode
  /** Below the list: open dialogs. */
  children?: ReactNode
}

/** A screen that shows a list, for pages with state of their own. */
export function ListPage<E extends Endpoint>({ acts, lead, children, ...list }: PageProps<E>) {
  const label = useScreenTitle()
  return (
    <ScreenFrame acts={acts}>
      {lead}
      <div data-list>
        <DataList<E> {...(list as Omit<Props<E>, 'label'>)} label={label} />
      </div>
      {children}
    </ScreenFrame>
  )
}

/** A screen that is one list, for pages without state of their own. */
export const listScreen =
  <E extends Endpoint>(
    endpoint: E,
    columns: readonly Column<RowOf<E>>[],
    filters: readonly Filter[],
    rest: Omit<PageProps<E>, 'endpoint' | 'columns' | 'filters'>,
  ) =>
  () => <ListPage<E> {...({ endpoint, columns, filters, ...rest } as PageProps<E>)} />

function queryOf({ sort, page, after, filter }: ListAddress, filters: readonly Filter[]) {
  const from = (page - 1) * PAGE_ROWS
  return {
    sort: JSON.stringify(sort),
    range: JSON.stringify(after === null ? [from, from + PAGE_ROWS - 1] : [0, PAGE_ROWS - 1]),
    filter: JSON.stringify(filterOf(filters, filter)),
    ...(after === null ? {} : { after }),
  }
}

/** The part of the address that is saved: what the operator chose, without the defaults. */
const presentOf = (
  { sort, filter }: ListAddress,
  filters: readonly Filter[],
  usualSort: ListAddress['sort'],
) => ({
  present: {
    sort: JSON.stringify(sort),
    filter: JSON.stringify(
      filterOf(
        filters.map(({ usual: _usual, ...one }) => one),
        filter,
      ),
    ),
  },
  isChanged: Object.keys(filter).length > 0 || sort.join() !== usualSort.join(),
})

const totalText = (total: number): string => (total >= LIST_REACH_MAX ? copy.more : formatNumber(total))

/** Always there, so that a screen reader says what a filter or a page changed. */
const Counted = ({ total }: { total: number | undefined }) => (
  <p aria-live="polite" className="sr-only">
    {total !== undefined && copy.rows(totalText(total))}
  </p>
)

type TurningProps = {
  address: ListAddress
  shown: number
  total: number
  next: string | null
  onTurn: (page: number, after: string | null) => void
}

/** Page by page; from the 10,000th row on it continues after the last row shown, and back is the browser's back. */
function Turning({ address: { page, after }, shown, total, next, onTurn }: TurningProps) {
  const from = (page - 1) * PAGE_ROWS + 1
  const isWithinReach = page * PAGE_ROWS < LIST_REACH_MAX
  const hasNext = after === null && isWithinReach ? page * PAGE_ROWS < total : next !== null
  return (
    <nav aria-label={copy.next} className="mt-3 flex flex-wrap items-center justify-between gap-3">
      <span className="text-sm text-soft">{copy.count(from, from + shown - 1, totalText(total))}</span>
      <span className="flex gap-2">
        <Button
          kind="plain"
          disabled={page <= 1}
          onClick={() => (after === null ? onTurn(page - 1, null) : history.back())}
        >
          {copy.previous}
        </Button>
        <Button
          kind="plain"
          disabled={!hasNext}
          onClick={() => onTurn(page + 1, after === null && isWithinReach ? null : next)}
        >
          {copy.next}
        </Button>
      </span>
    </nav>
  )
}

type ColumnsProps = {
  columns: readonly { name: string; label: string }[]
  hidden: readonly string[]
  onHide: (hidden: readonly string[]) => void
}

function Columns({ columns, hidden, onHide }: ColumnsProps) {
  return (
    <details className="relative">
      <summary className="inline-flex min-h-11 items-center rounded-lg border border-line-strong bg-raised px-4 text-[0.9375rem] font-bold">
        {copy.columns}
      </summary>
      <div className="absolute right-0 z-10 mt-1 min-w-44 rounded-lg border border-line bg-raised p-3 shadow-card">
        {columns.map(({ name, label }) => (
          <label key={name} className="flex min-h-9 items-center gap-2">
            <input
              type="checkbox"
              checked={!hidden.includes(name)}
              onChange={({ target }) =>
                onHide(target.checked ? hidden.filter((one) => one !== name) : [...hidden, name])
              }
            />
            {label}
          </label>
        ))}
      </div>
    </details>
  )
}

/** The rows that are ticked, also those of other pages; they are acted on as they were when they were ticked. */
function useChosen<Row extends { id: string }>(rows: readonly Row[]) {
  const [chosen, setChosen] = useState<readonly Row[]>([])
  const choose = (ids: readonly string[]) => {
    const known = new Map([...chosen, ...rows].map((row) => [row.id, row]))
    setChosen(ids.flatMap((id) => known.get(id) ?? []))
  }
  return { chosen, choose, clear: () => setChosen([]) }
}

/** How many rows are ticked, and the acts on them. */
const ChosenRows = <Row,>({ Acts, ...props }: BulkProps<Row> & { Acts: ComponentType<BulkProps<Row>> }) => (
  <div role="status" className="flex flex-wrap items-center gap-3 rounded-lg bg-sunken px-3 py-2">
    <strong>{copy.chosen(props.chosen.length)}</strong>
    <Acts {...props} />
  </div>
)
