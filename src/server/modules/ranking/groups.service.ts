import type { QueryOf } from '#contract/endpoint.ts'
import type { GivenGroup, GroupFields, OperatorGroup, operatorGroups } from '#contract/operator/groups.ts'
import { changeRow } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { changedMeanwhile, invalidField } from '#server/platform/values/errors.ts'
import {
  deleteGroup,
  hasServer,
  insertGroup,
  insertGroups,
  lockGroup,
  outdateSnapshot,
  selectGroupPage,
  updateGroup,
} from './groups.queries.ts'

type Filter = NonNullable<QueryOf<typeof operatorGroups.list>['filter']>

export const listOperatorGroups = (db: Db, { id }: Filter, page: ListPage) => selectGroupPage(db, id, page)

/** A board belongs to the game's rankings and to no other; recharges have a period and no server. */
async function assertRight(tx: Tx, fields: GroupFields): Promise<void> {
  const { source, board, has_board_name, server_id } = fields
  assertPeriod(fields)
  if (source === 'recharge' && has_board_name)
    throw invalidField('has_board_name', 'Xếp hạng nạp không có bảng của game')
  if (source === 'game' && board === null) throw invalidField('board', 'Vui lòng nhập tên bảng của game')
  if (source === 'recharge' && board !== null)
    throw invalidField('board', 'Xếp hạng nạp không có bảng của game')
  if (source === 'recharge' && server_id !== null)
    throw invalidField('server_id', 'Xếp hạng nạp tính chung mọi máy chủ')
  if (server_id !== null && !(await hasServer(tx, server_id)))
    throw invalidField('server_id', 'Không có máy chủ này')
}

const DAYS_MAX = 366
const DAY_MS = 86_400_000

function assertPeriod({ source, recharge_period, starts_on, ends_on }: GroupFields): void {
  if (source === 'game' && recharge_period !== 'month')
    throw invalidField('recharge_period', 'Chỉ xếp hạng nạp mới có thời gian tính')
  if (recharge_period !== 'dates') {
    if (starts_on !== null) throw invalidField('starts_on', 'Chỉ nhập ngày khi tính theo khoảng ngày')
    if (ends_on !== null) throw invalidField('ends_on', 'Chỉ nhập ngày khi tính theo khoảng ngày')
    return
  }
  if (starts_on === null) throw invalidField('starts_on', 'Vui lòng chọn ngày bắt đầu')
  if (ends_on === null) throw invalidField('ends_on', 'Vui lòng chọn ngày kết thúc')
  if (ends_on < starts_on) throw invalidField('ends_on', 'Ngày kết thúc phải từ ngày bắt đầu trở đi')
  if (Date.parse(ends_on) - Date.parse(starts_on) > DAYS_MAX * DAY_MS)
    throw invalidField('ends_on', `Tối đa ${DAYS_MAX} ngày`)
}

function fieldsOf(given: GivenGroup, before?: OperatorGroup): GroupFields {
  const { name, description, source, board, value_name, server_id, position } = given
  const has_board_name = given.has_board_name ?? before?.has_board_name ?? false
  const {
    recharge_period = 'month',
    starts_on = null,
    ends_on = null,
  } = given.recharge_period ? given : source === 'recharge' ? (before ?? {}) : {}
  const period = { recharge_period, starts_on, ends_on }
  return { name, has_board_name, description, source, board, value_name, server_id, position, ...period }
}

/** With another one the stored rankings are those of something else; a later end only goes on. */
const READ_FROM = ['source', 'board', 'server_id', 'recharge_period', 'starts_on'] as const

export const createGroup = (deps: PlatformDeps, call: UserCall<typeof operatorGroups.create>) =>
  changeRow(deps, call, {
    action: 'groups.create',
    type: 'ranking-group',
    async work(tx) {
      const fields = fieldsOf(call.body)
      await assertRight(tx, fields)
      return { before: null, after: await insertGroup(tx, fields) }
    },
  })

export const changeGroup = (deps: PlatformDeps, call: UserCall<typeof operatorGroups.update>) =>
  changeRow(deps, call, {
    action: 'groups.update',
    type: 'ranking-group',
    async work(tx) {
      const { body, params } = call
      const before = await lockGroup(tx, params.id)
      if (Date.parse(before.updated_at) !== Date.parse(body.updated_at)) throw changedMeanwhile(before)
      const fields = fieldsOf(body, before)
      await assertRight(tx, fields)
      const after = await updateGroup(tx, params.id, fields)
      if (READ_FROM.some((name) => before[name] !== after[name])) await outdateSnapshot(tx, params.id)
      return { before, after }
    },
  })

export const removeGroup = (deps: PlatformDeps, call: UserCall<typeof operatorGroups.remove>) =>
  changeRow(deps, call, {
    action: 'groups.delete',
    type: 'ranking-group',
    async work(tx) {
      const before = await lockGroup(tx, call.params.id)
      await deleteGroup(tx, before.id)
      return { before, after: null }
    },
  })

export type ImportedGroup = { name: string; description: string; value_name: string } & (
  | { source: 'game'; board: string }
  | { source: 'recharge' }
)

/** Brings the groups a demo shows, in their order. */
export async function importGroups(tx: Tx, groups: readonly ImportedGroup[]): Promise<void> {
  await insertGroups(
    tx,
    groups.map((group, position) => ({ ...group, position })),
  )
}
