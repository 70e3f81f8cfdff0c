import { ACCOUNTS, MAX_VND, MIN_VND, PARTNER_CODE } from './cases.ts'
import { ORDER_MS, RATE, type PlannedOrder, type Report, type Scenario } from './scenario.ts'

export type Fate = 'credited' | 'review' | 'ignored'

type OrderState = 'waiting' | 'paid' | 'review' | 'cancelled'

const OURS: readonly string[] = [...Object.values(ACCOUNTS), PARTNER_CODE]
const LATE_MS = 72 * 3_600_000

/**
 * The expected result of each transfer by the rules, given the reports
 * in order of arrival. It shares no code with the portal's matching.
 */
export class Model {
  readonly fates = new Map<number, Fate>()
  /** TCoin by player. */
  readonly coins = new Map<number, number>()
  /** Notifications under a known reference with another figure. */
  readonly conflicts: Report[] = []
  creditedVnd = 0
  readonly #orders = new Map<string, { order: PlannedOrder; state: OrderState }>()
  readonly #known = new Map<string, number>()
  readonly #scenario: Scenario

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    for (const order of scenario.orders) {
      this.#orders.set(order.code, { order, state: order.isCancelled ? 'cancelled' : 'waiting' })
    }
  }

  /** The first fresh copy of a report arrives. */
  arrive(report: Report): void {
    const { transfer } = report
    const [code, another] = transfer.readable
    const isNamed = another !== undefined || (code !== undefined && this.#orders.has(code))
    const isNobodys = !OURS.includes(transfer.account) && !isNamed
    if (transfer.isNoMoney !== null || transfer.direction === 'out' || isNobodys) {
      this.fates.set(transfer.key, 'ignored')
      return
    }
    if (transfer.ref !== null) {
      const reference = `${transfer.account} ${transfer.ref}`
      const figure = this.#known.get(reference)
      if (figure !== undefined) {
        if (figure !== report.amount) this.conflicts.push(report)
        return
      }
      this.#known.set(reference, report.amount)
    }
    this.fates.set(transfer.key, this.#settle(report))
  }

  #settle(report: Report): Fate {
    const { transfer, amount } = report
    const named =
      transfer.readable.length === 1 ? this.#orders.get(transfer.readable[0] as string) : undefined
    if (named === undefined || named.state !== 'waiting') return 'review'
    if (!this.#isSound(report, named.order)) {
      // The money waits for an operator: until then nothing else is credited to the order automatically.
      named.state = 'review'
      return 'review'
    }
    named.state = 'paid'
    this.creditedVnd += amount
    const { player, rate } = named.order
    this.coins.set(player, (this.coins.get(player) ?? 0) + amount * rate)
    return 'credited'
  }

  #isSound({ transfer, provider, amount }: Report, order: PlannedOrder): boolean {
    const isThere = provider === 'momo' ? order.channel === 1 : transfer.account === order.account
    const paidAfterMs = transfer.bookedAt.getTime() - order.createdAt.getTime()
    const isInTime = paidAfterMs <= LATE_MS
    const keepsItsPrice = paidAfterMs <= ORDER_MS || order.rate === RATE
    const isExact = amount === order.amount
    const isWithinLimits = amount >= MIN_VND && amount <= MAX_VND
    const isAmountRight = isExact || (provider !== 'momo' && isWithinLimits)
    const isBanned = this.#scenario.players[order.player]?.isBanned === true
    return isThere && isInTime && keepsItsPrice && isAmountRight && !isBanned
  }
}
