import type { Collector } from './collecting.ts'
import type { ChargeRow, JournalRow } from './journal.ts'
import { isGameId, ok, readCharge, refused, wrong, type Answer, type ChargeCall } from './reading.ts'
import type { Charge, World } from './world.ts'

type Parts = { world: World; collector: Collector; append: (row: JournalRow) => Promise<void> }

/** As many as easily fit into memory. */
const CHARGES_MAX = 1_000_000

/** What the collector calls the luong that a refund gives back. */
const refundOf = (id: string) => `refund-${id}`

const isEqual = (one: Charge, other: Charge) =>
  one.serverId === other.serverId &&
  one.account === other.account &&
  one.characterId === other.characterId &&
  one.luong === other.luong

/** Luong taken from characters: each charge is decided once, in one step, and on disk before it is answered. */
export class Charges {
  readonly #parts: Parts
  readonly #decided = new Map<string, { row: ChargeRow; written: Promise<void> }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** What the journal has of a charge. */
  restore(row: ChargeRow): void {
    this.#apply(row, Promise.resolve())
  }

  async answer(
    { id, isRefund }: ChargeCall,
    { method, body }: { method: string; body: Buffer },
  ): Promise<Answer> {
    if (!isGameId(id)) return wrong(400, 'bad-request', 'id')
    if (method === 'GET' && !isRefund) return this.#statusOf(id)
    if (method !== (isRefund ? 'POST' : 'PUT')) return wrong(405, 'no-such-method')
    if (this.#isFull(id)) return wrong(503, 'journal-full')
    if (isRefund) return this.#refund(id)
    const read = readCharge(body)
    return 'value' in read ? this.#take(id, read.value) : wrong(400, 'bad-request', read.field)
  }

  /** Refuses a charge for good, whatever it is: its character is not in the game. */
  async refuse(named: ChargeCall, body: Buffer): Promise<Answer> {
    const read = readCharge(body)
    if (!('value' in read) || !isGameId(named.id) || this.#decided.has(named.id) || this.#isFull(named.id))
      return this.answer(named, { method: 'PUT', body })
    await this.#decide({ id: named.id, status: 'charge-refused', charge: read.value, reason: 'offline' })
    return refused('offline')
  }

  #isFull(id: string): boolean {
    return this.#decided.size >= CHARGES_MAX && !this.#decided.has(id)
  }

  /** The same in memory when it happens and when the journal is read. */
  #apply(row: ChargeRow, written: Promise<void>): void {
    const { world, collector } = this.#parts
    const earlier = this.#decided.get(row.id)?.row
    this.#decided.set(row.id, { row, written })
    if (row.status === 'charged') {
      const character = world.find(row.charge)
      // One who left the game since has taken what was left along.
      if (character) character.luong -= row.charge.luong
    }
    // Given back as goods are given: it may have to wait.
    if (row.status === 'charge-refunded' && earlier?.status === 'charged') {
      const { luong, ...place } = earlier.charge
      collector.add(refundOf(row.id), { ...place, goods: [{ kind: 'luong', quantity: luong }] })
    }
  }

  async #decide(row: ChargeRow): Promise<void> {
    const written = this.#parts.append(row)
    this.#apply(row, written)
    await written
  }

  async #take(id: string, charge: Charge): Promise<Answer> {
    const earlier = this.#decided.get(id)
    if (earlier) {
      await earlier.written
      return answerAgain(earlier.row, charge)
    }
    const reason = this.#parts.collector.whyNotTaken(charge)
    if (reason !== null) {
      await this.#decide({ id, status: 'charge-refused', charge, reason })
      return refused(reason)
    }
    await this.#decide({ id, status: 'charged', charge })
    return ok({ status: 'applied' })
  }

  async #refund(id: string): Promise<Answer> {
    const earlier = this.#decided.get(id)
    // No await before it is recorded: two refunds would both give back.
    if (earlier?.row.status === 'charge-refunded') await earlier.written
    else {
      await this.#decide({ id, status: 'charge-refunded' })
      this.#parts.collector.collect(refundOf(id))
    }
    return ok({ status: 'refunded' })
  }

  async #statusOf(id: string): Promise<Answer> {
    const known = this.#decided.get(id)
    await known?.written
    return ok({ status: known === undefined ? 'unknown' : STATUSES[known.row.status] })
  }
}

/** What was refused was not applied; sending it again returns the refusal. */
const STATUSES = { charged: 'applied', 'charge-refused': 'unknown', 'charge-refunded': 'refunded' } as const

function answerAgain(row: ChargeRow, charge: Charge): Answer {
  if (row.status === 'charge-refunded') return refused('refunded')
  if (!isEqual(row.charge, charge)) return wrong(409, 'another-body')
  return row.status === 'charged' ? ok({ status: 'applied' }) : refused(row.reason)
}
