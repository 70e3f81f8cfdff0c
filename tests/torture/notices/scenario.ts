import type { Random } from '../../harness/numbers.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { CASES, codeOf, harmful, harmless, type OrderCase } from './cases.ts'

export type BankProvider = 'sepay' | 'casso' | 'payos'
export type Provider = BankProvider | 'momo'

export const ACCOUNTS = {
  vietcombank: '0011000000001',
  acb: '123456789',
  momo: 'PSP210000000000001',
  foreign: '99998888777',
} as const
export const PARTNER_CODE = PAYMENT_KEYS.momo.partnerCode
export const MIN_VND = 10_000
export const MAX_VND = 50_000_000
export const RATE = 1

export type PlannedOrder = {
  code: string
  player: number
  channel: 1 | 2 | 3
  account: string
  amount: number
  rate: number
  createdAt: Date
  expiresAt: Date
  /** Minutes from the order to its payment. */
  paidAfter: number
  isCancelled: boolean
}

/** What truly happened at a bank, or at MoMo's gateway. */
export type Transfer = {
  key: number
  /** The order the payer meant, whatever became of the memo. */
  order: PlannedOrder | null
  /** Codes of real or made-up orders that can still be read in the memo. */
  readable: string[]
  direction: 'in' | 'out'
  account: string
  amount: number
  ref: string | null
  memo: string
  bookedAt: Date
  isMangled: boolean
  /** A call without a transfer: a test call of a dashboard, a failed payment at MoMo. */
  isNoMoney: 'trial' | 'failed' | null
}

/** One provider's notification of one transfer, sent once or several times. */
export type Report = {
  transfer: Transfer
  provider: Provider
  /** The provider's number for it. */
  eventId: number
  /** Not what the bank reports: another figure under the same reference. */
  amount: number
  copies: number
  /** How many of the copies come with a signature of an hour ago. */
  staleCopies: number
}

export type Scenario = { players: { isBanned: boolean }[]; orders: PlannedOrder[]; reports: Report[] }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** All transfers at the banks and their reports by providers: `size` reports, generated from the seed. */
export class ScenarioBuilder {
  readonly #random: Random
  readonly #now: number
  readonly scenario: Scenario = { players: [], orders: [], reports: [] }
  #keys = 0

  constructor(random: Random, now: Date) {
    this.#random = random
    this.#now = Math.floor(now.getTime() / 1000) * 1000
  }

  build(size: number): Scenario {
    const players = Math.max(10, Math.ceil(size / 25))
    for (let at = 0; at < players; at++) this.scenario.players.push({ isBanned: this.#chance(3) })
    const bag = CASES.flatMap(([orderCase, weight]) => Array.from({ length: weight }, () => orderCase))
    while (this.scenario.reports.length < size) this.#addCase(this.#random.pick(bag))
    this.scenario.reports.length = size
    return this.scenario
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  #addCase(orderCase: OrderCase): void {
    if (orderCase === 'trial') return this.#reportNoMoney('trial')
    const order = this.#order(orderCase)
    if (orderCase === 'failed') return this.#reportNoMoney('failed', order)
    const transfer = this.#transfer(orderCase, order)
    if (orderCase === 'unreported') return this.#leaveUnreported(transfer)
    this.#report(transfer, orderCase)
    if (orderCase === 'twice') this.#report(this.#transfer('exact', order), orderCase)
    if (orderCase === 'conflict') this.#reportOtherAmount(transfer)
  }

  #order(orderCase: OrderCase): PlannedOrder {
    const isListed = orderCase === 'unreported'
    const channel =
      orderCase === 'failed'
        ? 1
        : this.#random.pick(isListed ? ([2, 3] as const) : ([1, 2, 2, 3, 3] as const))
    const account = [ACCOUNTS.momo, ACCOUNTS.vietcombank, ACCOUNTS.acb][channel - 1] as string
    // How long after the order the money is booked; the notification then takes up to 72 hours to come.
    const paidAfter = this.#payMinutes(orderCase)
    const delay = this.#chance(40) ? this.#random.below(72 * 60) : this.#random.below(180)
    const createdAt = new Date(this.#now - (delay + paidAfter + 3) * MINUTE - this.#random.below(60_000))
    const order: PlannedOrder = {
      code: codeOf(this.#random),
      player: this.#random.below(this.scenario.players.length),
      channel,
      account,
      amount: (10 + this.#random.below(500)) * 1_000,
      rate: orderCase === 'late-other-rate' || this.#isPaidInTimeAtAnotherRate(orderCase) ? 2 : RATE,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 30 * MINUTE),
      paidAfter,
      isCancelled: orderCase === 'cancelled',
    }
    this.scenario.orders.push(order)
    return order
  }

  #isPaidInTimeAtAnotherRate(orderCase: OrderCase): boolean {
    return (orderCase === 'exact' || orderCase === 'under') && this.#chance(10)
  }

  #payMinutes(orderCase: OrderCase): number {
    if (orderCase === 'late' || orderCase === 'late-other-rate') return 40 + this.#random.below(70 * 60)
    if (orderCase === 'too-late') return 73 * 60 + this.#random.below(100 * 60)
    return 1 + this.#random.below(27)
  }

  #amount(orderCase: OrderCase, requested: number): number {
    if (orderCase === 'under') return Math.max(MIN_VND, requested - 1_000 * (1 + this.#random.below(50)))
    if (orderCase === 'over') return requested + 1 + this.#random.below(100_000)
    if (orderCase === 'below-minimum') return 1 + this.#random.below(MIN_VND - 1)
    if (orderCase === 'above-maximum') return MAX_VND + 1 + this.#random.below(1_000_000)
    return requested
  }

  #transfer(orderCase: OrderCase, order: PlannedOrder): Transfer {
    const { memo, readable, isMangled } = this.#memo(orderCase, order.code)
    return {
      key: ++this.#keys,
      order,
      readable,
      direction: orderCase === 'outgoing' ? 'out' : 'in',
      account: this.#account(orderCase, order),
      amount: this.#amount(orderCase, order.amount),
      ref:
        this.#chance(90) || orderCase === 'conflict'
          ? `FT${this.#keys}X${this.#random.below(10 ** 9)}`
          : null,
      memo,
      bookedAt: new Date(order.createdAt.getTime() + order.paidAfter * MINUTE),
      isMangled,
      isNoMoney: null,
    }
  }

  #account(orderCase: OrderCase, order: PlannedOrder): string {
    if (orderCase === 'foreign') return ACCOUNTS.foreign
    if (orderCase !== 'wrong-account') return order.account
    const others = [ACCOUNTS.momo, ACCOUNTS.vietcombank, ACCOUNTS.acb].filter(
      (account) => account !== order.account,
    )
    return this.#random.pick(others)
  }

  #memo(orderCase: OrderCase, code: string): { memo: string; readable: string[]; isMangled: boolean } {
    if (orderCase === 'no-code') return { memo: harmful(code, this.#random), readable: [], isMangled: true }
    if (orderCase === 'two-codes') {
      const other =
        this.scenario.orders[this.#random.below(this.scenario.orders.length)]?.code ?? codeOf(this.#random)
      const readable = [...new Set([code, other])]
      return { memo: `${code} ${other.toLowerCase()}`, readable, isMangled: true }
    }
    const readable = orderCase === 'unknown-code' ? codeOf(this.#random) : code
    const isMangled = this.#chance(50)
    return { memo: isMangled ? harmless(readable, this.#random) : readable, readable: [readable], isMangled }
  }

  #report(transfer: Transfer, orderCase: OrderCase): void {
    const banks: BankProvider[] = ['sepay', 'casso', 'payos']
    const byGateway = transfer.order?.channel === 1 && this.#chance(60) && isPlain(transfer)
    if (byGateway) {
      Object.assign(transfer, { account: PARTNER_CODE, ref: String(4_000_000_000 + transfer.key) })
      Object.assign(transfer, {
        memo: transfer.order!.code,
        readable: [transfer.order!.code],
        isMangled: false,
      })
      this.#addReport(transfer, 'momo')
      return
    }
    const first = this.#random.pick(banks)
    // payOS reports incoming money only, always with the bank's reference.
    const isSepayOnly = transfer.ref === null || (first === 'payos' && transfer.direction === 'out')
    const reporter = isSepayOnly ? 'sepay' : first
    this.#addReport(transfer, reporter)
    if (orderCase === 'exact' && reporter === 'sepay') this.#makeSomeStale(transfer)
    if (transfer.direction === 'in' && transfer.ref !== null && this.#chance(15)) {
      this.#addReport(transfer, this.#random.pick(banks.filter((bank) => bank !== reporter)))
    }
  }

  #addReport(transfer: Transfer, provider: Provider, amount = transfer.amount): void {
    const copies = this.#chance(50) ? 1 : 1 + this.#random.below(10)
    this.scenario.reports.push({
      transfer,
      provider,
      eventId: provider === 'momo' ? Number(transfer.ref) : 1_000 + this.scenario.reports.length,
      amount,
      copies,
      staleCopies: 0,
    })
  }

  /** Some or all copies have a signature that is an hour old. Transfers lost by this are in the bank's list. */
  #makeSomeStale(transfer: Transfer): void {
    const report = this.scenario.reports.at(-1) as Report
    if (transfer.account === ACCOUNTS.momo || !this.#chance(12)) return
    report.staleCopies = 1 + this.#random.below(report.copies)
  }

  /** No provider reports it. */
  #leaveUnreported(transfer: Transfer): void {
    const ref = transfer.ref ?? `FT${transfer.key}`
    this.#addReport(Object.assign(transfer, { ref }), 'sepay')
    const report = this.scenario.reports.at(-1) as Report
    report.copies = 0
  }

  /** Another provider reports the same transfer with the same reference and another amount. */
  #reportOtherAmount(transfer: Transfer): void {
    const truth = this.scenario.reports.at(-1) as Report
    const { provider } = truth
    if (provider === 'momo' || transfer.ref === null || truth.transfer !== transfer) return
    const other = provider === 'casso' ? 'payos' : 'casso'
    this.#addReport(transfer, other, transfer.amount + 1_000)
  }

  #reportNoMoney(kind: 'trial' | 'failed', order: PlannedOrder | null = null): void {
    const transfer: Transfer = {
      key: ++this.#keys,
      order,
      readable: order ? [order.code] : [],
      direction: 'in',
      account: kind === 'failed' ? PARTNER_CODE : ACCOUNTS.vietcombank,
      amount: order?.amount ?? 50_000,
      ref: kind === 'failed' ? String(4_000_000_000 + this.#keys) : `TRIAL${this.#keys}`,
      memo: order?.code ?? 'giao dich thu nghiem',
      bookedAt: new Date(this.#now - HOUR),
      isMangled: false,
      isNoMoney: kind,
    }
    this.#addReport(transfer, kind === 'failed' ? 'momo' : this.#random.pick(['sepay', 'casso'] as const))
    if (kind === 'trial') (this.scenario.reports.at(-1) as Report).eventId = 0
  }
}

/** Transfers that are possible through the gateway: it sets account and code, so a payer cannot get them wrong. */
const isPlain = (transfer: Transfer) =>
  transfer.direction === 'in' &&
  transfer.account === transfer.order?.account &&
  transfer.readable.length === 1 &&
  transfer.readable[0] === transfer.order.code
