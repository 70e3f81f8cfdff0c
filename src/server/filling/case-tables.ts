import type { TableRows, Value } from './copying.ts'
import { deliveryId } from './history.ts'
import { momentText, type Plan } from './plan.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** At most so many wait for their answer, however many players there are: operators keep up with them. */
const OPEN_MAX = 200

/** Everybody reported the goods of their check-in once; most were answered, and their cases closed. */
export function caseTables(plan: Plan): TableRows[] {
  const step = Math.ceil(plan.players / OPEN_MAX)
  const isOpen = (player: number) => player % step === 0
  // In the order of time, within the thirty days before.
  const at = (player: number, hours = 0) =>
    momentText(plan.now.getTime() - 30 * DAY_MS * (1 - player / plan.players) - 2 * DAY_MS + hours * HOUR_MS)
  const rows = (of: (player: number) => Value[][]): (() => Iterable<Value[]>) =>
    function* () {
      for (let player = 0; player < plan.players; player++) yield* of(player)
    }
  const answered = (player: number) => (isOpen(player) ? null : at(player, 1))
  return [
    {
      table: 'help_case',
      columns:
        'id user_id about_kind about_id about_title state messages created_at last_message_at first_answered_at closed_at'.split(
          ' ',
        ),
      rows: rows((player) => [
        [
          player + 1,
          player + 1,
          'delivery',
          deliveryId(plan, player, plan.entries),
          'Quà điểm danh: 20 lượng',
          isOpen(player) ? 'open' : 'closed',
          isOpen(player) ? 1 : 2,
          at(player),
          at(player, isOpen(player) ? 0 : 1),
          answered(player),
          answered(player),
        ],
      ]),
    },
    {
      table: 'help_message',
      columns: 'id case_id author_id is_staff text created_at'.split(' '),
      rows: rows((player) => [
        [2 * player + 1, player + 1, player + 1, false, 'Tôi chưa thấy quà.', at(player)],
        ...(isOpen(player)
          ? []
          : [[2 * player + 2, player + 1, 1, true, 'Bạn hãy thoát hẳn game rồi vào lại.', at(player, 1)]]),
      ]),
    },
  ]
}
