import { sql } from 'kysely'
import { parseCoins } from '#server/domain/coins.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'
import type {
  GameCharacter,
  GameCharge,
  GameDelivery,
  NewCharacter,
  RankingQuery,
  RankingRow,
} from './game-bridge.rules.ts'

/** More than any account has; a bound, not a page. */
const CHARACTERS_MAX = 100

export async function selectCharacters(db: Db, serverId: string, account: string): Promise<GameCharacter[]> {
  return db
    .selectFrom('game.characters')
    .select(['id', 'name', 'head', 'class_id as classId', 'level'])
    .where('account', '=', account)
    .where('server_id', '=', serverId)
    .orderBy('id')
    .limit(CHARACTERS_MAX)
    .execute()
}

export async function insertCharacters(
  db: Db,
  place: { serverId: string; account: string },
  characters: readonly NewCharacter[],
): Promise<void> {
  await db
    .insertInto('game.characters')
    .values(
      characters.map(({ classId, ...character }) => ({
        ...character,
        class_id: classId,
        server_id: place.serverId,
        account: place.account,
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'name']).doNothing())
    .execute()
}

export type JournalRow = {
  id: string
  bodyHash: Buffer
  status: 'applied' | 'refused' | 'cancelled'
  reason: string | null
}

/** False when the journal already has an answer for this delivery. Waits for a concurrent call that is writing one. */
export async function insertJournal(tx: Tx, row: JournalRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('game.deliveries')
    .values({ id: row.id, body_hash: row.bodyHash, status: row.status, reason: row.reason })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export async function findJournal(db: Db | Tx, id: string): Promise<JournalRow | undefined> {
  return db
    .selectFrom('game.deliveries')
    .select(['id', 'body_hash as bodyHash', 'status', 'reason'])
    .$narrowType<{ status: JournalRow['status'] }>()
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Goes with the next statement. */
export async function fillPurse(
  tx: Tx,
  characterId: string,
  gained: { luong: number; yen: number },
): Promise<void> {
  const filling = tx
    .updateTable('game.characters')
    .set({ luong: sql`luong + ${gained.luong}`, yen: sql`yen + ${gained.yen}` })
    .where('id', '=', characterId)
  await sendWithNext(tx, filling.compile())
}

export type NewItem = { line: number; code: string; quantity: number; days: number | null }

export async function insertItems(tx: Tx, delivery: GameDelivery, items: readonly NewItem[]): Promise<void> {
  await tx
    .insertInto('game.items')
    .values(
      items.map(({ line, code, quantity, days }) => ({
        character_id: delivery.characterId,
        delivery_id: delivery.id,
        line,
        code,
        quantity,
        expires_at: days === null ? null : sql<Date>`now() + make_interval(days => ${days}::int)`,
      })),
    )
    .execute()
}

/** Locks a character; the luong it has, or undefined when this account has no such one on this server. */
export async function lockPurse(
  tx: Tx,
  { characterId, serverId, account }: Pick<GameDelivery, 'characterId' | 'serverId' | 'account'>,
): Promise<bigint | undefined> {
  const row = await tx
    .selectFrom('game.characters')
    .select('luong')
    .where('id', '=', characterId)
    .where('server_id', '=', serverId)
    .where('account', '=', account)
    .forUpdate()
    .executeTakeFirst()
  return row && BigInt(row.luong)
}

/** Negative: what is taken. The column's CHECK refuses to go below zero. */
export async function changePurse(tx: Tx, characterId: string, luong: number): Promise<void> {
  await tx
    .updateTable('game.characters')
    .set({ luong: sql`luong + ${luong}` })
    .where('id', '=', characterId)
    .execute()
}

export type ChargeRow = {
  id: string
  bodyHash: Buffer
  status: 'applied' | 'refused' | 'refunded'
  reason: string | null
  characterId?: string | null
  luong?: string | null
}

/** False when this charge is decided already. Waits for a concurrent call that is deciding it. */
export async function insertCharge(
  tx: Tx,
  { id, bodyHash, status, reason }: ChargeRow,
  taken: Pick<GameCharge, 'characterId' | 'luong'> | null,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('game.charges')
    .values({
      id,
      body_hash: bodyHash,
      status,
      reason,
      character_id: taken?.characterId ?? null,
      luong: taken?.luong ?? null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

const charge = (tx: Tx, id: string) =>
  tx
    .selectFrom('game.charges')
    .select(['id', 'body_hash as bodyHash', 'status', 'reason', 'character_id as characterId', 'luong'])
    .$narrowType<{ status: ChargeRow['status'] }>()
    .where('id', '=', id)

/** Without a lock: whoever has locked the character must not wait for one who gives the charge back to it. */
export const findCharge = (tx: Tx, id: string): Promise<ChargeRow | undefined> =>
  charge(tx, id).executeTakeFirst()

export const lockCharge = (tx: Tx, id: string): Promise<ChargeRow | undefined> =>
  charge(tx, id).forUpdate().executeTakeFirst()

export async function updateChargeRefunded(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('game.charges').set({ status: 'refunded' }).where('id', '=', id).execute()
}

export type Board = 'level' | 'yen' | 'luong'

/** The characters of a server with the most of what a board counts; each board has an index of this order. */
export async function selectTop(
  db: Db,
  board: Board,
  { serverId, limit, offset = 0 }: RankingQuery,
): Promise<RankingRow[]> {
  const rows = await db
    .selectFrom('game.characters')
    .select(['name', 'class_id as classId', 'level', 'account', `${board} as value`])
    .where('server_id', '=', serverId)
    .orderBy(board, 'desc')
    .$if(board !== 'level', (query) => query.orderBy('level', 'desc'))
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map((row) => ({ ...row, value: parseCoins(row.value) }))
}
