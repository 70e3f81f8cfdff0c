/** What the rules of spec §4 say of three players' wallets, written again in a few lines and in memory. */
export type Op =
  | { op: 'recharge'; who: number; amount: number }
  | { op: 'activate'; who: number }
  | { op: 'transfer'; who: number; to: number; amount: number }
  | { op: 'exchange'; who: number; amount: number }
  | { op: 'gift'; who: number; amount: number }
  /** The operation before, with its key again. */
  | { op: 'again' }
  /** Its key with another body. */
  | { op: 'other-body' }

export type Outcome = 'done' | 'replayed' | string

/** Of an activation. */
export const FEE = 20_000

type Wallet = { balance: number; isActivated: boolean; hasGift: boolean }
type Keyed = Exclude<Op, { op: 'again' | 'other-body' }>

export class Model {
  readonly wallets: Wallet[]
  /** The last operation and what became of it: only what was done is remembered under a key. */
  #last: { op: Keyed; outcome: Outcome } | null = null

  constructor(players: number) {
    this.wallets = Array.from({ length: players }, () => ({ balance: 0, isActivated: false, hasGift: false }))
  }

  /** Does the operation and answers what the portal has to answer; null when there is nothing to repeat. */
  apply(op: Op): Outcome | null {
    if (op.op === 'other-body') {
      const isKept = this.#last?.outcome === 'done' && hasBody(this.#last.op)
      return isKept ? 'KEY_REUSED' : null
    }
    if (op.op === 'again') {
      if (this.#last === null) return null
      if (this.#last.outcome === 'done') return 'replayed'
      return (this.#last.outcome = this.#work(this.#last.op))
    }
    this.#last = { op, outcome: this.#work(op) }
    return this.#last.outcome
  }

  #work(op: Keyed): Outcome {
    const wallet = this.wallets[op.who] as Wallet
    switch (op.op) {
      case 'recharge':
        wallet.balance += op.amount
        return 'done'
      case 'activate':
        if (wallet.isActivated) return 'ALREADY_ACTIVATED'
        if (wallet.balance < FEE) return 'INSUFFICIENT_BALANCE'
        wallet.balance -= FEE
        wallet.isActivated = true
        return 'done'
      case 'transfer':
        if (op.to === op.who) return 'VALIDATION'
        if (!wallet.isActivated) return 'NOT_ACTIVATED'
        if (wallet.balance < op.amount) return 'INSUFFICIENT_BALANCE'
        wallet.balance -= op.amount
        ;(this.wallets[op.to] as Wallet).balance += op.amount
        return 'done'
      default:
        return this.#purchase(op, wallet)
    }
  }

  #purchase(op: Extract<Op, { op: 'exchange' | 'gift' }>, wallet: Wallet): Outcome {
    if (!wallet.isActivated) return 'NOT_ACTIVATED'
    if (op.op === 'gift' && wallet.hasGift) return 'GIFT_ALREADY_TAKEN'
    if (wallet.balance < op.amount) return 'INSUFFICIENT_BALANCE'
    wallet.balance -= op.amount
    if (op.op === 'gift') wallet.hasGift = true
    return 'done'
  }
}

/** An activation says nothing, and a recharge is two calls. */
export const hasBody = ({ op }: Keyed) => op !== 'activate' && op !== 'recharge'
