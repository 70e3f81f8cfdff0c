import type { TestTransfer } from '#tests/support/signed-notifications.ts'
import type { Random } from '../../harness/numbers.ts'
import { ACCOUNTS, CASE_NAMES, caseOf, codeOf, PARTNER_CODE, type CaseName, type OrderCase } from './cases.ts'

export const RATE = 1
export const ORDER_MS = 30 * 60_000

/** What truly happened at a bank, or at MoMo's gateway. */
export type Transfer = Omit<TestTransfer, 'id'> & {
  key: number
  /** The order the payer meant, whatever became of the memo. */
  order: PlannedOrder | null
  /** Codes of real or made-up orders that can still be read in the memo. */
  readable: string[]
  /** A call without a transfer: a test call of a dashboard, a failed payment at MoMo. */
  isNoMoney: 'trial' | 'failed' | null
}

/** One provider's notification of one transfer, sent once or several times. */
export type Report = {
  transfer: Transfer
  provider: 'sepay' | 'casso' | 'payos' | 'momo'
  /** The provider's number for it. */
  eventId: number
  /** Not what the bank reports: another figure under the same reference. */
  amount: number
  copies: number
  /** How many of the copies come with a signature of an hour ago. */
  staleCopies: number
}

export type Scenario = { players: { isBanned: boolean }[]; orders: PlannedOrder[]; reports: Report[] }

export const isMangled = ({ order, memo }: Transfer) => order !== null && memo !== order.code

const MINUTE = 60_000
const HOUR = 60 * MINUTE

function planOrder(random: Random, { players, now, ...plan }: OrderCase & { players: number; now: number }) {
  const channel = random.pick(plan.channels)
  // How long after the order the money is booked; the notification then takes up to 72 hours to come.
  const paidAfter = plan.paidAfter(random)
  const delay = random.below(100) < 40 ? random.below(72 * 60) : random.below(180)
  const createdAt = new Date(now - (delay + paidAfter + 3) * MINUTE - random.below(60_000))
  return {
    code: codeOf(random),
    player: random.below(players),
    channel,
    account: ACCOUNTS[channel],
    amount: (10 + random.below(500)) * 1_000,
    rate: random.below(100) < plan.atOtherRate ? 2 : RATE,
    createdAt,
    paidAt: new Date(createdAt.getTime() + paidAfter * MINUTE),
    isCancelled: plan.isCancelled,
  }
}

export type PlannedOrder = ReturnType<typeof planOrder>

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
    while (this.scenario.reports.length < size) this.#addCase(this.#random.pick(CASE_NAMES))
    this.scenario.reports.length = size
    return this.scenario
  }

  #chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  #addCase(name: CaseName): void {
    if (name === 'trial') return this.#reportNoMoney('trial')
    const players = this.scenario.players.length
    const order = planOrder(this.#random, { ...caseOf(name), players, now: this.#now })
    this.scenario.orders.push(order)
    if (name === 'failed') return this.#reportNoMoney('failed', order)
    const transfer = this.#transfer(name, order)
    if (name === 'unreported') return this.#leaveUnreported(transfer)
    this.#report(transfer, name)
    if (name === 'twice') this.#report(this.#transfer('exact', order), name)
    if (name === 'conflict') this.#reportOtherAmount(transfer)
  }

  #transfer(name: CaseName, order: PlannedOrder): Transfer {
    const { memo, amount, account, direction } = caseOf(name)
    const key = ++this.#keys
    const hasRef = this.#chance(90) || name === 'conflict'
    return {
      key,
      order,
      ...memo(this.#random, order.code, this.scenario.orders),
      direction,
      account: account(this.#random, order.account),
      amount: amount(this.#random, order.amount),
      ref: hasRef ? `FT${key}X${this.#random.below(10 ** 9)}` : null,
      bookedAt: order.paidAt,
      isNoMoney: null,
    }
  }

  #report(transfer: Transfer, name: CaseName): void {
    const banks = ['sepay', 'casso', 'payos'] as const
    const { order, key } = transfer
    if (order?.channel === 1 && this.#chance(60) && isPlain(transfer)) {
      const ref = String(4_000_000_000 + key)
      Object.assign(transfer, { account: PARTNER_CODE, ref, memo: order.code, readable: [order.code] })
      return this.#addReport(transfer, 'momo')
    }
    const first = this.#random.pick(banks)
    // payOS reports incoming money only, always with the bank's reference.
    const isSepayOnly = transfer.ref === null || (first === 'payos' && transfer.direction === 'out')
    const reporter = isSepayOnly ? 'sepay' : first
    this.#addReport(transfer, reporter)
    if (name === 'exact' && reporter === 'sepay') this.#makeSomeStale(transfer)
    if (transfer.direction === 'in' && transfer.ref !== null && this.#chance(15)) {
      this.#addReport(transfer, this.#random.pick(banks.filter((bank) => bank !== reporter)))
    }
  }

  #addReport(transfer: Transfer, provider: Report['provider'], amount = transfer.amount): void {
    const copies = this.#chance(50) ? 1 : 1 + this.#random.below(10)
    const eventId = provider === 'momo' ? Number(transfer.ref) : 1_000 + this.scenario.reports.length
    this.scenario.reports.push({ transfer, provider, eventId, amount, copies, staleCopies: 0 })
  }

  get #last(): Report {
    return this.scenario.reports.at(-1) as Report
  }

  /** Some or all copies have a signature that is an hour old. Transfers lost by this are in the bank's list. */
  #makeSomeStale(transfer: Transfer): void {
    if (transfer.account === ACCOUNTS[1] || !this.#chance(12)) return
    this.#last.staleCopies = 1 + this.#random.below(this.#last.copies)
  }

  /** No provider reports it. */
  #leaveUnreported(transfer: Transfer): void {
    transfer.ref ??= `FT${transfer.key}`
    this.#addReport(transfer, 'sepay')
    this.#last.copies = 0
  }

  /** Another provider reports the same transfer with the same reference and another amount. */
  #reportOtherAmount(transfer: Transfer): void {
    const { provider, transfer: reported } = this.#last
    if (provider === 'momo' || transfer.ref === null || reported !== transfer) return
    const other = provider === 'casso' ? 'payos' : 'casso'
    this.#addReport(transfer, other, transfer.amount + 1_000)
  }

  #reportNoMoney(kind: 'trial' | 'failed', order: PlannedOrder | null = null): void {
    const key = ++this.#keys
    const transfer: Transfer = {
      key,
      order,
      readable: order ? [order.code] : [],
      direction: 'in',
      account: kind === 'failed' ? PARTNER_CODE : ACCOUNTS[2],
      amount: order?.amount ?? 50_000,
      ref: kind === 'failed' ? String(4_000_000_000 + key) : `TRIAL${key}`,
      memo: order?.code ?? 'giao dich thu nghiem',
      bookedAt: new Date(this.#now - HOUR),
      isNoMoney: kind,
    }
    this.#addReport(transfer, kind === 'failed' ? 'momo' : this.#random.pick(['sepay', 'casso'] as const))
    if (kind === 'trial') this.#last.eventId = 0
  }
}

/** Transfers that are possible through the gateway: it sets account and code, so a payer cannot get them wrong. */
const isPlain = ({ direction, account, readable, order }: Transfer) =>
  direction === 'in' && account === order?.account && readable.length === 1 && readable[0] === order.code
