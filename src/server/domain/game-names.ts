import { sql } from 'kysely'
import type { Good } from '#contract/deliveries.ts'
import { type GameNameKind, unnamed } from '#contract/operator/game/names.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { cachedContent } from './content.ts'
import { inForce, type NamedCode } from './names-in-force.rules.ts'

/** What players read for the codes of the game; a code without a name is shown by its kind and code. */
export class GameNames {
  readonly #named: ReadonlyMap<string, NamedCode>

  constructor(named: readonly NamedCode[]) {
    this.#named = new Map(named.map((one) => [`${one.kind}:${one.code}`, one]))
  }

  #find(kind: GameNameKind, code: string | number): NamedCode | undefined {
    return this.#named.get(`${kind}:${code}`)
  }

  /** Null where the class is not known. */
  classOf(id: number | null): { name: string; short_name: string } | null {
    if (id === null || id < 0) return null
    const { name, short_name } = this.#find('class', id) ?? {
      name: unnamed('class', String(id)),
      short_name: null,
    }
    return { name, short_name: short_name ?? name }
  }

  /** Null without a name: the picture is then all there is. */
  headName(head: number | null): string | null {
    return head === null ? null : (this.#find('head', head)?.name ?? null)
  }

  boardName(board: string): string {
    return this.#find('board', board)?.name ?? unnamed('board', board)
  }

  /** Null without a name: a sentence about goods has its own words then. */
  itemName(code: string): string | null {
    return this.#find('item', code)?.name ?? null
  }

  /** Goods as they are shown; those that the game is sent have no names. */
  withItemNames(goods: readonly Good[]): Good[] {
    return goods.map((good) => {
      const name = good.kind === 'item' && good.code !== undefined ? this.itemName(good.code) : null
      return name === null ? good : { ...good, name }
    })
  }
}

/** From memory; a change of another process may be some seconds old. The module `settings` writes them. */
export const readGameNames = cachedContent('game-names', async (db: Db | Tx): Promise<GameNames> => {
  const { rows } = await sql<NamedCode & { is_told: boolean }>`
    WITH game AS (SELECT description FROM game_description)
    SELECT kind, code, name, short_name, false AS is_told FROM game_name
    UNION ALL
    SELECT 'class', told.key, told.value, NULL, true
      FROM game CROSS JOIN jsonb_each_text(description -> 'classes') told
    UNION ALL
    SELECT 'head', told.key, told.value, NULL, true
      FROM game CROSS JOIN jsonb_each_text(description -> 'head_names') told`.execute(db)
  const [told, stored] = [rows.filter(({ is_told }) => is_told), rows.filter(({ is_told }) => !is_told)]
  return new GameNames(inForce(stored, told))
})
