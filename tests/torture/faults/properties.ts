import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { anAddress } from '#tests/support/players.ts'
import { offerTo, recharge, type Actor } from '../../harness/players.ts'
import type { Answer, Request } from '../../harness/client.ts'
import { wrongBalances } from '../../harness/verification.ts'
import type { FaultRun, WorldFault } from './fault.ts'
import { insertPlayer } from './quick-player.ts'

/** Of an activation. */
const FEE = 20_000
const EXCHANGED = [10_000, 20_000, 50_000]

/** What is done with a key of its own: how often, with which amounts, and as which request. */
const KEYED = {
  activate: { weight: 2, amounts: [FEE], path: '/api/user/active', bodyOf: () => undefined },
  transfer: {
    weight: 4,
    amounts: [1, 500, 10_000, 19_999, 20_000, 20_001, 50_000],
    path: '/api/user/transfer',
    bodyOf: (amount: number, _: Actor, payee: Actor) => ({ payee: payee.username, amount }),
  },
  exchange: {
    weight: 3,
    amounts: EXCHANGED,
    path: '/api/exchange/store',
    bodyOf: (amount: number, { characterIds }: Actor) => ({ character_id: characterIds[0], amount }),
  },
  gift: {
    weight: 2,
    amounts: GIFT_PACKAGES.slice(0, 2).map(({ id }) => id),
    path: '/api/user/buy-package',
    bodyOf: (id: number, { characterIds }: Actor) => ({ character_id: characterIds[0], package_id: id }),
  },
}
const OPERATIONS = {
  ...KEYED,
  /** Two calls without a key that could be repeated. */
  recharge: { weight: 3, amounts: EXCHANGED },
  /** The operation before, with its key again. */
  again: { weight: 2, amounts: [0] },
  /** Its key with another body. */
  'other-body': { weight: 1, amounts: [0] },
}

type Op<Kind = keyof typeof OPERATIONS> = { op: Kind; who: number; to: number; amount: number }
type Keyed = Op<keyof typeof KEYED>
type Done = Op<keyof typeof KEYED | 'recharge'>
/** `done`, `replayed`, or the code of a refusal. */
type Outcome = string

const isKeyed = (op: Op): op is Keyed => op.op in KEYED
/** Whether its key can come with another body: the request of an activation has none. */
const hasBody = (op: Op) => isKeyed(op) && op.op !== 'activate'

const PLAYERS = 3
const OPS_MAX = 14
const LANES = 4
const ROUND = 5

const who = fc.nat({ max: PLAYERS - 1 })
const kinds = Object.keys(OPERATIONS) as Op['op'][]
const operation = fc.oneof(
  ...kinds.map((kind) => {
    const { weight, amounts } = OPERATIONS[kind]
    const amount = fc.constantFrom(...amounts)
    return { weight, arbitrary: fc.record<Op>({ op: fc.constant(kind), who, to: who, amount }) }
  }),
)

/** T17: random sequences of operations against a model in memory; a failing one is made as short as it goes. */
export const modelled: WorldFault = {
  name: 'random sequences of operations against a model in memory, shrunk when they differ',
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

async function compare(run: FaultRun, ops: readonly Op[]): Promise<void> {
  const model = new Model()
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => aPlayer(run)))
  const doer = new Doer(run, players)
  for (const op of ops) {
    const expected = model.apply(op)
    if (expected === null) continue
    const got = await doer.do(op)
    if (got !== expected)
      throw new Error(`${JSON.stringify(op)}: the model says ${expected}, the portal ${got}`)
  }
  const due = new Map(players.map(({ username }, at) => [username, model.wallets[at]?.balance ?? 0]))
  const wrong = await wrongBalances(run.world.db, due)
  if (wrong > 0) throw new Error(`${wrong} balances are not those of the model, ${JSON.stringify([...due])}`)
}

/** What the rules of spec §4 say of three players' wallets, written again in a few lines and in memory. */
class Model {
  readonly wallets = Array.from({ length: PLAYERS }, () => ({
    balance: 0,
    isActivated: false,
    hasGift: false,
  }))
  /** The last operation and what became of it: only what was done is remembered under a key. */
  #last: { op: Done; outcome: Outcome } | null = null

  /** Does the operation and answers what the portal has to answer; null when there is nothing to repeat. */
  apply(op: Op): Outcome | null {
    const last = this.#last
    if (op.op === 'other-body') return last?.outcome === 'done' && hasBody(last.op) ? 'KEY_REUSED' : null
    if (op.op === 'again') {
      if (last === null) return null
      if (last.outcome === 'done') return 'replayed'
      return (last.outcome = this.#work(last.op))
    }
    this.#last = { op: op as Done, outcome: this.#work(op as Done) }
    return this.#last.outcome
  }

  #work({ op, who: at, to, amount }: Done): Outcome {
    const wallet = this.#wallet(at)
    if (op === 'recharge') {
      wallet.balance += amount
      return 'done'
    }
    if (op === 'activate' && wallet.isActivated) return 'ALREADY_ACTIVATED'
    if (op !== 'activate' && !wallet.isActivated) return 'NOT_ACTIVATED'
    if (op === 'transfer' && to === at) return 'VALIDATION'
    if (op === 'gift' && wallet.hasGift) return 'GIFT_ALREADY_TAKEN'
    if (wallet.balance < amount) return 'INSUFFICIENT_BALANCE'
    wallet.balance -= amount
    wallet.isActivated = true
    if (op === 'transfer') this.#wallet(to).balance += amount
    if (op === 'gift') wallet.hasGift = true
    return 'done'
  }

  #wallet(at: number) {
    return this.wallets[at] as (typeof this.wallets)[number]
  }
}

/** Does operations as a client, and remembers the last one with its key. */
class Doer {
  #last: { op: Keyed; request: Request; answer: Answer } | null = null
  readonly #run: FaultRun
  readonly #players: readonly Actor[]

  constructor(run: FaultRun, players: readonly Actor[]) {
    this.#run = run
    this.#players = players
  }

  async do(op: Op): Promise<Outcome> {
    if (op.op === 'again') return this.#again()
    if (op.op === 'other-body') return this.#otherBody()
    const player = this.#player(op.who)
    if (!isKeyed(op)) {
      this.#last = null
      await recharge(this.#run.world, player, op.amount)
      return 'done'
    }
    const { path, bodyOf } = KEYED[op.op]
    const { token, address: from } = player
    const body = bodyOf(op.amount, player, this.#player(op.to))
    return this.#send(op, { method: 'POST', path, key: randomUUID(), token, from, body })
  }

  #player(at: number): Actor {
    return this.#players[at] as Actor
  }

  async #send(op: Keyed, request: Request): Promise<Outcome> {
    const answer = await this.#run.world.client.untilDefinite(request)
    this.#last = { op, request, answer }
    if (answer.status === 200) this.#store(op, answer)
    return outcomeOf(answer)
  }

  /** What was done stands in the clients' log too, which is held against the ledger and the game. */
  #store({ op, who: at, to, amount }: Keyed, { body }: Answer): void {
    const { username: player, receiveOf, characterIds } = this.#player(at)
    const { confirmed } = this.#run.world
    const deliveryId = body?.delivery?.id as string
    if (op === 'activate') confirmed.push({ act: 'activation', player, amount })
    if (op === 'transfer') confirmed.push({ act: op, player, payee: this.#player(to).username, amount })
    if (op === 'gift') confirmed.push({ act: op, player, amount, deliveryId })
    if (op === 'exchange') {
      const receive = receiveOf.get(amount) as number
      confirmed.push({ act: op, player, amount, receive, deliveryId, characterId: characterIds[0] as string })
    }
  }

  async #again(): Promise<Outcome> {
    // A recharge has no key to repeat: the model answers the same for it.
    if (this.#last === null) return 'replayed'
    const { op, request, answer: first } = this.#last
    if (first.status !== 200) return this.#send(op, request)
    const answer = await this.#run.world.client.untilDefinite(request)
    const isSame = answer.status === 200 && JSON.stringify(answer.body) === JSON.stringify(first.body)
    return isSame ? 'replayed' : `another answer: ${JSON.stringify(answer.body)}`
  }

  async #otherBody(): Promise<Outcome> {
    const { request } = this.#last as { request: Request }
    const body = { ...(request.body as object) } as Record<string, unknown>
    if ('package_id' in body) body.package_id = GIFT_PACKAGES.at(-1)?.id
    else body.amount = body.amount === 10_000 ? 20_000 : 10_000
    return outcomeOf(await this.#run.world.client.untilDefinite({ ...request, body }))
  }
}

const outcomeOf = ({ status, body }: Answer): Outcome => (status === 200 ? 'done' : String(body?.code))

let players = 0

async function aPlayer({ world, seed }: FaultRun): Promise<Actor> {
  const username = `mohinh${seed % 10_000}n${players++}`
  const address = anAddress()
  const token = await insertPlayer(world.db, username)
  const { characters, amounts } = await offerTo(world.client, address, token)
  return {
    username,
    token,
    address,
    characterIds: characters.map(({ id }) => id),
    receiveOf: new Map(amounts.map(({ amount, receive }) => [amount, receive])),
    ordersLeft: Number.MAX_SAFE_INTEGER,
  }
}
