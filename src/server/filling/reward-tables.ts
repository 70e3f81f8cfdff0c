import { vietnamDayOf } from '#contract/format.ts'
import type { TableRows, Value } from './copying.ts'
import { deliveryId } from './history.ts'
import { characterNameOf, momentText, oneOf, SPAN_MS, usernameOf, type Existing, type Plan } from './plan.ts'

const DAY_MS = 86_400_000
const GOODS = '[{"kind": "luong", "quantity": 20}]'

/** Everybody has checked in on the day before, and a programme of milestones runs that nobody has taken anything of. */
export function rewardTables(plan: Plan, { servers }: Existing): TableRows[] {
  const now = plan.now.getTime()
  const yesterday = vietnamDayOf(now - DAY_MS)
  const at = momentText(now - DAY_MS)
  const each = (row: (player: number, id: string) => Value[]): (() => Iterable<Value[]>) =>
    function* () {
      // A line that no statement has.
      for (let player = 0; player < plan.players; player++)
        yield row(player, deliveryId(plan, player, plan.entries))
    }
  const until = momentText(now + SPAN_MS)
  return [
    {
      table: 'delivery',
      columns:
        `id kind user_id amount server_id account character_id character_name goods state attempt created_at settled_at`.split(
          ' ',
        ),
      rows: each((player, id) => [
        id,
        'reward',
        player + 1,
        0,
        oneOf(servers, player),
        usernameOf(plan, player),
        String(player + 1),
        characterNameOf(plan, player),
        GOODS,
        'delivered',
        1,
        at,
        at,
      ]),
    },
    {
      table: 'reward',
      columns: ['delivery_id', 'user_id', 'given_for'],
      rows: each((player, id) => [id, player + 1, `check_in:${yesterday}`]),
    },
    {
      table: 'check_in',
      columns: ['user_id', 'day', 'delivery_id'],
      rows: each((player, id) => [player + 1, yesterday, id]),
    },
    {
      table: 'milestone_program',
      columns: 'id title starts_at ends_at claims_until state started_at made_by'.split(' '),
      rows: () => [[1, 'Mốc nạp', momentText(now - SPAN_MS), until, until, 'running', at, 1]],
    },
    {
      table: 'milestone_step',
      columns: ['id', 'program_id', 'at', 'goods'],
      rows: () => [100_000, 500_000, 2_000_000].map((amount, index) => [index + 1, 1, amount, GOODS]),
    },
  ]
}
