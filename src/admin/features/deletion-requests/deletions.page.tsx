import { Link } from 'react-router'
import { operatorDeletions, type OperatorDeletion } from '#contract/operator/deletion-requests.ts'
import { DELETION_STATES } from '#contract/personal-data.ts'
import { DeletionState, DueAt } from '#admin/features/deletion-requests/deletion-state.tsx'
import { deletionsCopy as copy } from '#admin/features/deletion-requests/deletions.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<OperatorDeletion>[] = [
  { name: 'id', label: copy.id, cell: ({ id }) => <Link to={`/deletion-requests/${id}`}>{id}</Link> },
  { name: 'player', label: copy.player, cell: ({ user }) => <PersonLink person={user} /> },
  { name: 'state', label: copy.state, cell: ({ state }) => <DeletionState state={state} /> },
  { name: 'due_at', label: copy.dueAt, sort: 'due_at', cell: (row) => <DueAt {...row} /> },
  { name: 'asked_at', label: copy.askedAt, cell: ({ asked_at }) => momentText(asked_at) },
  {
    name: 'decided_by',
    label: copy.decidedBy,
    cell: ({ decided_by }) => (decided_by === null ? '—' : <PersonLink person={decided_by} />),
  },
]

const filters: readonly Filter[] = [
  {
    name: 'state',
    label: copy.state,
    options: DELETION_STATES.map((value) => ({ value, label: copy.states[value] })),
  },
]

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <DataList
        endpoint={operatorDeletions.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['due_at', 'ASC']}
        empty={copy.empty}
        refreshMs={60_000}
      />
    </ScreenFrame>
  )
}
