import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { type OperatorServer, operatorServers } from '#contract/operator/servers.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'

const serversCopy = {
  title: 'Máy chủ',
  columns: { id: 'Mã', name: 'Tên', position: 'Thứ tự', updatedAt: 'Sửa lúc', acts: 'Thao tác' },
  empty: 'Chưa có máy chủ nào: người mới không đăng ký được. Hãy thêm máy chủ đầu tiên.',
  add: 'Thêm máy chủ',
  edit: 'Sửa',
  editTitle: (name: string) => `Sửa máy chủ ${name}`,
  remove: 'Xóa',
  removeTitle: (name: string) => `Xóa máy chủ ${name}`,
  removeHint: 'Chỉ xóa được khi không có người chơi và nhóm xếp hạng nào thuộc máy chủ này.',
  save: 'Lưu',
  id: 'Mã máy chủ trong game',
  idHint: 'Không đổi được về sau.',
  name: 'Tên hiện với người chơi',
  position: 'Thứ tự',
  positionHint: 'Số nhỏ đứng trước.',
} as const

const columns: readonly Column<OperatorServer>[] = [
  { name: 'id', label: serversCopy.columns.id, cell: ({ id }) => <code>{id}</code> },
  { name: 'name', label: serversCopy.columns.name, cell: ({ name }) => name },
  {
    name: 'position',
    label: serversCopy.columns.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }) => position,
  },
  {
    name: 'updated_at',
    label: serversCopy.columns.updatedAt,
    cell: ({ updated_at }) => momentText(updated_at),
  },
  { name: 'acts', label: serversCopy.columns.acts, cell: (server) => <Acts server={server} /> },
]

export function Component() {
  const [isAdding, setAdding] = useState(false)
  return (
    <ScreenFrame
      title={serversCopy.title}
      acts={<Button onClick={() => setAdding(true)}>{serversCopy.add}</Button>}
    >
      <DataList
        endpoint={operatorServers.list}
        label={serversCopy.title}
        columns={columns}
        usualSort={['position', 'ASC']}
        empty={serversCopy.empty}
      />
      {isAdding && (
        <ActDialog
          title={serversCopy.add}
          submitLabel={serversCopy.save}
          endpoint={operatorServers.create}
          start={{ id: '', name: '', position: '0' }}
          toBody={({ position, ...rest }) => ({ ...rest, position: wholeNumber(position) })}
          onClose={() => setAdding(false)}
        >
          {(form) => (
            <>
              <Field {...form.field('id')} label={serversCopy.id} hint={serversCopy.idHint} />
              <Field {...form.field('name')} label={serversCopy.name} />
              <Field
                {...form.field('position')}
                label={serversCopy.position}
                hint={serversCopy.positionHint}
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
      <Button kind="plain" aria-label={serversCopy.editTitle(name)} onClick={() => setAct('edit')}>
        {serversCopy.edit}
      </Button>
      <Button kind="quiet" aria-label={serversCopy.removeTitle(name)} onClick={() => setAct('remove')}>
        {serversCopy.remove}
      </Button>
      {act === 'edit' && (
        <ActDialog
          title={serversCopy.editTitle(name)}
          submitLabel={serversCopy.save}
          endpoint={operatorServers.update}
          params={{ id }}
          start={{ name, position: String(position) }}
          toBody={({ position: typed, ...rest }) => ({ ...rest, position: wholeNumber(typed), updated_at })}
          onClose={close}
        >
          {(form) => (
            <>
              <Field {...form.field('name')} label={serversCopy.name} />
              <Field
                {...form.field('position')}
                label={serversCopy.position}
                hint={serversCopy.positionHint}
                inputMode="numeric"
              />
            </>
          )}
        </ActDialog>
      )}
      {act === 'remove' && (
        <ActDialog
          title={serversCopy.removeTitle(name)}
          submitLabel={serversCopy.remove}
          endpoint={operatorServers.remove}
          params={{ id }}
          onClose={close}
        >
          {() => <p>{serversCopy.removeHint}</p>}
        </ActDialog>
      )}
    </span>
  )
}
