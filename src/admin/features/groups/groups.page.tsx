import { useState } from 'react'
import { operatorGroups, type OperatorGroup } from '#contract/operator/groups.ts'
import { Button } from '#ui/button.tsx'
import { GroupDialog } from '#admin/features/groups/group-dialog.tsx'
import { groupsCopy as copy } from '#admin/features/groups/groups.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<OperatorGroup>[] = [
  { name: 'name', label: copy.columns.name, cell: ({ name }) => name },
  {
    name: 'source',
    label: copy.columns.source,
    cell: ({ source, board }) => (
      <>
        {copy.sources[source]} {board && <code>{board}</code>}
      </>
    ),
  },
  { name: 'server', label: copy.columns.server, cell: ({ server_id }) => server_id ?? copy.allServers },
  {
    name: 'position',
    label: copy.columns.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }) => position,
  },
  {
    name: 'taken_at',
    label: copy.columns.takenAt,
    cell: ({ taken_at }) => (taken_at === null ? copy.notYet : momentText(taken_at)),
  },
  { name: 'acts', label: copy.columns.acts, cell: (group) => <Acts group={group} /> },
]

export function Component() {
  const [isAdding, setAdding] = useState(false)
  return (
    <ScreenFrame title={copy.title} acts={<Button onClick={() => setAdding(true)}>{copy.add}</Button>}>
      <DataList
        endpoint={operatorGroups.list}
        label={copy.title}
        columns={columns}
        usualSort={['position', 'ASC']}
        empty={copy.empty}
      />
      {isAdding && <GroupDialog group={null} onClose={() => setAdding(false)} />}
    </ScreenFrame>
  )
}

function Acts({ group }: { group: OperatorGroup }) {
  const [act, setAct] = useState<'edit' | 'remove' | null>(null)
  const close = () => setAct(null)
  return (
    <span className="flex flex-wrap gap-2">
      <Button kind="plain" aria-label={copy.editTitle(group.name)} onClick={() => setAct('edit')}>
        {copy.edit}
      </Button>
      <Button kind="quiet" aria-label={copy.removeTitle(group.name)} onClick={() => setAct('remove')}>
        {copy.remove}
      </Button>
      {act === 'edit' && <GroupDialog group={group} onClose={close} />}
      {act === 'remove' && (
        <ActDialog
          title={copy.removeTitle(group.name)}
          submitLabel={copy.remove}
          endpoint={operatorGroups.remove}
          params={{ id: group.id }}
          onClose={close}
        >
          {() => <p>{copy.removeHint}</p>}
        </ActDialog>
      )}
    </span>
  )
}
