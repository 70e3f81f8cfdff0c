import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { GROUP_SOURCES, type OperatorGroup, operatorGroups } from '#contract/operator/groups.ts'
import { listServers } from '#contract/settings.ts'
import { Button } from '#ui/button.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { TextArea } from '#ui/text-area.tsx'

const NEW = {
  name: '',
  description: '',
  source: 'game' as OperatorGroup['source'],
  board: '' as string | null,
  value_name: '',
  server_id: '' as string | null,
  position: 0,
}

/** What is no number is refused by the schema, beside its field. */
const wholeNumber = (typed: string): number => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : Number.NaN)

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** A new ranking group, or an existing one to be changed. */
function GroupDialog({ group, onClose }: { group: OperatorGroup | null; onClose: () => void }) {
  const { data: servers = [] } = useQuery(read(listServers))
  const { name, description, source, board, value_name, server_id, position } = group ?? NEW
  const shared = {
    submitLabel: groupsCopy.save,
    start: {
      name,
      description,
      source,
      board: board ?? '',
      value_name,
      server_id: server_id ?? '',
      position: String(position),
    },
    onClose,
  }
  type Typed = typeof shared.start & { reason: string }
  const bodyOf = (typed: Typed) => ({
    ...typed,
    board: orNull(typed.board),
    server_id: orNull(typed.server_id),
    position: wholeNumber(typed.position),
  })
  const fields = (form: ActForm<typeof shared.start>) => (
    <>
      <Field {...form.field('name')} label={groupsCopy.name} />
      <TextArea {...form.field('description')} label={groupsCopy.description} rows={2} />
      <SelectField {...form.field('source')} label={groupsCopy.source}>
        {GROUP_SOURCES.map((one) => (
          <option key={one} value={one}>
            {groupsCopy.sources[one]}
          </option>
        ))}
      </SelectField>
      <Field {...form.field('board')} label={groupsCopy.board} hint={groupsCopy.boardHint} />
      <Field {...form.field('value_name')} label={groupsCopy.valueName} hint={groupsCopy.valueHint} />
      <SelectField {...form.field('server_id')} label={groupsCopy.server}>
        <option value="">{groupsCopy.allServers}</option>
        {servers.map((server) => (
          <option key={server.id} value={server.id}>
            {server.name}
          </option>
        ))}
      </SelectField>
      <Field
        {...form.field('position')}
        label={groupsCopy.position}
        hint={groupsCopy.positionHint}
        inputMode="numeric"
      />
    </>
  )
  return group === null ? (
    <ActDialog {...shared} title={groupsCopy.add} endpoint={operatorGroups.create} toBody={bodyOf}>
      {fields}
    </ActDialog>
  ) : (
    <ActDialog
      {...shared}
      title={groupsCopy.editTitle(group.name)}
      endpoint={operatorGroups.update}
      params={{ id: group.id }}
      toBody={(typed) => ({ ...bodyOf(typed), updated_at: group.updated_at })}
    >
      {fields}
    </ActDialog>
  )
}

const groupsCopy = {
  title: 'Nhóm xếp hạng',
  columns: {
    name: 'Tên',
    source: 'Nguồn',
    server: 'Máy chủ',
    position: 'Thứ tự',
    takenAt: 'Cập nhật lúc',
    acts: 'Thao tác',
  },
  sources: { game: 'Bảng của game', recharge: 'Nạp trong tháng' },
  allServers: 'Tất cả máy chủ',
  notYet: 'Chưa có',
  empty: 'Chưa có nhóm nào: trang Bảng xếp hạng của người chơi đang trống. Hãy thêm nhóm đầu tiên.',
  add: 'Thêm nhóm',
  edit: 'Sửa',
  editTitle: (name: string) => `Sửa nhóm ${name}`,
  remove: 'Xóa',
  removeTitle: (name: string) => `Xóa nhóm ${name}`,
  removeHint: 'Nhóm và thứ hạng của nhóm không còn hiện với người chơi.',
  save: 'Lưu',
  name: 'Tên nhóm',
  description: 'Mô tả',
  source: 'Nguồn',
  board: 'Tên bảng trong game',
  boardHint: 'Như game đặt tên, ví dụ level. Bỏ trống với xếp hạng nạp.',
  valueName: 'Tên cột giá trị',
  valueHint: 'Ví dụ Cấp, Yên, TCoin.',
  server: 'Máy chủ',
  position: 'Thứ tự',
  positionHint: 'Số nhỏ đứng trước.',
} as const

const columns: readonly Column<OperatorGroup>[] = [
  { name: 'name', label: groupsCopy.columns.name, cell: ({ name }) => name },
  {
    name: 'source',
    label: groupsCopy.columns.source,
    cell: ({ source, board }) => (
      <>
        {groupsCopy.sources[source]} {board && <code>{board}</code>}
      </>
    ),
  },
  {
    name: 'server',
    label: groupsCopy.columns.server,
    cell: ({ server_id }) => server_id ?? groupsCopy.allServers,
  },
  {
    name: 'position',
    label: groupsCopy.columns.position,
    sort: 'position',
    isNumber: true,
    cell: ({ position }) => position,
  },
  {
    name: 'taken_at',
    label: groupsCopy.columns.takenAt,
    cell: ({ taken_at }) => (taken_at === null ? groupsCopy.notYet : momentText(taken_at)),
  },
  { name: 'acts', label: groupsCopy.columns.acts, cell: (group) => <Acts group={group} /> },
]

export function Component() {
  const [isAdding, setAdding] = useState(false)
  return (
    <ScreenFrame
      title={groupsCopy.title}
      acts={<Button onClick={() => setAdding(true)}>{groupsCopy.add}</Button>}
    >
      <DataList
        endpoint={operatorGroups.list}
        label={groupsCopy.title}
        columns={columns}
        usualSort={['position', 'ASC']}
        empty={groupsCopy.empty}
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
      <Button kind="plain" aria-label={groupsCopy.editTitle(group.name)} onClick={() => setAct('edit')}>
        {groupsCopy.edit}
      </Button>
      <Button kind="quiet" aria-label={groupsCopy.removeTitle(group.name)} onClick={() => setAct('remove')}>
        {groupsCopy.remove}
      </Button>
      {act === 'edit' && <GroupDialog group={group} onClose={close} />}
      {act === 'remove' && (
        <ActDialog
          title={groupsCopy.removeTitle(group.name)}
          submitLabel={groupsCopy.remove}
          endpoint={operatorGroups.remove}
          params={{ id: group.id }}
          onClose={close}
        >
          {() => <p>{groupsCopy.removeHint}</p>}
        </ActDialog>
      )}
    </span>
  )
}
