import { expect, test } from 'vitest'
import { type GameName, operatorGameNames } from '#contract/operator/game/names.ts'
import { operatorGroups } from '#contract/operator/groups.ts'
import { boardsWithoutGroup, proposedGroup } from './missing-boards.ts'

const board = (code: string, change: Partial<GameName> = {}) =>
  ({
    id: `board:${code}`,
    kind: 'board',
    code,
    name: null,
    short_name: null,
    told_name: null,
    is_described: true,
    is_used: false,
    updated_at: null,
    ...change,
  }) satisfies GameName

test('boards of the game that no group shows are proposed, those of the contract first', () => {
  const boards = [
    board('clan'),
    board('luong', { is_used: true }),
    board('yen'),
    board('điểm danh'),
    board('cave', { is_described: false }),
    board('level'),
  ]
  operatorGameNames.list.answer?.parse(boards)
  expect(boardsWithoutGroup(boards).map(({ code }) => code)).toEqual(['level', 'yen', 'clan'])
})

test.each([
  [board('luong'), { name: 'Lượng', has_board_name: false, value_name: 'Lượng' }],
  [board('clan'), { name: 'Bảng xếp hạng clan', has_board_name: false, value_name: 'Giá trị' }],
  [board('level', { name: 'Cao thủ' }), { name: 'Cao thủ', has_board_name: true, value_name: 'Cấp' }],
])('%o becomes a group that the call takes', (one, expected) => {
  const group = proposedGroup(one, 12_000)
  expect(group).toMatchObject({ ...expected, board: one.code, position: 9_999, source: 'game' })
  const body = operatorGroups.create.body?.parse({ ...group, reason: 'Nối game mới' })
  expect(body).toMatchObject(expected)
})
