import { Link } from 'react-router'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { type OperatorDeletion, operatorDeletions } from '#contract/operator/deletion-requests.ts'
import { deletionsCopy as copy, DeletionState, DueAt } from './deletion-parts.tsx'

const columns: readonly Column<OperatorDeletion>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/deletion-requests/${id}`}>{id}</Link>),
  column('player', labels.player, ({ user }) => <PersonLink person={user} />),
  column('state', labels.state, ({ state }) => <DeletionState state={state} />),
  column('due_at', copy.dueAt, (row) => <DueAt {...row} />, { sort: 'due_at' }),
  momentColumn('asked_at', copy.requestedAt),
  column('decided_by', copy.decidedBy, ({ decided_by }) =>
    decided_by === null ? '—' : <PersonLink person={decided_by} />,
  ),
]

const filters: readonly Filter[] = [{ name: 'state', label: labels.state, options: optionsOf(copy.states) }]

export const Component = listScreen(operatorDeletions.list, columns, filters, {
  usualSort: ['due_at', 'ASC'],
  empty: copy.empty,
  refreshMs: 60_000,
})
