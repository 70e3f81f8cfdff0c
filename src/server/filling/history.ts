import { invariant } from '#server/platform/values/errors.ts'
import { pseudoRandom, oneOf, SPAN_MS, type Existing, type Plan } from './plan.ts'

/** Users are numbered from 1, and so are their wallets. */
export type Movement = {
  id: number
  at: number
  kind: string
  debit: number
  credit: number
  amount: number
  sourceType: string
  sourceId: string
  /** The player it is of. */
  user: number
  actor: number | null
} & Partial<{ recharge: Recharge; purchase: Purchase }>

/** Money that arrived for an order; `before` it, an order that expired and a transfer that names nobody may have come. */
export type Recharge = {
  order: number
  hasExpired: boolean
  bank: number
  stray: 'review' | 'ignored' | null
}

export type Purchase = { id: string; number: number; state: 'delivered' | 'refunded' | 'parked' }

export const ACTIVATION_FEE = 20_000
const RECHARGES = [100_000, 200_000, 500_000]
const EXCHANGE = 10_000

/** What the lines of a statement are: the first ten, which are then repeated. Two players share a payment. */
const LINES = ['recharge', 'activation', 'p2p', 'exchange', 'p2p', 'recharge', 'p2p', 'p2p', 'p2p', 'p2p']

const lineKind = (line: number) =>
  line >= LINES.length && line % LINES.length === 1 ? 'p2p' : LINES[line % LINES.length]

/** When a player's line is written: everyone's first, then everyone's second … */
export const momentOf = ({ players, entries, now }: Plan, player: number, line: number): number =>
  now.getTime() - SPAN_MS + ((line + player / players) * SPAN_MS) / entries

/**
 * Every movement of TCoin in the order of time. Amounts are such that nobody runs out: what is spent until the next
 * recharge is less than the smallest one.
 */
export function* history(plan: Plan, existing: Existing): Generator<Movement> {
  const made = new Movements(plan, existing)
  for (let line = 0; line < plan.entries; line++)
    for (let player = 0; player < plan.players; player++) yield* lineOf(made, player, line)
}

function* lineOf(made: Movements, player: number, line: number): Generator<Movement> {
  const kind = lineKind(line)
  if (kind === 'activation') return yield made.activation(player, line)
  if (kind === 'exchange') return yield* made.exchange(player, line)
  // In place of the recharge two lines after an exchange comes its refund, for some.
  if (
    kind === 'recharge' &&
    lineKind(line - 2) === 'exchange' &&
    made.stateOf(player, line - 2) === 'refunded'
  )
    return yield made.refund(player, line)
  const partner = kind === 'p2p' ? partnerOf(player, line) : null
  if (partner === null || Math.max(partner, player) >= made.plan.players)
    return yield made.recharge(player, line)
  // The one with the lower number comes first and stands for both.
  if (partner > player) yield made.payment(player, partner, line)
}

/** Players are paired over another distance in each line, so that payments reach across the whole of them. */
function partnerOf(player: number, line: number): number {
  const distance = 2 ** (line % 12)
  return Math.floor(player / distance) % 2 === 0 ? player + distance : player - distance
}

class Movements {
  readonly plan: Plan
  readonly #house: Existing['house']
  readonly #gapMs: number
  #transfers = 0
  #orders = 0
  #banked = 0
  #purchases = 0

  constructor(plan: Plan, { house }: Existing) {
    this.plan = plan
    this.#house = house
    this.#gapMs = SPAN_MS / plan.entries / plan.players
  }

  recharge(player: number, line: number): Movement {
    const chance = pseudoRandom(this.plan, player, line)
    const hasExpired = chance % 5 === 0
    const stray = chance % 50 === 1 ? 'review' : chance % 50 === 2 ? 'ignored' : null
    this.#orders += hasExpired ? 2 : 1
    this.#banked += stray === null ? 1 : 2
    const bank = this.#banked
    return {
      ...this.#next(player, line),
      kind: 'recharge',
      debit: this.#houseOf('house_recharge', bank),
      credit: player + 1,
      amount: oneOf(RECHARGES, chance >>> 8),
      sourceType: 'bank_transaction',
      sourceId: String(bank),
      actor: null,
      recharge: { order: this.#orders, hasExpired, bank, stray },
    }
  }

  activation(player: number, line: number): Movement {
    return {
      ...this.#next(player, line),
      kind: 'activation',
      debit: player + 1,
      credit: this.#houseOf('house_revenue', player),
      amount: ACTIVATION_FEE,
      sourceType: 'user',
      sourceId: String(player + 1),
      actor: player + 1,
    }
  }

  payment(player: number, partner: number, line: number): Movement {
    const chance = pseudoRandom(this.plan, player, line)
    const [payer, payee] = chance % 2 === 0 ? [player, partner] : [partner, player]
    return {
      ...this.#next(player, line),
      kind: 'p2p',
      debit: payer + 1,
      credit: payee + 1,
      amount: 1_000 * (1 + ((chance >>> 4) % 5)),
      sourceType: 'transfer',
      sourceId: `${payer + 1}:fill-${line}`,
      user: payer + 1,
      actor: payer + 1,
    }
  }

  *exchange(player: number, line: number): Generator<Movement> {
    this.#purchases++
    const purchase = {
      id: deliveryId(this.plan, player, line),
      number: this.#purchases,
      state: this.stateOf(player, line),
    }
    const of = { amount: EXCHANGE, sourceType: 'delivery', sourceId: purchase.id, purchase }
    const hold = this.#houseOf('delivery_hold', player)
    const held = this.#next(player, line)
    yield { ...held, ...of, kind: 'exchange_hold', debit: player + 1, credit: hold, actor: player + 1 }
    if (purchase.state !== 'delivered') return
    const next = this.#next(player, line)
    const revenue = this.#houseOf('house_revenue', player)
    const at = held.at + this.#gapMs / 2
    yield { ...next, ...of, at, kind: 'exchange_settle', debit: hold, credit: revenue, actor: null }
  }

  refund(player: number, line: number): Movement {
    return {
      ...this.#next(player, line),
      kind: 'exchange_refund',
      debit: this.#houseOf('delivery_hold', player),
      credit: player + 1,
      amount: EXCHANGE,
      sourceType: 'delivery',
      sourceId: deliveryId(this.plan, player, line - 2),
      actor: null,
    }
  }

  /** A refund needs its line; without it the purchase was delivered. */
  stateOf(player: number, line: number): Purchase['state'] {
    const chance = pseudoRandom(this.plan, player, line) % 1000
    if (chance < 20 && line + 2 < this.plan.entries) return 'refunded'
    return chance === 999 ? 'parked' : 'delivered'
  }

  #next(player: number, line: number) {
    this.#transfers++
    return { id: this.#transfers, at: momentOf(this.plan, player, line), user: player + 1 }
  }

  /** A house account may have several rows; what belongs together moves through one of them. */
  #houseOf(kind: string, number: number): number {
    const rows = this.#house.get(kind)
    invariant(rows !== undefined, 'the ledger has its own accounts')
    return oneOf(rows, number)
  }
}

export function deliveryId(plan: Plan, player: number, line: number): string {
  const part = (what: number) =>
    pseudoRandom(plan, player, 1000 * (line + 1) + what)
      .toString(16)
      .padStart(8, '0')
  const [a, b, c] = [part(1), part(2), part(3)]
  const owner = (player + 1).toString(16).padStart(8, '0')
  return `${owner}-${a.slice(0, 4)}-4${a.slice(5)}-8${b.slice(1, 4)}-${b.slice(4)}${c}`
}
