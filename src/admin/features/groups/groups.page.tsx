import { useQuery } from '@tanstack/react-query'
import { ActButton, ActDialog, type ActForm, DialogButton } from '#admin/kit/act-dialog.tsx'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { ChoiceField, PositionField, wholeNumber } from '#admin/kit/fields.tsx'
import { optionsOf, optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { unnamed } from '#contract/operator/game/names.ts'
import { type OperatorGroup, operatorGroups } from '#contract/operator/groups.ts'
import { formatDay } from '#contract/format.ts'
import { listServers } from '#contract/settings.ts'
import { Field, TextArea } from '#ui/field.tsx'
import { boardsQuery } from './boards.ts'
import { ProposedGroups } from './proposed-groups.tsx'

/** What players read. */
function useGroupName(): (group: OperatorGroup) => string {
  const { data } = useQuery(boardsQuery)
  return ({ name, board, has_board_name }) => {
    if (!has_board_name || board === null) return name
    return data?.find(({ code }) => code === board)?.name ?? unnamed('board', board)
  }
}

const NEW = {
  name: '',
  has_board_name: false,
  description: '',
  source: 'game' as OperatorGroup['source'],
  board: '' as string | null,
  value_name: '',
  server_id: '' as string | null,
  position: 0,
  recharge_period: 'month' as OperatorGroup['recharge_period'],
  starts_on: '' as string | null,
  ends_on: '' as string | null,
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

const startOf = (group: OperatorGroup | null) => {
  const { name, has_board_name, description, source, value_name, recharge_period, ...rest } = group ?? NEW
  return {
    name,
    has_board_name,
    description,
    source,
    board: rest.board ?? '',
    value_name,
    server_id: rest.server_id ?? '',
    position: String(rest.position),
    recharge_period,
    starts_on: rest.starts_on ?? '',
    ends_on: rest.ends_on ?? '',
  }
}

type Start = ReturnType<typeof startOf>

/** What the chosen source does not have is not sent. */
function bodyOf(typed: Start & { reason: string }) {
  const isOfGame = typed.source === 'game'
  const hasDates = !isOfGame && typed.recharge_period === 'dates'
  return {
    ...typed,
    has_board_name: typed.has_board_name && isOfGame,
    board: isOfGame ? orNull(typed.board) : null,
    server_id: isOfGame ? orNull(typed.server_id) : null,
    position: wholeNumber(typed.position),
    recharge_period: isOfGame ? ('month' as const) : typed.recharge_period,
    starts_on: hasDates ? orNull(typed.starts_on) : null,
    ends_on: hasDates ? orNull(typed.ends_on) : null,
  }
}

/** A new ranking group, or an existing one to be changed. */
function GroupDialog({ group, onClose }: { group: OperatorGroup | null; onClose: () => void }) {
  const nameOf = useGroupName()
  const shared = { submitLabel: labels.save, start: startOf(group), onClose }
  const fields = (form: ActForm<Start>) => <GroupFields form={form} />
  return group === null ? (
    <ActDialog {...shared} title={copy.add} endpoint={operatorGroups.create} toBody={bodyOf}>
      {fields}
    </ActDialog>
  ) : (
    <ActDialog
      {...shared}
      title={copy.editTitle(nameOf(group))}
      endpoint={operatorGroups.update}
      params={{ id: group.id }}
      toBody={(typed) => ({ ...bodyOf(typed), updated_at: group.updated_at })}
    >
      {fields}
    </ActDialog>
  )
}

function GroupFields({ form }: { form: ActForm<Start> }) {
  return (
    <>
      <Field {...form.field('name')} label={copy.name} />
      <TextArea {...form.field('description')} label={copy.description} rows={2} />
      <ChoiceField {...form.field('source')} label={copy.source} options={optionsOf(copy.sources)} />
      {form.values.source === 'game' ? <BoardFields form={form} /> : <RechargeFields form={form} />}
      <Field {...form.field('value_name')} label={copy.valueName} hint={copy.valueHint} />
      <PositionField {...form.field('position')} />
    </>
  )
}

/** Which recharges count. */
function RechargeFields({ form }: { form: ActForm<Start> }) {
  return (
    <>
      <ChoiceField
        {...form.field('recharge_period')}
        label={copy.period}
        hint={copy.periodHint}
        options={optionsOf(copy.periods)}
      />
      {form.values.recharge_period === 'dates' && (
        <>
          <Field {...form.field('starts_on')} label={copy.startsOn} type="date" />
          <Field {...form.field('ends_on')} label={copy.endsOn} type="date" min={form.values.starts_on} />
        </>
      )}
    </>
  )
}

/** The board of the game, of those that are known or another, its server, and whether the group is called what it is. */
function BoardFields({ form }: { form: ActForm<Start> }) {
  const { data: boards = [] } = useQuery(boardsQuery)
  const { data: servers = [] } = useQuery(read(listServers))
  return (
    <>
      <Field {...form.field('board')} label={copy.board} hint={copy.boardHint} list="boards" />
      <datalist id="boards">
        {boards.map(({ code, name }) => (
          <option key={code} value={code}>
            {name ?? unnamed('board', code)}
          </option>
        ))}
      </datalist>
      <label className="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          checked={form.values.has_board_name}
          onChange={({ target }) => form.set('has_board_name', target.checked)}
        />
        {copy.boardName}
      </label>
      <ChoiceField
        {...form.field('server_id')}
        label={labels.server}
        blank={copy.allServers}
        options={optionsOfRows(servers)}
      />
    </>
  )
}

const copy = {
  columns: { name: 'Tên', source: 'Nguồn', takenAt: 'Cập nhật lúc' },
  sources: { game: 'Bảng của game', recharge: 'Xếp hạng nạp của cổng' },
  period: 'Thời gian tính',
  periodHint: 'Theo giờ Việt Nam. Chỉ có người chơi chọn hiện tên trong hồ sơ, trừ khoản nạp đã bị thu hồi.',
  periods: { month: 'Tháng này', week: 'Tuần này (từ thứ Hai)', dates: 'Khoảng ngày' },
  between: (first: string, last: string) => `${formatDay(first)} – ${formatDay(last)}`,
  startsOn: 'Từ ngày',
  endsOn: 'Đến hết ngày',
  allServers: 'Tất cả máy chủ',
  notYet: 'Chưa có',
  empty: 'Chưa có nhóm nào: trang Bảng xếp hạng của người chơi đang trống. Hãy thêm nhóm đầu tiên.',
  add: 'Thêm nhóm',
  editTitle: (name: string) => `Sửa nhóm ${name}`,
  removeTitle: (name: string) => `Xóa nhóm ${name}`,
  removeHint: 'Nhóm và thứ hạng của nhóm không còn hiện với người chơi.',
  name: 'Tên nhóm',
  boardName: 'Lấy tên của bảng ở mục Tên trong game',
  description: 'Mô tả',
  source: 'Nguồn',
  board: 'Tên bảng trong game',
  boardHint: 'Như game đặt tên, ví dụ level.',
  valueName: 'Tên cột giá trị',
  valueHint: 'Ví dụ Cấp, Yên, TCoin.',
} as const

const columns: readonly Column<OperatorGroup>[] = [
  column('name', copy.columns.name, (group) => <Name group={group} />),
  column('source', copy.columns.source, (group) => <Source {...group} />),
  column('server', labels.server, ({ server_id }) => server_id ?? copy.allServers),
  column('position', labels.position, ({ position }) => position, { sort: 'position', isNumber: true }),
  column('taken_at', copy.columns.takenAt, ({ taken_at }) =>
    taken_at === null ? copy.notYet : momentText(taken_at),
  ),
  column('acts', labels.acts, (group) => <Acts group={group} />),
]

function Source({ source, board, recharge_period, starts_on, ends_on }: OperatorGroup) {
  if (source === 'game')
    return (
      <>
        {copy.sources.game} <code>{board}</code>
      </>
    )
  const isOfDates = starts_on !== null && ends_on !== null
  return `${copy.sources.recharge}: ${isOfDates ? copy.between(starts_on, ends_on) : copy.periods[recharge_period]}`
}

function Name({ group }: { group: OperatorGroup }) {
  const nameOf = useGroupName()
  return nameOf(group)
}

export const Component = listScreen(operatorGroups.list, columns, [], {
  acts: (
    <>
      <ProposedGroups />
      <DialogButton
        label={copy.add}
        renderDialog={(onClose) => <GroupDialog group={null} onClose={onClose} />}
      />
    </>
  ),
  usualSort: ['position', 'ASC'],
  empty: copy.empty,
})

function Acts({ group }: { group: OperatorGroup }) {
  const name = useGroupName()(group)
  return (
    <span className="flex flex-wrap gap-2">
      <DialogButton
        label={labels.edit}
        kind="plain"
        aria-label={copy.editTitle(name)}
        renderDialog={(onClose) => <GroupDialog group={group} onClose={onClose} />}
      />
      <ActButton
        label={labels.remove}
        kind="text"
        aria-label={copy.removeTitle(name)}
        endpoint={operatorGroups.remove}
        params={{ id: group.id }}
        text={copy.removeHint}
      />
    </span>
  )
}
