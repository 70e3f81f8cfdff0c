import { randomInt } from 'node:crypto'
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type {
  GiftCodeBatch,
  GiftCodeUse,
  operatorGiftCodes,
  operatorGiftCodeUses,
} from '#contract/operator/rewards/gift-codes.ts'
import { actAsOperator } from '#server/modules/audit/index.ts'
import { propose, type ProposalKinds, type ProposedChange } from '#server/modules/proposals/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { invalidField, notFound, Refusal } from '#server/platform/values/errors.ts'
import {
  findBatch,
  findMissing,
  findStates,
  insertBatch,
  lockBatch,
  type LockedBatch,
  lockOverBatch,
  markReleased,
  markRunning,
  markStopped,
  selectBatches,
  selectUses,
} from './batches.queries.ts'
import { inGroups, makeGiftCode } from './gift-code.rules.ts'
import { HASH_PURPOSE } from './redeeming.service.ts'

// What a batch costs in TCoin is held from its start, so that no code that is out in the world finds an empty budget.

export type BatchesDeps = PlatformDeps & { proposalKinds: ProposalKinds; isSecondPersonNeeded: boolean }

const SOURCE = 'gift_code_batch'

const conflict = (message: string, batch: GiftCodeBatch) =>
  new Refusal('CONFLICT', { message, present: { batch } })

export const listBatches = (
  db: Db,
  filter: NonNullable<QueryOf<typeof operatorGiftCodes.list>['filter']>,
  page: ListPage,
): Promise<ListRows<GiftCodeBatch>> => selectBatches(db, filter, page)

export const listUses = (
  db: Db,
  filter: NonNullable<QueryOf<typeof operatorGiftCodeUses.list>['filter']>,
  page: ListPage,
): Promise<ListRows<GiftCodeUse>> => selectUses(db, filter, page)

async function getBatch(db: Db | Tx, id: string): Promise<GiftCodeBatch> {
  const found = await findBatch(db, id)
  if (found === undefined) throw notFound()
  return found
}

type MakeCall = UserCall<typeof operatorGiftCodes.make>
type MakeAnswer = AnswerOf<typeof operatorGiftCodes.make>

/**
 * Makes a batch and its codes. The codes are in the answer of this call alone: what is stored for a repeated key has none, and
 * the table knows them by their keyed hash.
 */
export async function makeBatch(deps: BatchesDeps, call: MakeCall): Promise<MakeAnswer> {
  const { reason: _, ...terms } = call.body
  let made: string[] = []
  const { batch } = await actAsOperator<Pick<MakeAnswer, 'batch'>, Buffer[]>(deps, call, {
    action: 'gift-codes.make',
    async prepare() {
      if (Date.parse(terms.ends_at) <= deps.clock.now().getTime())
        throw invalidField('ends_at', 'Giờ kết thúc phải ở sau lúc này')
      made = Array.from({ length: terms.codes }, () => makeGiftCode(randomInt))
      return Promise.all(made.map((code) => deps.vault.hash(HASH_PURPOSE, code)))
    },
    async work(tx, hashes) {
      const missing = await findMissing(tx, terms)
      if (missing.budget) throw invalidField('budget_id', 'Hãy chọn một ngân sách')
      if (missing.server) throw invalidField('server_id', 'Máy chủ này không tồn tại')
      const id = await insertBatch(tx, { ...terms, madeBy: call.identity.userId }, hashes)
      const after = await getBatch(tx, id)
      return { answer: { batch: after }, audit: { subject: subjectOf(id), details: { before: null, after } } }
    },
  })
  return { batch, csv: made.length === 0 ? null : made.map((code) => `${inGroups(code)}\n`).join('') }
}

const subjectOf = (id: string) => ({ type: 'gift-codes', id })

type StartAnswer = AnswerOf<typeof operatorGiftCodes.start>

/** Starts a batch once a second person approves. */
export async function startBatch(
  deps: BatchesDeps,
  call: UserCall<typeof operatorGiftCodes.start>,
): Promise<StartAnswer> {
  const { params, body, identity, request } = call
  return actAsOperator<StartAnswer>(deps, call, {
    action: 'gift-codes.start',
    async work(tx) {
      const locked = await lockBatch(tx, params.id)
      const batch = await getBatch(tx, params.id)
      const refusal = whyNotStarted(locked)
      if (refusal !== null) throw conflict(refusal, batch)
      const proposal = await propose(deps, tx, {
        kind: 'gift-codes',
        subject: batch.id,
        payload: { before: 'planned', after: 'running' },
        reason: body.reason,
        operatorId: identity.userId,
        requestId: request.id,
      })
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await startNow(tx, batch.id, { actorOperatorId: identity.userId, requestId: request.id })
      const after = await getBatch(tx, batch.id)
      return { answer: { batch: after }, audit: recorded(batch, after) }
    },
  })
}

/** Why a batch cannot be started now; null: it can. */
function whyNotStarted(locked: LockedBatch | undefined): string | null {
  if (locked?.state !== 'planned') return 'Đợt mã này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của đợt mã này đã qua hết'
  const { account, cost } = locked
  return account !== null && account.balance < cost
    ? `Ngân sách chỉ còn ${formatNumber(account.balance)} TCoin, đợt mã này cần ${formatNumber(cost)}`
    : null
}

type Actor = { actorOperatorId: string; requestId?: string | undefined }

/** The batch is locked, and can be started. */
async function startNow(tx: Tx, id: string, actor: Actor): Promise<void> {
  const { account, cost } = (await lockBatch(tx, id)) as LockedBatch
  if (account !== null)
    await postTransfer(tx, {
      kind: 'gift_code_hold',
      debit: account.id,
      credit: HOUSE.promotionHold,
      amount: cost,
      source: { type: SOURCE, id },
      ...actor,
    })
  await markRunning(tx, { id, held: cost })
}

/** Ends a batch; what was held for it goes back to its budget. */
export const stopBatch = (deps: BatchesDeps, call: UserCall<typeof operatorGiftCodes.stop>) =>
  actAsOperator<GiftCodeBatch>(deps, call, {
    action: 'gift-codes.stop',
    async work(tx) {
      const { id } = call.params
      const locked = await lockBatch(tx, id)
      const before = await getBatch(tx, id)
      if (locked === undefined || locked.state === 'stopped')
        throw conflict('Đợt mã này đã dừng, vui lòng tải lại trang', before)
      await release(tx, id, locked)
      await markStopped(tx, { id, by: call.identity.userId })
      const after = await getBatch(tx, id)
      return { answer: after, audit: recorded(before, after) }
    },
  })

async function release(tx: Tx, id: string, { held, account }: LockedBatch): Promise<void> {
  if (held === 0 || account === null) return
  await postTransfer(tx, {
    kind: 'gift_code_release',
    debit: HOUSE.promotionHold,
    credit: account.id,
    amount: held,
    source: { type: SOURCE, id },
  })
  await markReleased(tx, id)
}

const recorded = (before: GiftCodeBatch, after: GiftCodeBatch) => ({
  subject: subjectOf(after.id),
  details: {
    before: { title: before.title, state: before.state },
    after: { title: after.title, state: after.state },
  },
})

/** How a batch that a second person approved is started. */
export const giftCodeProposals = {
  async titleOf(id: string, db: Db | Tx): Promise<string> {
    return `Chạy đợt mã quà “${(await findStates(db, [id])).get(id)?.title ?? id}”`
  },
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
    const states = await findStates(db, ids)
    return new Map(ids.map((id) => [id, states.get(id)?.state ?? null]))
  },
  /** False when it was stopped, its time has passed, or its budget does not hold its cost any more. */
  async apply(tx: Tx, { subject, by }: ProposedChange): Promise<boolean> {
    if (whyNotStarted(await lockBatch(tx, subject)) !== null) return false
    await startNow(tx, subject, { actorOperatorId: by.operatorId, requestId: by.requestId })
    return true
  },
} as const

/** Gives back what is held for one batch whose time is over; false when there is none. */
export async function releaseOver({ db }: Pick<PlatformDeps, 'db'>): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const id = await lockOverBatch(tx)
    if (id === undefined) return false
    await release(tx, id, (await lockBatch(tx, id)) as LockedBatch)
    return true
  })
}

/** What nobody used by the end is back in its budget within half a minute. */
export function startGiftCodeJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'gift-codes', pauseMs: 30_000, round: () => releaseOver(deps) }])
}
