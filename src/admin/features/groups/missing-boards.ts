import { type GameName, unnamed } from '#contract/operator/game/names.ts'
import { BOARD_CODE } from '#contract/operator/groups.ts'

const POSITION_MAX = 9_999

/** What the boards of the contract are called, and what stands above their values. */
const USUAL = new Map([
  ['level', { name: 'Cấp độ', value: 'Cấp' }],
  ['yen', { name: 'Yên', value: 'Yên' }],
  ['luong', { name: 'Lượng', value: 'Lượng' }],
])

const ORDER = [...USUAL.keys()]
const placeOf = (code: string) => (ORDER.includes(code) ? ORDER.indexOf(code) : ORDER.length)

/** What the game tells of that no group shows, the boards of the contract first. */
export const boardsWithoutGroup = (boards: readonly GameName[]): GameName[] =>
  boards
    .filter(({ code, is_described, is_used }) => is_described && !is_used && BOARD_CODE.test(code))
    .sort((a, b) => placeOf(a.code) - placeOf(b.code))

/** One with a name goes on being called by it, whatever that will be. */
export function proposedGroup({ code, name }: GameName, position: number) {
  const usual = USUAL.get(code)
  return {
    name: name ?? usual?.name ?? unnamed('board', code),
    has_board_name: name !== null,
    description: '',
    source: 'game' as const,
    board: code,
    value_name: usual?.value ?? 'Giá trị',
    server_id: null,
    position: Math.min(position, POSITION_MAX),
  }
}
