import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  isGameId,
  ok,
  readCharge,
  refused,
  wrong,
  type Answer,
  type ChargeCall,
} from '#game-server/reading.ts'
import type { Charge } from '#game-server/world.ts'
import { isDuplicate, type Database, type Row, type Session } from './database.ts'
import { checkRecipient, type DeliveriesOf } from './deliveries.ts'
import { keyOf, textOf } from './values.ts'

/** The luong of a character in the game is in the game's memory, so the part inside the game takes it within this time. */
const TAKEN_MS_MAX = 7_000
const LOOK_AGAIN_MS = 100

/** What the part inside the game writes once it has a method to take luong. */
const TAKES_CHARGES = `SELECT value FROM portal_state WHERE name = 'takes_charges'`

export async function takesCharges(session: Session): Promise<boolean> {
  return (await session.rows(TAKES_CHARGES)).length > 0
}

export async function answerCharge(
  of: DeliveriesOf,
  { id, isRefund }: ChargeCall,
  { method, body }: { method: string; body: Buffer },
): Promise<Answer> {
  if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
  if (method === 'GET' && !isRefund) return statusOf(of.database, id)
  if (method !== (isRefund ? 'POST' : 'PUT')) return wrong(405, 'no-such-method')
  if (isRefund) return refund(of.database, id)
  // What was taken before is given back all the same.
  if (!(await of.database.use(takesCharges))) return wrong(404, 'no-such-call')
  const read = readCharge(body)
  return 'value' in read ? take(of, id, read.value) : wrong(400, 'bad-request', read.field)
}

const INSERT = `INSERT INTO portal_charge
  (id, status, body_hash, server_id, account, character_id, character_name, luong, reason, created_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3))`

/** Asks the part inside the game and waits for it. What it did not take in time is refused, and then not taken any more. */
async function take(of: DeliveriesOf, id: string, charge: Charge): Promise<Answer> {
  const { serverId, account, characterId, luong } = charge
  const place = [serverId, keyOf(account), characterId]
  const hash = createHash('sha256')
    .update(JSON.stringify([...place, luong]))
    .digest()
  await of.database.use(async (session) => {
    if ((await rowOf(session, id)) !== undefined) return
    const { reason, name } = await checkRecipient(of, session, charge)
    const status = reason === null ? 'asked' : 'refused'
    try {
      await session.change(INSERT, [id, status, hash, ...place, name, luong, reason])
    } catch (error) {
      // A copy or a refund was faster.
      if (!isDuplicate(error)) throw error
    }
  })
  for (const end = performance.now() + TAKEN_MS_MAX; performance.now() < end; await sleep(LOOK_AGAIN_MS)) {
    const row = await of.database.use((session) => rowOf(session, id))
    if (row?.status !== 'asked') return answerOf(row, hash)
    if (!isSameBody(row, hash)) return wrong(409, 'another-body')
  }
  return of.database.use(async (session) => {
    // Waits for a game that is just taking it.
    await session.change(
      `UPDATE portal_charge SET status = 'refused', reason = 'offline' WHERE id = ? AND status = 'asked'`,
      [id],
    )
    return answerOf(await rowOf(session, id), hash)
  })
}

const rowOf = async (session: Session, id: string): Promise<Row | undefined> =>
  (await session.rows('SELECT status, body_hash, reason FROM portal_charge WHERE id = ?', [id]))[0]

const isSameBody = ({ body_hash: known }: Row, hash: Buffer) => Buffer.isBuffer(known) && known.equals(hash)

function answerOf(row: Row | undefined, hash: Buffer): Answer {
  if (row === undefined) return wrong(503, 'charge-not-stored')
  if (row.status === 'refunded') return refused('refunded')
  if (!isSameBody(row, hash)) return wrong(409, 'another-body')
  return row.status === 'applied' ? ok({ status: 'applied' }) : refused(textOf(row.reason) ?? 'refused')
}

function statusOf(database: Database, id: string): Promise<Answer> {
  return database.use(async (session) => {
    const status = textOf((await rowOf(session, id))?.status)
    return ok({ status: status === 'applied' || status === 'refunded' ? status : 'unknown' })
  })
}

/** What was taken comes back as a delivery under the same id, which the part inside the game collects like others. */
async function refund(database: Database, id: string): Promise<Answer> {
  await database.use(async (session) => {
    try {
      // By itself: beside others in one transaction two of them can deadlock.
      await session.change(
        `INSERT INTO portal_charge (id, status, created_at) VALUES (?, 'refunded', UTC_TIMESTAMP(3))`,
        [id],
      )
    } catch (error) {
      if (!isDuplicate(error)) throw error
    }
  })
  await database.transaction(async (session) => {
    const [charge] = await session.rows('SELECT status, luong FROM portal_charge WHERE id = ? FOR UPDATE', [
      id,
    ])
    if (charge?.status === 'applied') {
      await session.change(
        `INSERT INTO portal_delivery (id, status, server_id, account, character_id, character_name, goods, created_at)
         SELECT id, 'applied', server_id, account, character_id, character_name, ?, UTC_TIMESTAMP(3)
           FROM portal_charge WHERE id = ?`,
        [JSON.stringify([{ kind: 'luong', quantity: Number(charge.luong) }]), id],
      )
    }
    await session.change(`UPDATE portal_charge SET status = 'refunded' WHERE id = ?`, [id])
  })
  return ok({ status: 'refunded' })
}
