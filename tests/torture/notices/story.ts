import type { Random } from '../random.ts'
import { PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { harmful, harmless } from './mangling.ts'
import { codeOf, PLOTS, type Plot } from './plots.ts'

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

export type StoryOrder = {
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
  order: StoryOrder | null
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
  /** The number under which the provider keeps it. */
  eventId: number
  /** Not what the bank says: another figure under the same reference. */
  amount: number
  copies: number
  /** How many of the copies come with a signature of an hour ago. */
  staleCopies: number
}

export type Story = { players: { isBanned: boolean }[]; orders: StoryOrder[]; reports: Report[] }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** All transfers at the banks and their reports by providers: `size` reports, generated from the seed. */
export class Author {
  readonly #random: Random
  readonly #now: number
  readonly story: Story = { players: [], orders: [], reports: [] }
  #keys = 0

  constructor(random: Random, now: Date) {
    this.#random = random
    this.#now = Math.floor(now.getTime() / 1000) * 1000
  }

  write(size: number): Story {
    const players = Math.max(10, Math.ceil(size / 25))
    for (let at = 0; at < players; at++) this.story.players.push({ isBanned: this.#chance(3) })
    const bag = PLOTS.flatMap(([plot, weight]) => Array.from({ length: weight }, () => plot))
    while (this.story.reports.length < size) this.#scene(this.#random.pick(bag))
    this.story.reports.length = size
    return this.story
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  #scene(plot: Plot): void {
    if (plot === 'trial') return this.#tellOfNothing('trial')
    const order = this.#order(plot)
    if (plot === 'failed') return this.#tellOfNothing('failed', order)
    const transfer = this.#transfer(plot, order)
    if (plot === 'silent') return this.#keepQuiet(transfer)
    this.#report(transfer, plot)
    if (plot === 'twice') this.#report(this.#transfer('exact', order), plot)
    if (plot === 'conflict') this.#contradict(transfer)
  }

  #order(plot: Plot): StoryOrder {
    const isListed = plot === 'silent'
    const channel =
      plot === 'failed' ? 1 : this.#random.pick(isListed ? ([2, 3] as const) : ([1, 2, 2, 3, 3] as const))
    const account = [ACCOUNTS.momo, ACCOUNTS.vietcombank, ACCOUNTS.acb][channel - 1] as string
    // How long after the order the money is booked; the notification then takes up to 72 hours to come.
    const paidAfter = this.#payMinutes(plot)
    const delay = this.#chance(40) ? this.#random.below(72 * 60) : this.#random.below(180)
    const createdAt = new Date(this.#now - (delay + paidAfter + 3) * MINUTE - this.#random.below(60_000))
    const order: StoryOrder = {
      code: codeOf(this.#random),
      player: this.#random.below(this.story.players.length),
      channel,
      account,
      amount: (10 + this.#random.below(500)) * 1_000,
      rate: plot === 'late-other-rate' || this.#isPaidInTimeAtAnotherRate(plot) ? 2 : RATE,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + 30 * MINUTE),
      paidAfter,
      isCancelled: plot === 'cancelled',
    }
    this.story.orders.push(order)
    return order
  }

  #isPaidInTimeAtAnotherRate(plot: Plot): boolean {
    return (plot === 'exact' || plot === 'under') && this.#chance(10)
  }

  #payMinutes(plot: Plot): number {
    if (plot === 'late' || plot === 'late-other-rate') return 40 + this.#random.below(70 * 60)
    if (plot === 'too-late') return 73 * 60 + this.#random.below(100 * 60)
    return 1 + this.#random.below(27)
  }

  #amount(plot: Plot, asked: number): number {
    if (plot === 'under') return Math.max(MIN_VND, asked - 1_000 * (1 + this.#random.below(50)))
    if (plot === 'over') return asked + 1 + this.#random.below(100_000)
    if (plot === 'below-minimum') return 1 + this.#random.below(MIN_VND - 1)
    if (plot === 'above-maximum') return MAX_VND + 1 + this.#random.below(1_000_000)
    return asked
  }

  #transfer(plot: Plot, order: StoryOrder): Transfer {
    const { memo, readable, isMangled } = this.#memo(plot, order.code)
    return {
      key: ++this.#keys,
      order,
      readable,
      direction: plot === 'outgoing' ? 'out' : 'in',
      account: this.#account(plot, order),
      amount: this.#amount(plot, order.amount),
      ref: this.#chance(90) || plot === 'conflict' ? `FT${this.#keys}X${this.#random.below(10 ** 9)}` : null,
      memo,
      bookedAt: new Date(order.createdAt.getTime() + order.paidAfter * MINUTE),
      isMangled,
      isNoMoney: null,
    }
  }

  #account(plot: Plot, order: StoryOrder): string {
    if (plot === 'foreign') return ACCOUNTS.foreign
    if (plot !== 'wrong-account') return order.account
    const others = [ACCOUNTS.momo, ACCOUNTS.vietcombank, ACCOUNTS.acb].filter(
      (account) => account !== order.account,
    )
    return this.#random.pick(others)
  }

  #memo(plot: Plot, code: string): { memo: string; readable: string[]; isMangled: boolean } {
    if (plot === 'no-code') return { memo: harmful(code, this.#random), readable: [], isMangled: true }
    if (plot === 'two-codes') {
      const other =
        this.story.orders[this.#random.below(this.story.orders.length)]?.code ?? codeOf(this.#random)
      const readable = [...new Set([code, other])]
      return { memo: `${code} ${other.toLowerCase()}`, readable, isMangled: true }
    }
    const readable = plot === 'unknown-code' ? codeOf(this.#random) : code
    const isMangled = this.#chance(50)
    return { memo: isMangled ? harmless(readable, this.#random) : readable, readable: [readable], isMangled }
  }

  #report(transfer: Transfer, plot: Plot): void {
    const banks: BankProvider[] = ['sepay', 'casso', 'payos']
    const byGateway = transfer.order?.channel === 1 && this.#chance(60) && isPlain(transfer)
    if (byGateway) {
      Object.assign(transfer, { account: PARTNER_CODE, ref: String(4_000_000_000 + transfer.key) })
      Object.assign(transfer, {
        memo: transfer.order!.code,
        readable: [transfer.order!.code],
        isMangled: false,
      })
      this.#tell(transfer, 'momo')
      return
    }
    const first = this.#random.pick(banks)
    // payOS reports incoming money only, always with the bank's reference.
    const isSepayOnly = transfer.ref === null || (first === 'payos' && transfer.direction === 'out')
    const told = isSepayOnly ? 'sepay' : first
    this.#tell(transfer, told)
    if (plot === 'exact' && told === 'sepay') this.#tellLate(transfer)
    if (transfer.direction === 'in' && transfer.ref !== null && this.#chance(15)) {
      this.#tell(transfer, this.#random.pick(banks.filter((bank) => bank !== told)))
    }
  }

  #tell(transfer: Transfer, provider: Provider, amount = transfer.amount): void {
    const copies = this.#chance(50) ? 1 : 1 + this.#random.below(10)
    this.story.reports.push({
      transfer,
      provider,
      eventId: provider === 'momo' ? Number(transfer.ref) : 1_000 + this.story.reports.length,
      amount,
      copies,
      staleCopies: 0,
    })
  }

  /** Some or all copies have a signature that is an hour old. Transfers lost by this are in the bank's list. */
  #tellLate(transfer: Transfer): void {
    const report = this.story.reports.at(-1) as Report
    if (transfer.account === ACCOUNTS.momo || !this.#chance(12)) return
    report.staleCopies = 1 + this.#random.below(report.copies)
  }

  /** No provider reports it. */
  #keepQuiet(transfer: Transfer): void {
    const ref = transfer.ref ?? `FT${transfer.key}`
    this.#tell(Object.assign(transfer, { ref }), 'sepay')
    const report = this.story.reports.at(-1) as Report
    report.copies = 0
  }

  /** Another provider reports the same transfer with the same reference and another amount. */
  #contradict(transfer: Transfer): void {
    const truth = this.story.reports.at(-1) as Report
    const { provider } = truth
    if (provider === 'momo' || transfer.ref === null || truth.transfer !== transfer) return
    const other = provider === 'casso' ? 'payos' : 'casso'
    this.#tell(transfer, other, transfer.amount + 1_000)
  }

  #tellOfNothing(kind: 'trial' | 'failed', order: StoryOrder | null = null): void {
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
    this.#tell(transfer, kind === 'failed' ? 'momo' : this.#random.pick(['sepay', 'casso'] as const))
    if (kind === 'trial') (this.story.reports.at(-1) as Report).eventId = 0
  }
}

/** Transfers that are possible through the gateway: it sets account and code, so a payer cannot get them wrong. */
const isPlain = (transfer: Transfer) =>
  transfer.direction === 'in' &&
  transfer.account === transfer.order?.account &&
  transfer.readable.length === 1 &&
  transfer.readable[0] === transfer.order.code
