import { read } from '#admin/query.ts'
import { operatorGameNames } from '#contract/operator/game/names.ts'

const BOARDS_LISTED = 100

/** The boards that the game has or a group shows. */
export const boardsQuery = read(operatorGameNames.list, {
  query: { filter: JSON.stringify({ kind: 'board' }), range: JSON.stringify([0, BOARDS_LISTED - 1]) },
})
