import { useState } from 'react'
import { operatorServers, type OperatorServer } from '#contract/operator/servers.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { serversCopy as copy } from '#admin/features/servers/servers.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'

const columns: readonly Column<OperatorServer>[] = [
  { name: 'id', label: copy.columns.id, cell: ({ id }) => <code>{id}</code> },
  { name: 'name', label: copy.columns.name, cell: ({ name }) => name },
  {
    name: 'position',
    label: copy.columns.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }) => position,
  },
  { name: 'updated_at', label: copy.columns.updatedAt, cell: ({ updated_at }) => momentText(updated_at) },
  { name: 'acts', label: copy.columns.acts, cell: (server) => <Acts server={server} /> },
]

export function Component() {
  const [isAdding, setAdding] = useState(false)
  return (
    <ScreenFrame title={copy.title} acts={<Button onClick={() => setAdding(true)}>{copy.add}</Button>}>
      <DataList
        endpoint={operatorServers.list}
        label={copy.title}
        columns={columns}
        usualSort={['position', 'ASC']}
        empty={copy.empty}
      />
      {isAdding && (
        <ActDialog
          title={copy.add}
          submitLabel={copy.save}
          endpoint={operatorServers.create}
          start={{ id: '', name: '', position: '0' }}
          toBody={({ position, ...rest }) => ({ ...rest, position: wholeNumber(position) })}
          onClose={() => setAdding(false)}
        >
          {(form) => (
            <>
              <Field {...form.field('id')} label={copy.id} hint={copy.idHint} />
              <Field {...form.field('name')} label={copy.name} />
              <Field
                {...form.field('position')}
                label={copy.position}
                hint={copy.positionHint}
                inputMode="numeric"
              />
            </>
          )}
        </ActDialog>
      )}
    </ScreenFrame>
  )
}

/** What is no number is refused by the schema, beside its field. */
const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN)

function Acts({ server: { id, name, position, updated_at } }: { server: OperatorServer }) {
  const [act, setAct] = useState<'edit' | 'remove' | null>(null)
  const close = () => setAct(null)
  return (
    <span className="flex flex-wrap gap-2">
      <Button kind="plain" aria-label={copy.editTitle(name)} onClick={() => setAct('edit')}>
        {copy.edit}
      </Button>
      <Button kind="quiet" aria-label={copy.removeTitle(name)} onClick={() => setAct('remove')}>
        {copy.remove}
      </Button>
      {act === 'edit' && (
        <ActDialog
          title={copy.editTitle(name)}
          submitLabel={copy.save}
          endpoint={operatorServers.update}
          params={{ id }}
          start={{ name, position: String(position) }}
          toBody={({ position: typed, ...rest }) => ({ ...rest, position: wholeNumber(typed), updated_at })}
          onClose={close}
        >
          {(form) => (
            <>
              <Field {...form.field('name')} label={copy.name} />
              <Field
                {...form.field('position')}
                label={copy.position}
                hint={copy.positionHint}
                inputMode="numeric"
              />
            </>
          )}
        </ActDialog>
      )}
      {act === 'remove' && (
        <ActDialog
          title={copy.removeTitle(name)}
          submitLabel={copy.remove}
          endpoint={operatorServers.remove}
          params={{ id }}
          onClose={close}
        >
          {() => <p>{copy.removeHint}</p>}
        </ActDialog>
      )}
    </span>
  )
}
