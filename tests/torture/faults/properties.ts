import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { anAddress } from '#tests/support/players.ts'
import { offerTo, recharge } from '../../harness/players.ts'
import type { Answer, Request } from '../../harness/client.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { insertPlayer } from './quick-player.ts'

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
      const isRepeatable = this.#last?.outcome === 'done' && hasBody(this.#last.op)
      return isRepeatable ? 'KEY_REUSED' : null
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
        if (!wallet.isActivated) return 'NOT_ACTIVATED'
        if (op.to === op.who) return 'VALIDATION'
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

/** The answer of an activation is empty, and a recharge is two calls. */
export const hasBody = ({ op }: Keyed) => op !== 'activate' && op !== 'recharge'

const PLAYERS = 3
const OPS_MAX = 14
const LANES = 4
const ROUND = 5

const who = fc.nat({ max: PLAYERS - 1 })
const amount = fc.constantFrom(1, 500, 10_000, 19_999, 20_000, 20_001, 50_000)
const exchanged = fc.constantFrom(10_000, 20_000, 50_000)
const operation: fc.Arbitrary<Op> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ op: fc.constant('recharge' as const), who, amount: exchanged }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('activate' as const), who }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('transfer' as const), who, to: who, amount }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('exchange' as const), who, amount: exchanged }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('gift' as const),
      who,
      amount: fc.constantFrom(...GIFT_PACKAGES.slice(0, 2).map(({ id }) => id)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('again' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('other-body' as const) }) },
)

/** T17: random sequences of operations against a model in memory; a failing one is made as short as it goes. */
export const modelled: WorldFault = {
  name: 'random sequences of operations against a model in memory, shrunk when they differ',
  needs: {},
  async inject(run) {
    const property = fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: OPS_MAX }),
      async (ops) => {
        // Whatever is left of a round when the time is over counts for nothing.
        if (run.signal.aborted) return
        await compare(run, ops)
        run.count('sequences')
      },
    )
    const lane = async (number: number) => {
      for (let round = 0; !run.signal.aborted; round++) {
        const seed = run.seed * 1_000_000 + number * 10_000 + round
        const result = await fc.check(property, { seed, numRuns: ROUND })
        if (result.failed)
          run.wrong(`${String(result.errorInstance)}: ${JSON.stringify(result.counterexample)}, seed ${seed}`)
      }
    }
    await Promise.all(Array.from({ length: run.isShort ? 1 : LANES }, (_, number) => lane(number)))
  },
}

type Player = {
  username: string
  token: string
  address: string
  character: string
  receiveOf: ReadonlyMap<number, number>
  ordersLeft: number
}

async function compare(run: FaultRun, ops: readonly Op[]): Promise<void> {
  const model = new Model(PLAYERS)
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => aPlayer(run)))
  const doer = new Doer(run, players)
  for (const op of ops) {
    const expected = model.apply(op)
    if (expected === null) continue
    const got = await doer.do(op)
    if (got !== expected)
      throw new Error(`${JSON.stringify(op)}: the model says ${expected}, the portal ${got}`)
  }
  const names = players.map(({ username }) => username)
  const rows = await run.world.db
    .selectFrom('users')
    .innerJoin('ledger_account', 'ledger_account.id', 'users.wallet_account_id')
    .select(['users.username', 'ledger_account.balance'])
    .where('users.username', 'in', names)
    .execute()
  const balances = new Map(rows.map(({ username, balance }) => [username, Number(balance)]))
  const wrong = model.wallets.findIndex(({ balance }, at) => balances.get(names[at] as string) !== balance)
  if (wrong >= 0) {
    throw new Error(
      `player ${wrong} has ${balances.get(names[wrong] as string)}, the model ${model.wallets[wrong]?.balance}`,
    )
  }
}

/** What has a key of its own, to be repeated with it. */
type Repeatable = Exclude<Op, { op: 'again' | 'other-body' | 'recharge' }>

/** Does operations as a client, and remembers the last one with its key. */
class Doer {
  #last: { op: Repeatable; request: Request; answer: Answer } | null = null
  readonly #run: FaultRun
  readonly #players: readonly Player[]

  constructor(run: FaultRun, players: readonly Player[]) {
    this.#run = run
    this.#players = players
  }

  async do(op: Op): Promise<Outcome> {
    if (op.op === 'again') return this.#again()
    if (op.op === 'other-body') return this.#otherBody()
    const player = this.#players[op.who] as Player
    if (op.op === 'recharge') {
      this.#last = null
      await recharge(this.#run.world.context, player, op.amount)
      return 'done'
    }
    const request = {
      ...this.#requestOf(op, player),
      key: randomUUID(),
      token: player.token,
      from: player.address,
    }
    const answer = await this.#run.world.client.untilDefinite(request)
    this.#last = { op, request, answer }
    this.#store(op, answer)
    return outcomeOf(answer)
  }

  /** What was done stands in the clients' log too, which is held against the ledger and the game. */
  #store(op: Repeatable, { status, body }: Answer): void {
    if (status !== 200) return
    const player = this.#players[op.who] as Player
    const by = { player: player.username }
    const { confirmed } = this.#run.world
    const deliveryId = body?.delivery?.id as string
    if (op.op === 'activate') confirmed.push({ act: 'activation', ...by, amount: FEE })
    else if (op.op === 'transfer') {
      confirmed.push({
        act: 'transfer',
        ...by,
        payee: this.#players[op.to]?.username ?? '',
        amount: op.amount,
      })
    } else if (op.op === 'gift') confirmed.push({ act: 'gift', ...by, amount: op.amount, deliveryId })
    else {
      const receive = player.receiveOf.get(op.amount) as number
      const { character: characterId } = player
      confirmed.push({ act: 'exchange', ...by, amount: op.amount, receive, deliveryId, characterId })
    }
  }

  #requestOf(op: Repeatable, { character }: Player) {
    const method = 'POST' as const
    switch (op.op) {
      case 'activate':
        return { method, path: '/api/user/active' }
      case 'transfer': {
        const payee = this.#players[op.to]?.username
        return { method, path: '/api/user/transfer', body: { payee, amount: op.amount } }
      }
      case 'exchange':
        return { method, path: '/api/exchange/store', body: { character_id: character, amount: op.amount } }
      default:
        return {
          method,
          path: '/api/user/buy-package',
          body: { character_id: character, package_id: op.amount },
        }
    }
  }

  async #again(): Promise<Outcome> {
    // A recharge has no key to repeat: the model answers the same for it.
    if (this.#last === null) return 'replayed'
    const { op, request, answer: first } = this.#last
    const answer = await this.#run.world.client.untilDefinite(request)
    if (first.status !== 200) {
      this.#last = { ...this.#last, answer }
      this.#store(op, answer)
      return outcomeOf(answer)
    }
    const isSame = answer.status === 200 && JSON.stringify(answer.body) === JSON.stringify(first.body)
    return isSame ? 'replayed' : `another answer: ${JSON.stringify(answer.body)}`
  }

  async #otherBody(): Promise<Outcome> {
    const { request, op } = this.#last as NonNullable<typeof this.last>
    if (!hasBody(op)) return 'nothing to change'
    const body = { ...(request.body as object) } as Record<string, unknown>
    if ('package_id' in body) body.package_id = GIFT_PACKAGES.at(-1)?.id
    else body.amount = body.amount === 10_000 ? 20_000 : 10_000
    return outcomeOf(await this.#run.world.client.untilDefinite({ ...request, body }))
  }

  get last() {
    return this.#last
  }
}

const outcomeOf = ({ status, body }: Answer): Outcome => (status === 200 ? 'done' : String(body?.code))

let players = 0

async function aPlayer({ world, seed }: FaultRun): Promise<Player> {
  const username = `mohinh${seed % 10_000}n${players++}`
  const address = anAddress()
  const token = await insertPlayer(world.db, username)
  const { characters, amounts } = await offerTo(world.client, address, token)
  return {
    username,
    token,
    address,
    character: characters[0]?.id ?? '',
    receiveOf: new Map(amounts.map(({ amount: paid, receive }) => [paid, receive])),
    ordersLeft: Number.MAX_SAFE_INTEGER,
  }
}
