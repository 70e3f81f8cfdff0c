import type { Client } from 'pg'
import type { AnswerOf } from '#contract/endpoint.ts'
import type { SeveralAnswer } from '#contract/operator/fields.ts'
import type { DeliveryAttempt, OperatorDelivery, gameBridgeCall } from '#contract/operator/deliveries.ts'
import { readCollector } from '#server/modules/game-bridge/index.ts'
import { actAsOperator, type ActCall, actOnSeveral } from '#server/modules/audit/index.ts'
import { findTraderByUsername } from '#server/modules/traders/index.ts'
import { parseCoins } from '#server/domain/coins.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type GameNames, readGameNames } from '#server/domain/game-names.ts'
import { notify } from '#server/domain/notices.ts'
import { type Tx, afterCommit } from '#server/platform/db/transaction.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import {
  conflict,
  notFound,
  orNotFound,
  Refusal,
  invariant,
  messageOf,
} from '#server/platform/values/errors.ts'
import { count } from '#server/domain/metrics.ts'
import { findDeliveryState, lockDelivery, updateFinalState, updateParkedToDue } from './deliveries.queries.ts'
import { FAILURES_MAX, isDeliveryId, type DeliveryState } from './deliveries.rules.ts'
import { refundHold, settleHold } from './deliveries.service.ts'
import {
  countOpenOf,
  countStoredDeliveries,
  countWaitingByServer,
  deliveriesOfPerson,
  eraseDeliveriesOf,
  findStoredDelivery,
  type GivenFilter,
  listStoredDeliveries,
  selectOpenSum,
  type StoredDelivery,
  updateOpenToUnknown,
} from './operator.queries.ts'
import {
  findLastAnsweredAt,
  listAttempts,
  listLatestAnswered,
  countOpenByState,
  type NewAttempt,
  wakeNext,
} from './worker.queries.ts'
import { storeAttempts, timed, type DeliveriesDeps } from './worker.service.ts'

export async function listOperatorDeliveries(
  db: Db,
  { user, ...given }: GivenFilter,
  page: ListPage,
): Promise<ListRows<OperatorDelivery>> {
  const player = user === undefined ? undefined : await findTraderByUsername(db, user)
  if (user !== undefined && player === undefined) return { total: 0, rows: [] }
  const filter = { ...given, namedId: player?.id }
  const rows = await listStoredDeliveries(db, filter, page)
  return {
    total: () => countStoredDeliveries(db, filter),
    rows: describeStored(rows, await readGameNames(db)),
  }
}

export async function getOperatorDelivery(db: Db | Tx, id: string): Promise<OperatorDelivery> {
  const delivery = orNotFound(isDeliveryId(id) ? await findStoredDelivery(db, id) : undefined)
  return describe(delivery, await readGameNames(db))
}

export const describeStored = (rows: readonly StoredDelivery[], names: GameNames): OperatorDelivery[] =>
  rows.map((row) => describe(row, names))

const describe = (delivery: StoredDelivery, names: GameNames): OperatorDelivery => ({
  ...delivery,
  goods: names.withItemNames(delivery.goods),
  amount: parseCoins(delivery.amount),
  next_attempt_at: delivery.next_attempt_at.toISOString(),
  created_at: delivery.created_at.toISOString(),
  settled_at: delivery.settled_at?.toISOString() ?? null,
  collected_at: delivery.collected_at?.toISOString() ?? null,
})

export async function getAttempts(db: Db, id: string): Promise<DeliveryAttempt[]> {
  await getOperatorDelivery(db, id)
  return listAttempts(db, id)
}

/**
 * Each process that sends has a breaker of its own; the attempts that all of them recorded show the same: five
 * without an answer in a row.
 */
export async function getGameBridge(db: Db): Promise<AnswerOf<typeof gameBridgeCall>> {
  const latest = await listLatestAnswered(db, FAILURES_MAX)
  const servers = await countWaitingByServer(db)
  const open = await countOpenByState(db)
  const count = (state: (typeof open)[number]['state']) => open.find((row) => row.state === state)?.count ?? 0
  const oldest = open.flatMap((row) => row.oldest ?? []).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    breaker: latest.length === FAILURES_MAX && !latest.includes(true) ? 'open' : 'closed',
    last_answered_at: (await findLastAnsweredAt(db))?.toISOString() ?? null,
    queue: {
      pending: count('pending'),
      sending: count('sending'),
      unknown: count('unknown'),
      parked: count('parked'),
    },
    oldest_at: oldest?.toISOString() ?? null,
    collector: await readCollector(db),
    uncollected: servers.reduce((sum, { uncollected }) => sum + uncollected, 0),
    waiting_by_server: servers,
  }
}

const PAGE_ROWS = 500

/** Every delivery that is neither delivered nor refunded, the oldest first, a page at a time. */
export async function* openDeliveries(db: Db): AsyncGenerator<StoredDelivery> {
  let after: string | undefined
  for (;;) {
    const page = { from: 0, to: PAGE_ROWS - 1, order: 'asc', after } as const
    const rows = await listStoredDeliveries(db, { open: true }, page)
    yield* rows
    after = rows.at(-1)?.id
    if (rows.length < PAGE_ROWS) return
  }
}

/** How many deliveries are neither delivered nor refunded, and how many TCoin were paid for them. */
export async function sumOpenDeliveries(db: Db): Promise<{ count: number; amount: number }> {
  const sum = await selectOpenSum(db)
  return { count: Number(sum?.count), amount: Number(sum?.amount) }
}

/**
 * In a database restored from a backup: what was open may have been sent, applied or cancelled since, so the worker has
 * to ask the game before it sends anything. Part of the restore's own transaction, as the owner.
 */
export async function askAboutOpenDeliveries(client: Client): Promise<void> {
  await updateOpenToUnknown(client, 'restored from a backup')
}

/** What was delivered for how much stays; account and character go, and what the game answered to the attempts. */
export const personalDeliveries: PersonalPart = {
  lists: { deliveries: deliveriesOfPerson },
  erase: (tx, { id }) => eraseDeliveriesOf(tx, id),
  open: { delivery: (tx, { id }) => countOpenOf(tx, id) },
}

const gameDoesNotAnswer = () =>
  new Refusal('UNAVAILABLE', {
    message: 'Máy chủ game chưa trả lời, chưa có gì thay đổi. Vui lòng thử lại sau',
  })

const deliveryNotParked = () => conflict('Chỉ có thể gửi lại lượt giao đang chờ người vận hành xử lý')

const deliveryNotSettled = () =>
  conflict('Chỉ có thể xác nhận đã giao khi lượt giao đang chờ người vận hành xử lý')

const gameKnowsNothing = () => conflict('Máy chủ game chưa từng giao lượt này. Hãy gửi lại hoặc hoàn tiền')

const gameCancelled = () => conflict('Máy chủ game đã hủy lượt giao này. Hãy hoàn tiền')

type On<Body = unknown> = ActCall & { params: { id: string }; body: { reason: string } & Body }

/**
 * An operator ends a delivery that does not come to an end. The game has to cancel it first; only then do the coins
 * go back. When the game has already applied it, the delivery is settled instead. Safe also while a worker is sending:
 * the game's journal decides once for both, and the later of the two changes nothing.
 */
export async function refundDelivery(deps: DeliveriesDeps, call: On): Promise<OperatorDelivery> {
  const { id } = call.params
  return end(deps, call, {
    action: 'deliveries.refund',
    async becomes() {
      const send = async () => ({ kind: await deps.game.cancel(id) })
      return (await answered(deps, call, { asked: 'cancel', send })) === 'cancelled'
        ? 'refunded'
        : 'delivered'
    },
    isOver: (state) => state === 'delivered' || state === 'refunded',
  })
}

/** An operator sends a parked delivery on its way again, under the same id. */
export async function retryDelivery(deps: DeliveriesDeps, call: On): Promise<OperatorDelivery> {
  const { id } = call.params
  return actAsOperator(deps, call, {
    action: 'deliveries.retry',
    prepare: () => assertExists(deps, id),
    async work(tx) {
      if (!(await updateParkedToDue(tx, id))) throw deliveryNotParked()
      notify(tx, 'delivery_due')
      const audit = {
        subject: { type: 'delivery', id },
        details: { before: 'parked', after: 'unknown' },
      }
      return { answer: await getOperatorDelivery(tx, id), audit }
    },
  })
}

/** The same for several, each by itself. */
export async function retryDeliveries(
  deps: DeliveriesDeps,
  call: ActCall & { body: { ids: string[]; reason: string } },
): Promise<SeveralAnswer> {
  const { ids, reason } = call.body
  return actOnSeveral(deps, call, {
    action: 'deliveries.retry-many',
    rows: ids.map((id) => ({ id })),
    async act(params, own) {
      await retryDelivery(deps, { ...call, ...own, params, body: { reason } })
      return false
    },
  })
}

/** What the game knows of a delivery, on an operator's question. */
export async function askAboutDelivery(deps: DeliveriesDeps, call: On): Promise<{ known: Known }> {
  const { id } = call.params
  return actAsOperator(deps, call, {
    action: 'deliveries.ask',
    prepare: () => askGame(deps, call),
    work: async (_tx, known) => ({
      answer: { known },
      audit: { subject: { type: 'delivery', id }, details: { known } },
    }),
  })
}

/**
 * An operator who has evidence marks a parked delivery as delivered: one that the game knows under this id with other
 * goods, for example. What the game never applied, or cancelled, cannot be marked as delivered.
 */
export async function settleDelivery(
  deps: DeliveriesDeps,
  call: On<{ evidence: string }>,
): Promise<OperatorDelivery> {
  const { evidence } = call.body
  return end(deps, call, {
    action: 'deliveries.settle',
    async becomes() {
      const known = await askGame(deps, call)
      if (known === 'not-applied') throw gameKnowsNothing()
      if (known === 'cancelled') throw gameCancelled()
      return 'delivered'
    },
    isOver(state) {
      if (state !== 'delivered' && state !== 'parked') throw deliveryNotSettled()
      return state === 'delivered'
    },
    evidence: { evidence },
  })
}

type End = {
  action: 'deliveries.refund' | 'deliveries.settle'
  /** Queries the game. */
  becomes(): Promise<'delivered' | 'refunded'>
  /** True for a delivery that stays as it is; throws for one that this act may not end. */
  isOver(state: DeliveryState): boolean
  evidence?: { evidence: string }
}

async function end(
  deps: DeliveriesDeps,
  call: On,
  { action, becomes, isOver, evidence }: End,
): Promise<OperatorDelivery> {
  const { id } = call.params
  const operatorId = call.identity.userId
  const requestId = call.request.id
  return actAsOperator(deps, call, {
    action,
    async prepare() {
      await assertExists(deps, id)
      return becomes()
    },
    async work(tx, state) {
      const held = await lockDelivery(tx, id)
      invariant(held, 'deliveries are never deleted')
      if (isOver(held.state)) return { answer: await getOperatorDelivery(tx, id), audit: null }
      const note = state === 'refunded' ? 'cancelled' : null
      await updateFinalState(tx, id, { state, note })
      await wakeNext(tx, id)
      notify(tx, 'delivery_due')
      const actor = { actorOperatorId: operatorId, requestId }
      const movement =
        state === 'refunded'
          ? await refundHold(deps, tx, { held, note, actor })
          : await settleHold(deps, tx, held, actor)
      const facts = { requestId: held.requestId, operatorId, operatorRequestId: requestId }
      afterCommit('report an ended delivery', () => {
        count('portal_deliveries_total', { outcome: state })
        deps.log.info({ ...movement(), ...facts }, 'an operator ended a delivery')
      })
      const details = { before: held.state, after: state, amount: held.amount, ...evidence }
      return {
        answer: await getOperatorDelivery(tx, id),
        audit: { subject: { type: 'delivery', id }, details },
      }
    },
  })
}

type Known = 'applied' | 'cancelled' | 'not-applied'

async function askGame(deps: DeliveriesDeps, call: On): Promise<Known> {
  const { id } = call.params
  await assertExists(deps, id)
  return answered(deps, call, {
    asked: 'status',
    async send() {
      const known = await deps.game.deliveryStatus(id)
      return { kind: known === 'unknown' ? 'not-applied' : known }
    },
  })
}

type GameQuery = { asked: 'status' | 'cancel'; send: () => Promise<{ kind: Known }> }

/** The game's answer; without one the act is refused and nothing changes. The call is recorded either way. */
async function answered(deps: DeliveriesDeps, call: On, { asked, send }: GameQuery): Promise<Known> {
  const subject = { deliveryId: call.params.id, operatorId: call.identity.userId }
  const attempts: NewAttempt[] = []
  const answer = await timed(deps, { attempts, asked }, () =>
    send().catch((error: unknown) => {
      deps.log.warn(
        { err: error, deliveryId: subject.deliveryId },
        'the game did not answer an operator’s question',
      )
      return { kind: 'unknown' as const, cause: messageOf(error) }
    }),
  )
  await storeAttempts(deps, attempts, subject)
  if (answer.kind === 'unknown') throw gameDoesNotAnswer()
  return answer.kind
}

async function assertExists({ db }: DeliveriesDeps, id: string): Promise<void> {
  if (!isDeliveryId(id) || (await findDeliveryState(db, id)) === undefined) throw notFound()
}
