import { type Insertable, sql } from 'kysely'
import { RANKING_ROWS } from '#contract/constants.ts'
import type { GameNameKind } from '#contract/operator/game/names.ts'
import { ADVISORY_LOCKS } from '#server/platform/db/advisory-lock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRows } from '#server/platform/db/list.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Described } from './names.rules.ts'

export type StoredName = {
  kind: GameNameKind
  code: string
  name: string
  short_name: string | null
  updated_at: Date
}

export async function selectNames(db: Db | Tx): Promise<StoredName[]> {
  return db.selectFrom('game_name').selectAll().$narrowType<{ kind: GameNameKind }>().execute()
}

/** The codes that the game describes, and its own names for them. */
export async function selectDescribed(db: Db | Tx): Promise<Described[]> {
  const { rows } = await sql<Described>`
    WITH described AS (SELECT description FROM game_description)
    SELECT 'class' AS kind, class.key AS code, class.value AS name
      FROM described CROSS JOIN jsonb_each_text(description -> 'classes') class
    UNION ALL
    SELECT 'head', head.value, description -> 'head_names' ->> head.value
      FROM described CROSS JOIN jsonb_array_elements_text(description -> 'heads') head
    UNION ALL
    SELECT 'item', item.value ->> 'code', item.value ->> 'name'
      FROM described CROSS JOIN jsonb_array_elements(description -> 'items') item
    UNION ALL
    SELECT 'board', board.value, NULL
      FROM described CROSS JOIN jsonb_array_elements_text(description -> 'boards') board`.execute(db)
  return rows
}

type Code = { kind: GameNameKind; code: string }

/** As many pairs of class and head are looked for among the characters; games have some hundred. */
const LOOKS_MAX = 5_000

/**
 * The codes in characters, shown rankings and ranking groups. Each pair of class and head is one step in the index, however
 * many characters have it.
 */
export async function selectUsed(db: Db | Tx): Promise<Code[]> {
  const { rows } = await sql<Code>`
    WITH RECURSIVE look AS (
      (SELECT class_id, head FROM game_character ORDER BY class_id, head LIMIT 1)
      UNION ALL
      SELECT further.class_id, further.head FROM look CROSS JOIN LATERAL (
        SELECT class_id, head FROM game_character c
         WHERE (c.class_id, c.head) > (look.class_id, look.head) ORDER BY class_id, head LIMIT 1) further
    ), looks AS MATERIALIZED (SELECT * FROM look LIMIT ${LOOKS_MAX})
    SELECT 'class' AS kind, class_id::text AS code FROM looks
    UNION SELECT 'head', head::text FROM looks
    UNION SELECT 'class', shown.class_id::text
      FROM ranking_groups g CROSS JOIN LATERAL (
        SELECT class_id FROM ranking_entries e WHERE e.group_id = g.id ORDER BY rank LIMIT ${RANKING_ROWS}) shown
     WHERE shown.class_id IS NOT NULL
    UNION SELECT 'board', board FROM ranking_groups WHERE board IS NOT NULL`.execute(db)
  return rows
}

/** Changes take turns, also of codes that have no row yet; held until the transaction ends. */
export async function lockNames(tx: Tx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCKS.gameNames})`.execute(tx)
}

export const countNames = (tx: Tx): Promise<number> => countRows(tx.selectFrom('game_name'))

type Named = Insertable<DB['game_name']>

export async function upsertNames(tx: Tx, names: readonly Named[]): Promise<void> {
  if (names.length === 0) return
  await tx
    .insertInto('game_name')
    .values(names)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'code']).doUpdateSet((row) => ({
        name: row.ref('excluded.name'),
        short_name: row.ref('excluded.short_name'),
        updated_at: sql<Date>`clock_timestamp()`,
      })),
    )
    .execute()
}

export async function deleteNames(tx: Tx, codes: readonly Code[]): Promise<void> {
  if (codes.length === 0) return
  await sql`
    DELETE FROM game_name g USING unnest(${codes.map(({ kind }) => kind)}::text[], ${codes.map(({ code }) => code)}::text[])
      AS gone (kind, code) WHERE g.kind = gone.kind AND g.code = gone.code`.execute(tx)
}

/** A code that has a name is left as it is. */
export async function insertNames(tx: Tx, names: readonly Named[]): Promise<void> {
  await tx
    .insertInto('game_name')
    .values(names)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
