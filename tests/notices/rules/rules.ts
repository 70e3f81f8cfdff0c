import { codesOf, likeness, saysTheSame } from './likeness.ts'
import type { Read } from './reading.ts'

// What becomes of each notice, by the text of docs/decisions/0079 (§3 to §5). It is told the notices one after the
// other, as they were answered, and shares no code with the portal's matching.

export type Order = {
  code: string
  player: number
  isAtMomo: boolean
  account: string
  amount: number
  /** TCoin for each đ, as promised. */
  rate: number
  createdAt: Date
  expiresAt: Date
  isCancelled: boolean
}

/** The portal as it is configured. */
export type World = {
  accounts: string[]
  partnerCode: string
  rate: number
  minVnd: number
  maxVnd: number
  orders: Map<string, Order>
  banned: Set<number>
}

export type Transfer = {
  state: 'credited' | 'review' | 'ignored'
  account: string
  amount: number
  order: string | null
}

/** One row that has to be stored. */
export type Told = {
  read: Read
  /** `repeat` and `changed`: under a known id; `stale`: signed long ago. */
  mark: 'repeat' | 'changed' | 'stale' | null
  fate: 'credited' | 'waiting' | 'set aside'
  reason: string | null
  transfer: Transfer | null
  arrivedAt: Date
}

type Fate = Pick<Told, 'fate' | 'reason' | 'transfer'>
export type Manner = 'signed' | 'stale' | 'pulled'

const DAY_MS = 86_400_000
const LATE_MS = 3 * DAY_MS

export class Rules {
  readonly rows: Told[] = []
  readonly #world: World
  readonly #known = new Map<string, Read>()
  readonly #changed = new Map<string, Read[]>()
  readonly #stale = new Set<string>()
  readonly #underReference = new Map<string, Told[]>()
  /** What became of an order: nothing yet, paid, or in review. */
  readonly #orders = new Map<string, 'paid' | 'review'>()

  constructor(world: World) {
    this.#world = world
  }

  tell(read: Read, manner: Manner, arrivedAt: Date): void {
    const store = (mark: Told['mark'], fate: Fate) => {
      const told = { read, mark, ...fate, arrivedAt }
      this.rows.push(told)
      return told
    }
    const key = `${read.provider} ${read.id}`
    if (manner === 'stale') {
      if (this.#stale.has(key)) return
      this.#stale.add(key)
      store('stale', waits(null))
      return
    }
    const known = this.#known.get(key)
    if (known === undefined) {
      this.#known.set(key, read)
      const told = store(null, this.#decide(read, arrivedAt))
      if (told.transfer !== null && told.reason !== 'reference-conflict') this.#remember(told)
      return
    }
    const changes = this.#changed.get(key) ?? []
    const isKnown = [known, ...changes].some((one) => saysTheSame(one, read, manner === 'pulled'))
    if (!isKnown) {
      this.#changed.set(key, [...changes, read])
      store('changed', waits('changed-notice'))
    } else if (manner === 'signed') store('repeat', setAside('repeated'))
  }

  #decide(read: Read, now: Date): Fate {
    if (read.kind === 'no-money') return setAside(read.reason)
    if (read.kind === 'unreadable') return read.waits ? waits(read.reason) : setAside(read.reason)
    if (/^0+$/.test(read.id)) return setAside('test-ping')
    const { like, transfer } = this.#likenessOf(read, now)
    if (read.direction === 'out')
      return setAside(
        'outgoing',
        like === 'same' ? transfer : this.#transfer('ignored', read, this.#named(read).order),
      )
    if (like === 'same') return setAside('same-transfer', transfer)
    if (like === 'doubt') return waits('reference-conflict', transfer)
    return this.#match(read, now)
  }

  #match(read: Read, now: Date): Fate {
    const { codes, order } = this.#named(read)
    const wait = (reason: string): Fate => {
      const transfer = this.#transfer('review', read, order)
      const state = order === null || order.isCancelled ? 'paid' : this.#orders.get(order.code)
      if (order !== null && state === undefined) this.#orders.set(order.code, 'review')
      return waits(reason, transfer)
    }
    if (this.#ours(read, order) === undefined)
      return order !== null || codes.length > 1 ? wait('foreign-account') : setAside('foreign-account')
    if (codes.length > 1) return wait('two-codes')
    if (order === null)
      return wait(codes.length === 0 && read.provider !== 'momo' ? 'no-code' : 'unknown-code')
    const doubt =
      this.#aboutOrder(read, order) ?? this.#aboutTime(read, order, now) ?? this.#aboutAmount(read, order)
    if (doubt !== null) return wait(doubt)
    this.#orders.set(order.code, 'paid')
    return { fate: 'credited', reason: null, transfer: this.#transfer('credited', read, order) }
  }

  #named(read: Read): { codes: string[]; order: Order | null } {
    const codes = codesOf(read)
    const [code = '', ...more] = codes
    return { codes, order: more.length === 0 ? (this.#world.orders.get(code) ?? null) : null }
  }

  #ours({ provider, account, virtual }: Read, order: Order | null): string | undefined {
    const numbers = [virtual, account].filter((one) => one !== null)
    if (provider === 'momo') return order?.account === account ? order.account : this.#world.partnerCode
    return (
      numbers.find((number) => number === order?.account) ??
      numbers.find((number) => this.#world.accounts.includes(number))
    )
  }

  #transfer(state: Transfer['state'], read: Read, order: Order | null): Transfer {
    const account = this.#ours(read, order) ?? read.virtual ?? read.account
    return { state, account, amount: read.amount, order: order?.code ?? null }
  }

  #aboutOrder(read: Read, order: Order): string | null {
    const state = this.#orders.get(order.code)
    if (state === 'paid') return 'order-already-paid'
    if (order.isCancelled) return 'order-cancelled'
    if (state === 'review') return 'order-in-review'
    const isThere = read.provider === 'momo' ? order.isAtMomo : this.#ours(read, order) === order.account
    if (!isThere) return 'wrong-account'
    return this.#world.banned.has(order.player) ? 'user-banned' : null
  }

  #aboutTime({ at }: Read, { createdAt, expiresAt, rate }: Order, now: Date): string | null {
    const paidAt = at !== null && at >= createdAt && at <= now ? at : now
    if (paidAt.getTime() - createdAt.getTime() > LATE_MS) return 'too-late'
    return paidAt > expiresAt && rate !== this.#world.rate ? 'rate-changed' : null
  }

  #aboutAmount({ provider, amount }: Read, order: Order): string | null {
    if (amount === order.amount) return null
    if (provider === 'momo') return 'wrong-amount'
    if (amount < this.#world.minVnd) return 'below-minimum'
    return amount > this.#world.maxVnd ? 'above-maximum' : null
  }

  #remember(told: Told): void {
    const { direction, reference } = told.read
    if (reference === null) return
    const key = `${direction} ${reference.toUpperCase()}`
    this.#underReference.set(key, [...(this.#underReference.get(key) ?? []), told])
  }

  #likenessOf(read: Read, now: Date): { like: 'same' | 'doubt' | 'another'; transfer: Transfer | null } {
    const key = `${read.direction} ${(read.reference ?? '').toUpperCase()}`
    const reports = read.reference === null ? [] : (this.#underReference.get(key) ?? [])
    const numbers = [read.account, read.virtual]
    const apart = (known: Told) =>
      Math.abs((known.read.at ?? known.arrivedAt).getTime() - (read.at ?? now).getTime())
    const isNear = (known: Told) => {
      const shared = [known.read.account, known.read.virtual].filter((one) => one !== null)
      return shared.some((one) => numbers.includes(one)) && apart(known) <= 7 * DAY_MS
    }
    const near = reports.filter(isNear).toSorted((one, other) => apart(one) - apart(other))
    for (const like of ['same', 'doubt'] as const) {
      const found = near.filter(
        (known) => likeness(known.read, read, (code) => this.#world.orders.has(code)) === like,
      )
      if (found[0] !== undefined) return { like, transfer: found[0].transfer }
    }
    return { like: 'another', transfer: null }
  }
}

const waits = (reason: string | null, transfer: Transfer | null = null): Fate => ({
  fate: 'waiting',
  reason,
  transfer,
})

const setAside = (reason: string | null, transfer: Transfer | null = null): Fate => ({
  fate: 'set aside',
  reason,
  transfer,
})
