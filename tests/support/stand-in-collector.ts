import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import type { Good } from '#contract/deliveries.ts'
import { CAP, type ShapeName } from './game-shapes.ts'

const PAUSE_MS = 10

/** Where luong and yen are, by the text of the character's id or the name of its account. */
export type Purse = { luong: string; take: string; yen: string | null; key: 'account' | 'character_id' }

const PURSES: Record<ShapeName, Purse> = {
  'json-list': {
    luong: 'UPDATE player SET luong = luong + ? WHERE LOWER(username) = ? AND luong + ? <= ?',
    take: 'UPDATE player SET luong = luong - ? WHERE LOWER(username) = ? AND luong >= ?',
    yen: 'UPDATE ninja SET yen = yen + ? WHERE id = ?',
    key: 'account',
  },
  'by-key': {
    luong: 'UPDATE hero SET gold = gold + ? WHERE id = ? AND gold + ? <= ?',
    take: 'UPDATE hero SET gold = gold - ? WHERE id = ? AND gold >= ?',
    yen: 'UPDATE hero SET coin_lock = coin_lock + ? WHERE id = ?',
    key: 'character_id',
  },
  'one-row': {
    luong: 'UPDATE members SET luong = luong + ? WHERE uid = ? AND luong + ? <= ?',
    take: 'UPDATE members SET luong = luong - ? WHERE uid = ? AND luong >= ?',
    yen: 'UPDATE members SET yen = yen + ? WHERE uid = ?',
    key: 'character_id',
  },
}

export type StandIn = {
  /** How many claims it gave. */
  collected(): number
  stop(): Promise<void>
}

/** Gives claims as the part inside the game does: one transaction each, the claim's row locked first. */
export async function startStandIn(url: string, given: ShapeName | Purse): Promise<StandIn> {
  const purse = typeof given === 'string' ? PURSES[given] : given
  const connection = await createConnection({ uri: url, timezone: 'Z' })
  await connection.query(
    `INSERT INTO portal_state (name, value) VALUES ('takes_charges', 'yes'), ('shows_notices', 'yes')`,
  )
  const stopping = new AbortController()
  let collected = 0
  const running = (async () => {
    for (; !stopping.signal.aborted; await sleep(PAUSE_MS)) {
      await connection.query(
        `INSERT INTO portal_collector (name, seen_at) VALUES ('stand-in', UTC_TIMESTAMP(3))
          ON DUPLICATE KEY UPDATE seen_at = VALUES(seen_at)`,
      )
      const [charges] = await connection.query<RowDataPacket[]>(
        `SELECT id FROM portal_charge WHERE status = 'asked' ORDER BY created_at, id LIMIT 50`,
      )
      for (const { id } of charges) await take(connection, purse, String(id))
      const [rows] = await connection.query<RowDataPacket[]>(
        `SELECT id FROM portal_delivery WHERE status = 'applied' AND collected_at IS NULL ORDER BY created_at, id LIMIT 50`,
      )
      for (const { id } of rows) if (await collect(connection, purse, String(id))) collected++
    }
  })()
  return {
    collected: () => collected,
    async stop() {
      stopping.abort()
      await running
      await connection.end()
    },
  }
}

async function collect(connection: Connection, purse: Purse, id: string): Promise<boolean> {
  await connection.query('START TRANSACTION')
  const [[claim]] = await connection.query<RowDataPacket[]>(
    'SELECT account, character_id, goods, collected_at FROM portal_delivery WHERE id = ? FOR UPDATE',
    [id],
  )
  if (claim === undefined || claim.collected_at !== null || !(await give(connection, purse, claim))) {
    await connection.query('ROLLBACK')
    if (claim?.collected_at === null) {
      await connection.query(`UPDATE portal_delivery SET waiting = 'over-limit' WHERE id = ?`, [id])
    }
    return false
  }
  await connection.query(
    'UPDATE portal_delivery SET collected_at = UTC_TIMESTAMP(3), waiting = NULL WHERE id = ?',
    [id],
  )
  await connection.query('COMMIT')
  return true
}

/** Takes the luong of a charge, or refuses it, in one transaction. */
async function take(connection: Connection, purse: Purse, id: string): Promise<void> {
  await connection.query('START TRANSACTION')
  const [[charge]] = await connection.query<RowDataPacket[]>(
    `SELECT account, character_id, luong FROM portal_charge WHERE id = ? AND status = 'asked' FOR UPDATE`,
    [id],
  )
  if (charge !== undefined) {
    const luong = Number(charge.luong)
    const [result] = await connection.query(purse.take, [luong, charge[purse.key], luong])
    const isTaken = (result as { affectedRows: number }).affectedRows === 1
    await connection.query(
      isTaken
        ? `UPDATE portal_charge SET status = 'applied', taken_at = UTC_TIMESTAMP(3) WHERE id = ?`
        : `UPDATE portal_charge SET status = 'refused', reason = 'insufficient' WHERE id = ?`,
      [id],
    )
  }
  await connection.query('COMMIT')
}

async function give(connection: Connection, purse: Purse, claim: RowDataPacket): Promise<boolean> {
  for (const { kind, quantity } of JSON.parse(String(claim.goods)) as Good[]) {
    const sql = kind === 'item' ? null : purse[kind]
    if (sql === null) continue
    const values =
      kind === 'luong' ? [quantity, claim[purse.key], quantity, CAP] : [quantity, claim.character_id]
    const [result] = await connection.query(sql, values)
    if ((result as { affectedRows: number }).affectedRows !== 1) return false
  }
  return true
}
