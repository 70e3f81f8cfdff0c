import type { TableRows, Value } from './copying.ts'
import { momentOf } from './history.ts'
import { momentText } from './moments.ts'
import { characterNameOf, usernameOf } from './names.ts'
import { drawn, oneOf, type Ground, type Plan } from './plan.ts'

/** One character for each player, in the embedded game and as the portal last saw it. */
export function gameTables(plan: Plan, { servers }: Ground): TableRows[] {
  const each = (row: (player: number) => Value[]): (() => Iterable<Value[]>) =>
    function* () {
      for (let player = 0; player < plan.players; player++) yield row(player)
    }
  const look = (player: number) => {
    const chance = drawn(plan, player, 905)
    const classId = chance % 7
    return { classId, head: 1 + classId, level: 1 + Math.floor(Math.sqrt((chance >>> 4) % 40_000) * 0.7) }
  }
  return [
    {
      table: 'game.characters',
      columns: `id server_id account name head class_id level luong yen created_at`.split(' '),
      rows: each((player) => {
        const { classId, head, level } = look(player)
        const purse = [drawn(plan, player, 906) % 100_000, drawn(plan, player, 907) % 1_000_000_000]
        const who = [oneOf(servers, player), usernameOf(plan, player), characterNameOf(plan, player)]
        return [player + 1, ...who, head, classId, level, ...purse, momentText(momentOf(plan, player, 0))]
      }),
    },
    {
      table: 'game_character',
      columns: ['user_id', 'id', 'server_id', 'name', 'head', 'class_id', 'level'],
      rows: each((player) => {
        const { classId, head, level } = look(player)
        const name = characterNameOf(plan, player)
        return [player + 1, String(player + 1), oneOf(servers, player), name, head, classId, level]
      }),
    },
    {
      table: 'game_character_fetch',
      columns: ['user_id', 'fetched_at'],
      rows: each((player) => [player + 1, momentText(momentOf(plan, player, plan.entries - 1))]),
    },
  ]
}
