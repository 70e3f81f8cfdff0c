import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { type ClientErrorRow, operatorClientErrors } from '#contract/operator/client-errors.ts'
import { Badge } from '#ui/badge.tsx'
import {
  ClientErrorState,
  clientErrorsCopy as copy,
  messageOf,
  placeOf,
  releaseOf,
} from './client-error-parts.tsx'

const columns: readonly Column<ClientErrorRow>[] = [
  column(
    'message',
    copy.message,
    (row) => (
      <>
        <Link to={`/client-errors/${row.id}`} className="wrap-anywhere">
          {messageOf(row)}
        </Link>{' '}
        {row.is_new && row.handled_at === null && <Badge tone="waiting">{copy.isNew}</Badge>}
      </>
    ),
    { isText: true, isName: true },
  ),
  column('place', copy.place, (row) => <code className="wrap-anywhere">{placeOf(row)}</code>, {
    isText: true,
    onPhone: 'main',
  }),
  column('state', labels.state, (row) => <ClientErrorState shown={row} />),
  column('site', copy.site, ({ site }) => copy.sites[site]),
  column('release', copy.release, releaseOf),
  numberColumn('times', copy.times, { sort: 'times' }),
  column('engines', copy.engines, ({ engines }) =>
    engines
      .slice(0, 3)
      .map(({ engine }) => engine)
      .join(', '),
  ),
  momentColumn('first_seen', copy.firstSeen, { sort: 'first_seen' }),
  momentColumn('last_seen', copy.lastSeen, { sort: 'last_seen' }),
]

const filters: readonly Filter[] = [
  { name: 'state', label: labels.state, options: optionsOf(copy.states) },
  { name: 'site', label: copy.site, options: optionsOf(copy.sites) },
  { name: 'kind', label: copy.kind, options: optionsOf(copy.kinds) },
  { name: 'is_new', label: copy.isNew, type: 'flag', options: optionsOf(copy.news) },
  { name: 'release', label: copy.release },
]

export const Component = listScreen(operatorClientErrors.list, columns, filters, {
  usualSort: ['last_seen', 'DESC'],
  lead: <p className="max-w-2xl text-soft">{copy.note}</p>,
  empty: copy.empty,
  refreshMs: 60_000,
})
