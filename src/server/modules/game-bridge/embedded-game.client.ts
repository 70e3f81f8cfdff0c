import { createHash } from 'node:crypto'
import type { Db } from '#server/platform/db/database.ts'
import { UnknownOutcome } from '#server/platform/db/bounded-client.ts'
import { inTransaction, isInTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { invariant, messageOf } from '#server/platform/values/errors.ts'
import type { Log } from '#server/platform/log/log.ts'
import {
  changePurse,
  type ChargeRow,
  fillPurse,
  findCharge,
  findJournal,
  insertCharacters,
  insertCharge,
  insertItems,
  insertJournal,
  lockCharge,
  lockPurse,
  selectCharacters,
  selectTop,
  updateChargeRefunded,
  type Board,
  type JournalRow,
  type NewItem,
} from './embedded-game.queries.ts'
import type {
  DeliverOutcome,
  GameBridge,
  GameCharge,
  GameDelivery,
  GameDescription,
} from './game-bridge.rules.ts'

/**
 * The embedded game: a schema of its own, accessed only here, with transactions of its own.
 * A delivery's journal row and its goods are one commit, so that a repeat finds either both or neither.
 */
export function openEmbeddedGame({ db, log }: { db: Db; log: Log }): GameBridge {
  return {
    listCharacters: (serverId, account) => selectCharacters(db, serverId, account),
    deliver: (delivery) =>
      answered(log, { deliveryId: delivery.id }, () => inTransaction(db, (tx) => apply(tx, delivery))),
    async deliveryStatus(id) {
      const row = await findJournal(db, id)
      // A refusal is final too, but the caller gets its reason by sending again.
      return row === undefined || row.status === 'refused' ? 'unknown' : row.status
    },
    cancel: (id) => cancel(db, id),
    charge: (charge) =>
      answered(log, { chargeId: charge.id }, () => inTransaction(db, (tx) => take(tx, charge))),
    async refundCharge(id) {
      await inTransaction(db, (tx) => giveBack(tx, id))
      return 'refunded'
    },
    ownDescription: DESCRIPTION,
    rankings: async (board, query) => (isBoard(board) ? selectTop(db, board, query) : []),
    async addCharacters(serverId, account, characters) {
      if (characters.length > 0) await insertCharacters(db, { serverId, account }, characters)
    },
  }
}

const BOARDS: readonly Board[] = ['level', 'yen', 'luong']

/** It takes any goods; these are what the starter packages have, and what operators choose gifts from. */
const DESCRIPTION: GameDescription = {
  servers: [],
  boards: [...BOARDS],
  items: [
    { code: 'pet', name: 'Thú cưng', max: 99 },
    { code: 'companion', name: 'Bạn đồng hành', max: 99 },
  ],
  max: { luong: 2_000_000_000, yen: 2_000_000_000 },
  classes: {},
  heads: [],
  counts: {
    yen: { of: 'character', waiting: false },
    luong: { of: 'character', waiting: false },
  },
  collectorSeenAt: null,
}

const isBoard = (board: string): board is Board => BOARDS.some((one) => one === board)

async function answered(
  log: Log,
  facts: Record<string, string>,
  act: () => Promise<DeliverOutcome>,
): Promise<DeliverOutcome> {
  invariant(!isInTransaction(), 'the game is never called inside a transaction of the portal')
  try {
    return await act()
  } catch (error) {
    log.warn({ err: error, ...facts }, 'the embedded game did not answer')
    const cause = messageOf(error)
    return error instanceof UnknownOutcome ? { kind: 'unknown', cause } : { kind: 'not-received', cause }
  }
}

/** The character's lock comes first, so that two copies of one delivery take turns before either writes. */
async function apply(tx: Tx, delivery: GameDelivery): Promise<DeliverOutcome> {
  const reason = await reasonToRefuse(tx, delivery)
  const row: JournalRow = {
    id: delivery.id,
    bodyHash: hashOf(delivery),
    status: reason === null ? 'applied' : 'refused',
    reason,
  }
  if (!(await insertJournal(tx, row))) {
    const earlier = await findJournal(tx, delivery.id)
    invariant(earlier, 'a journal row that was in the way is there')
    return answerAgain(earlier, row.bodyHash)
  }
  if (reason !== null) return { kind: 'refused', reason }
  await handOver(tx, delivery)
  return { kind: 'applied' }
}

async function reasonToRefuse(tx: Tx, delivery: GameDelivery): Promise<string | null> {
  if (delivery.goods.length === 0) return 'no-goods'
  const isKnown = delivery.goods.every(
    (good) =>
      Number.isSafeInteger(good.quantity) &&
      good.quantity > 0 &&
      (good.kind !== 'item' || good.code !== undefined),
  )
  if (!isKnown) return 'bad-goods'
  if (!/^[1-9]\d{0,17}$/.test(delivery.characterId)) return 'no-such-character'
  return (await lockPurse(tx, delivery)) === undefined ? 'no-such-character' : null
}

/** The answer to a delivery or charge that was decided before. */
function answerAgain(
  { status, reason, ...earlier }: JournalRow | ChargeRow,
  bodyHash: Buffer,
): DeliverOutcome {
  if (status === 'cancelled' || status === 'refunded') return { kind: 'refused', reason: status }
  if (!earlier.bodyHash.equals(bodyHash)) return { kind: 'conflict' }
  return status === 'applied' ? { kind: 'applied' } : { kind: 'refused', reason: reason ?? 'refused' }
}

async function handOver(tx: Tx, delivery: GameDelivery): Promise<void> {
  const gained = { luong: 0, yen: 0 }
  const items: NewItem[] = []
  for (const [line, good] of delivery.goods.entries()) {
    if (good.kind !== 'item') gained[good.kind] += good.quantity
    else items.push({ line, code: good.code ?? '', quantity: good.quantity, days: good.days ?? null })
  }
  await fillPurse(tx, delivery.characterId, gained)
  if (items.length > 0) await insertItems(tx, delivery, items)
}

/** The cancellation: once stored, a delivery that arrives later is refused. */
async function cancel(db: Db, id: string): Promise<'cancelled' | 'applied'> {
  return inTransaction(db, async (tx) => {
    const tombstone: JournalRow = { id, bodyHash: Buffer.alloc(0), status: 'cancelled', reason: null }
    if (await insertJournal(tx, tombstone)) return 'cancelled'
    const earlier = await findJournal(tx, id)
    // What was refused will never be applied either.
    return earlier?.status === 'applied' ? 'applied' : 'cancelled'
  })
}

function hashOf({ serverId, account, characterId, goods }: GameDelivery): Buffer {
  const lines = goods.map((good) => [good.kind, good.code ?? null, good.quantity, good.days ?? null])
  return createHash('sha256')
    .update(JSON.stringify([serverId, account, characterId, lines]))
    .digest()
}

/** The character's lock comes first, as for a delivery. */
async function take(tx: Tx, charge: GameCharge): Promise<DeliverOutcome> {
  const isId = /^[1-9]\d{0,17}$/.test(charge.characterId)
  const luong = isId ? await lockPurse(tx, charge) : undefined
  const reason =
    luong === undefined ? 'no-such-character' : luong < BigInt(charge.luong) ? 'insufficient' : null
  const bodyHash = hashOfCharge(charge)
  const row: ChargeRow = { id: charge.id, bodyHash, status: reason === null ? 'applied' : 'refused', reason }
  const taken = reason === null ? charge : null
  if (!(await insertCharge(tx, row, taken))) {
    const earlier = await findCharge(tx, charge.id)
    invariant(earlier, 'a charge that was in the way is there')
    return answerAgain(earlier, bodyHash)
  }
  if (reason !== null) return { kind: 'refused', reason }
  await changePurse(tx, charge.characterId, -charge.luong)
  return { kind: 'applied' }
}

/** Once stored, a charge that arrives later is refused. */
async function giveBack(tx: Tx, id: string): Promise<void> {
  const tombstone: ChargeRow = { id, bodyHash: Buffer.alloc(0), status: 'refunded', reason: null }
  if (await insertCharge(tx, tombstone, null)) return
  const charge = await lockCharge(tx, id)
  if (charge?.status === 'refunded') return
  await updateChargeRefunded(tx, id)
  if (charge?.status !== 'applied') return
  invariant(charge.characterId && charge.luong, 'what was taken has its character')
  await changePurse(tx, charge.characterId, Number(charge.luong))
}

const hashOfCharge = ({ serverId, account, characterId, luong }: GameCharge): Buffer =>
  createHash('sha256')
    .update(JSON.stringify([serverId, account, characterId, luong]))
    .digest()
