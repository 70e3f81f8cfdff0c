import { randomUUID } from 'node:crypto'
import type { Good } from '#contract/deliveries.ts'
import type { GameDatabase } from './database.ts'

export type HeroRow = { id: number; account: string; luong?: number; yen?: number; bag?: string }
export type Claim = { id: string; characterId: number; goods: readonly Good[] | string }

export const CAP = 2_000_000_000
export const START = 1_000

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

export const emptyTables = (database: GameDatabase) =>
  database.query(
    `DELETE FROM game_account; DELETE FROM game_character; DELETE FROM game_journal;
     DELETE FROM portal_delivery; DELETE FROM portal_charge; DELETE FROM portal_notice`,
  )

export async function addHeroes(database: GameDatabase, heroes: readonly HeroRow[]): Promise<void> {
  const accounts = heroes.map(({ id, account, luong = START }) => `(${id}, ${text(account)}, ${luong})`)
  const characters = heroes.map(
    ({ id, account, yen = START, bag = '' }) => `(${id}, ${id}, ${text(account)}, ${yen}, ${text(bag)})`,
  )
  await database.query(
    `INSERT INTO game_account (id, username, luong) VALUES ${accounts.join(', ')};
     INSERT INTO game_character (id, account_id, name, yen, bag) VALUES ${characters.join(', ')}`,
  )
}

/** As the adapter stores an accepted delivery. */
export async function addClaims(database: GameDatabase, claims: readonly Claim[]): Promise<void> {
  const rows = claims.map(
    ({ id, characterId, goods }) =>
      `(${text(id)}, 'applied', '1', '${characterId}', ${text(typeof goods === 'string' ? goods : JSON.stringify(goods))}, UTC_TIMESTAMP(3))`,
  )
  await database.query(
    `INSERT INTO portal_delivery (id, status, server_id, character_id, goods, created_at) VALUES ${rows.join(', ')}`,
  )
}

export async function addClaim(
  database: GameDatabase,
  characterId: number,
  goods: Claim['goods'],
): Promise<string> {
  const id = randomUUID()
  await addClaims(database, [{ id, characterId, goods }])
  return id
}

export const luong = (quantity: number): Good => ({ kind: 'luong', quantity })
export const yen = (quantity: number): Good => ({ kind: 'yen', quantity })
export const item = (code: string): Good => ({ kind: 'item', code, quantity: 1 })

/** `collected`, the reason why it waits, or null before it was looked at. */
export async function stateOf(database: GameDatabase, id: string): Promise<string | null> {
  const [row] = await database.query(
    `SELECT IF(collected_at IS NULL, waiting, 'collected') FROM portal_delivery WHERE id = ${text(id)}`,
  )
  return row?.[0] ?? null
}

/** How often the game gave it, by its own journal. */
export async function timesGiven(database: GameDatabase, id: string): Promise<number> {
  const [row] = await database.query(`SELECT COUNT(*) FROM game_journal WHERE purchase = ${text(id)}`)
  return Number(row?.[0])
}

/** What the database has of a character. */
export async function storedHero(database: GameDatabase, account: string) {
  const [row] = await database.query(
    `SELECT a.luong, c.yen, c.bag FROM game_account a JOIN game_character c ON c.account_id = a.id
      WHERE a.username = ${text(account)}`,
  )
  return { luong: Number(row?.[0]), yen: Number(row?.[1]), bag: row?.[2] ?? '' }
}
