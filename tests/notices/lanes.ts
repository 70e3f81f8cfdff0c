import { ACB, MOMO, PAYMENT_KEYS, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import type { Sender } from '#tests/support/signed-notifications.ts'
import type { Random } from '../harness/numbers.ts'
import { callOf, type Call } from './calls.ts'
import { isCode } from './rules/likeness.ts'
import type { Order } from './rules/rules.ts'
import { elementOf, removeTime, rewriteSome, told, type Truth } from './transfers.ts'

export const ACCOUNTS = {
  momo: MOMO.number,
  vietcombank: VIETCOMBANK.number,
  /** What the QR shows is a virtual number; its main one stands in no setting. */
  acb: 'VQRQ0001ABCD',
}
export const ACB_MAIN = ACB.number
/** That of an order, and in the settings no more. */
export const RETIRED = '0077000001234'
export const STRANGE_ACCOUNT = '99998888777'
export const RATE = 1
export const LIMITS = { minVnd: 10_000, maxVnd: 50_000_000 }
export const PARTNER_CODE = PAYMENT_KEYS.momo.partnerCode

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** Calls that are sent at one moment. */
export type Sending = { place: number; calls: Call[] }

/** A row of a provider's list, which is read at the end of the run. */
export type ListedRow = { list: 'sepay' | 'casso'; truth: Truth; id: number; row: Record<string, unknown> }

const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'

export type OrderWish = {
  isAtMomo?: boolean
  account?: string
  /** Since it was made. */
  minutes?: number
  atOtherRate?: boolean
  isCancelled?: boolean
  amount?: number
}

/** What is sent one after the other; lanes go on at once, and share no order, no id and no reference. */
export class Lane {
  readonly random: Random
  readonly number: number
  readonly orders: Order[] = []
  readonly sendings: Sending[] = []
  readonly listed: ListedRow[] = []
  readonly #now: number
  readonly #players: number
  #things = 0

  constructor(random: Random, number: number, { now, players }: { now: number; players: number }) {
    this.random = random
    this.number = number
    this.#now = now
    this.#players = players
  }

  chance(percent: number): boolean {
    return this.random.below(100) < percent
  }

  /** A number that nothing else has. */
  next(): number {
    return ++this.#things * 100 + this.number
  }

  get now(): number {
    return this.#now
  }

  reference(): string {
    return `FT${this.next()}X${this.random.below(10 ** 6)}`
  }

  /** One of very few. */
  shortReference(): string {
    return `${this.number}A${this.random.below(6)}`
  }

  code(): string {
    for (;;) {
      const code = `TCX${Array.from({ length: 10 }, () => this.random.pick([...ALPHABET])).join('')}`
      if (isCode(code)) return code
    }
  }

  order(wish: OrderWish = {}): Order {
    const { random } = this
    const { minutes = 20 + random.below(200), isCancelled = false, atOtherRate = this.chance(8) } = wish
    const createdAt = new Date(this.#now - minutes * MINUTE - random.below(60) * SECOND)
    const isAtMomo = wish.isAtMomo ?? false
    const order = {
      code: this.code(),
      player: random.below(this.#players),
      isAtMomo,
      account: wish.account ?? (isAtMomo ? ACCOUNTS.momo : random.pick([ACCOUNTS.vietcombank, ACCOUNTS.acb])),
      amount: wish.amount ?? (10 + random.below(500)) * 1_000,
      rate: atOtherRate ? 2 : RATE,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 30 * MINUTE),
      isCancelled,
    }
    this.orders.push(order)
    return order
  }

  /** The order paid as it should be. */
  truth(order: Order, change: Partial<Truth> = {}): Truth {
    const { random } = this
    const isAtAcb = order.account === ACCOUNTS.acb
    return {
      order,
      account: isAtAcb ? ACB_MAIN : order.account,
      virtual: isAtAcb ? order.account : null,
      amount: order.amount,
      reference: this.reference(),
      memo: order.code,
      at: new Date(order.createdAt.getTime() + (1 + random.below(18)) * MINUTE),
      payer: this.chance(70) ? String(10 ** 9 + random.below(10 ** 9)) : null,
      direction: 'in',
      ...change,
    }
  }

  sender(truth?: Truth): Sender {
    const bank = ['sepay', 'casso', 'casso-token', 'payos'] as const
    if (truth?.direction === 'out') return this.random.pick(bank.slice(0, 3))
    return this.random.pick(bank)
  }

  /** The call by which a sender tells it. */
  call(sender: Sender, truth: Truth, id = this.next()): Call {
    const fields = told(sender, truth, id)
    const element = elementOf(sender, fields)
    if (this.chance(30)) rewriteSome(sender, element, this.random)
    if (this.chance(4)) removeTime(sender, element)
    return callOf(sender, fields, this.random)
  }

  send(...calls: Call[]): void {
    const last = this.sendings.at(-1)?.place ?? 0
    this.sendings.push({ place: last + 1, calls })
  }

  tell(truth: Truth, sender = this.sender(truth), id = this.next()): Call {
    const call = this.call(sender, truth, id)
    this.send(call)
    return call
  }

  /** Later calls come before earlier ones, mostly near, sometimes far. */
  shuffled(): Sending[] {
    const jitter = () => this.random.below(this.chance(10) ? 400 : 12)
    return this.sendings
      .map((sending) => ({ ...sending, place: sending.place + jitter() }))
      .toSorted((one, other) => one.place - other.place)
  }
}
