import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, idText, moment } from '../fields.ts'
import { actOnRow, listQuery, newRow, onRow, reason, storable } from './fields.ts'
import { givenTitle } from '../names.ts'
import { permitted } from './roles.ts'

/** `game`: a board of the game, by its name there. `recharge`: TCoin recharged, by those who want to be shown. */
export const GROUP_SOURCES = ['game', 'recharge'] as const

/** Which recharges count, by the calendar of Vietnam: of this month, of this week from Monday, or of given days. */
export const RECHARGE_PERIODS = ['month', 'week', 'dates'] as const

/** A game may call a board otherwise; such a one can be in no group. */
export const BOARD_CODE = /^[a-z0-9_-]{1,40}$/

const day = z.nullable(dayText)

const fields = z.object({
  name: givenTitle('tên nhóm', { max: 60 }),
  /** Players read the present name of the board in place of `name`. */
  has_board_name: z.boolean(),
  description: z.string().check(z.trim(), z.maxLength(500, 'Tối đa 500 ký tự'), storable),
  source: z.enum(GROUP_SOURCES, 'Vui lòng chọn nguồn'),
  /** Null for recharges. */
  board: z.nullable(
    z.string().check(z.regex(BOARD_CODE, 'Tên bảng gồm chữ thường không dấu, chữ số, gạch nối, gạch dưới')),
  ),
  value_name: givenTitle('tên cột giá trị', { max: 30 }),
  /** Null: the players of all servers together. */
  server_id: z.nullable(z.string().check(z.maxLength(16))),
  position: z.int('Thứ tự phải là số nguyên').check(z.gte(0, 'Thứ tự từ 0'), z.lte(9999, 'Thứ tự đến 9999')),
  /** `month` for a board of the game. */
  recharge_period: z.enum(RECHARGE_PERIODS, 'Vui lòng chọn thời gian tính'),
  /** The first and the last day of `dates`; otherwise null. */
  starts_on: day,
  ends_on: day,
})

export const operatorGroupSchema = z.extend(fields, {
  id: idText,
  /** When its rankings were last read; null before the first time. */
  taken_at: z.nullable(moment),
  updated_at: moment,
})

/** A program of before sends neither `has_board_name` nor a period: what is stored stays. */
const given = z.extend(fields, {
  has_board_name: z.optional(z.boolean()),
  recharge_period: z.optional(fields.shape.recharge_period),
  starts_on: z.optional(day),
  ends_on: z.optional(day),
})

export type OperatorGroup = z.output<typeof operatorGroupSchema>
export type GroupFields = z.output<typeof fields>
export type GivenGroup = z.output<typeof given>

const PERMITTED = permitted('groups.write')
const answer = operatorGroupSchema

export const operatorGroups = {
  list: endpoint('GET', '/operator/groups', PERMITTED, {
    summary: 'The ranking groups, in the order of their tabs.',
    query: listQuery(['position'], {}),
    answer: z.array(answer),
  }),
  create: endpoint('POST', '/operator/groups', PERMITTED, {
    summary: 'Adds a ranking group; its rankings are read within a minute.',
    body: z.extend(given, { reason }),
    ...newRow(answer),
  }),
  update: endpoint('PUT', '/operator/groups/{id}', PERMITTED, {
    summary: 'Changes a ranking group. Another source or board is read within a minute.',
    body: z.extend(given, { updated_at: moment, reason }),
    answer,
    ...onRow('CONFLICT'),
  }),
  remove: endpoint('DELETE', '/operator/groups/{id}', PERMITTED, {
    summary: 'Removes a ranking group with its rankings.',
    ...actOnRow(answer),
  }),
}
