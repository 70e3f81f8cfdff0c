import { ActButton } from '#admin/kit/act-dialog.tsx'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { PositionField, wholeNumber } from '#admin/kit/fields.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { type OperatorServer, operatorServers } from '#contract/operator/servers.ts'
import { Field } from '#ui/field.tsx'
import { ServersOfGame } from './servers-of-game.tsx'

const copy = {
  columns: { id: 'Mã', name: 'Tên', updatedAt: 'Sửa lúc' },
  empty: 'Chưa có máy chủ nào: người mới không đăng ký được. Hãy thêm máy chủ đầu tiên.',
  add: 'Thêm máy chủ',
  editTitle: (name: string) => `Sửa máy chủ ${name}`,
  removeTitle: (name: string) => `Xóa máy chủ ${name}`,
  removeHint: 'Chỉ xóa được khi không có người chơi và nhóm xếp hạng nào thuộc máy chủ này.',
  id: 'Mã máy chủ trong game',
  idHint: 'Không đổi được về sau.',
  name: 'Tên hiện với người chơi',
} as const

const columns: readonly Column<OperatorServer>[] = [
  column('id', copy.columns.id, ({ id }) => <code>{id}</code>),
  column('name', copy.columns.name, ({ name }) => name, { isName: true }),
  column('position', labels.position, ({ position }) => position, { sort: 'position', isNumber: true }),
  momentColumn('updated_at', copy.columns.updatedAt),
  column('acts', labels.acts, (server) => <Acts server={server} />),
]

export const Component = listScreen(operatorServers.list, columns, [], {
  acts: (
    <>
      <ServersOfGame />
      <ActButton
        label={copy.add}
        submitLabel={labels.save}
        endpoint={operatorServers.create}
        start={{ id: '', name: '', position: '0' }}
        toBody={({ position, ...rest }) => ({ ...rest, position: wholeNumber(position) })}
      >
        {(form) => (
          <>
            <Field {...form.field('id')} label={copy.id} hint={copy.idHint} />
            <Field {...form.field('name')} label={copy.name} />
            <PositionField {...form.field('position')} />
          </>
        )}
      </ActButton>
    </>
  ),
  usualSort: ['position', 'ASC'],
  empty: copy.empty,
})

function Acts({ server: { id, name, position, updated_at } }: { server: OperatorServer }) {
  return (
    <span className="flex flex-wrap gap-2">
      <ActButton
        label={labels.edit}
        kind="plain"
        aria-label={copy.editTitle(name)}
        submitLabel={labels.save}
        endpoint={operatorServers.update}
        params={{ id }}
        start={{ name, position: String(position) }}
        toBody={({ position: typed, ...rest }) => ({ ...rest, position: wholeNumber(typed), updated_at })}
      >
        {(form) => (
          <>
            <Field {...form.field('name')} label={copy.name} />
            <PositionField {...form.field('position')} />
          </>
        )}
      </ActButton>
      <ActButton
        label={labels.remove}
        kind="text"
        aria-label={copy.removeTitle(name)}
        endpoint={operatorServers.remove}
        params={{ id }}
        text={copy.removeHint}
      />
    </span>
  )
}
