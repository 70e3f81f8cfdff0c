import { randomInt } from 'node:crypto'
import type { AnswerOf } from '#contract/endpoint.ts'
import { COINS_MAX } from '#contract/fields.ts'
import { formatNumber, formatSpan } from '#contract/format.ts'
import type { ProposalTerms } from '#contract/operator/proposal-terms.ts'
import {
  coinsWorth,
  type GoodsPrices,
  goodsWorth,
  sumOfGoods,
} from '#contract/operator/rewards/goods-worth.ts'
import type { GiftCodeBatch, operatorGiftCodes } from '#contract/operator/rewards/gift-codes.ts'
import { actAsOperator, whyAboveAct } from '#server/modules/audit/index.ts'
import { budgetOfCampaign } from '#server/modules/budgets/index.ts'
import {
  allOfThem,
  assertEndsLater,
  campaignActs,
  type ProposalsDeps,
  type ProposedChange,
} from '#server/modules/proposals/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { goodsAmount, whyNotPlanned, whyNotPromised } from '#server/domain/goods-catalogue.ts'
import type { Db } from '#server/platform/db/database.ts'
import { afterCommit, inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { csvLine } from '#server/platform/values/csv.rules.ts'
import { invalidField, orNotFound } from '#server/platform/values/errors.ts'
import {
  findBatch,
  insertBatch,
  isServer,
  listOverBatches,
  lockBatch,
  type LockedBatch,
  markReleased,
  markRunning,
  markStopped,
  selectBatches,
  updateBatch,
} from './batches.queries.ts'
import { inGroups, makeGiftCode } from './gift-code.rules.ts'
import { HASH_PURPOSE } from './redeeming.service.ts'

// What a batch costs in TCoin is held from its start, so that no code that is out in the world finds an empty budget.

const SOURCE = 'gift_code_batch'

export { selectBatches as listBatches, selectUses as listUses } from './batches.queries.ts'

async function getBatch(db: Db | Tx, id: string): Promise<GiftCodeBatch> {
  return orNotFound(await findBatch(db, id))
}

type MakeCall = UserCall<typeof operatorGiftCodes.make>
type MakeAnswer = AnswerOf<typeof operatorGiftCodes.make>
type Made = { codes: readonly string[]; hashes: Buffer[] }

/**
 * Makes a batch and its codes. The codes are in the answer of this call alone: what is stored for a repeated key has none, and
 * the table knows them by their keyed hash.
 */
export async function makeBatch(deps: ProposalsDeps, call: MakeCall): Promise<MakeAnswer> {
  const { reason: _, start: _start, funding: _funding, new_budget: _new, ...terms } = call.body
  // Those that are stored: a call that finds another with its key has made codes too.
  let stored: readonly string[] = []
  const made = await actAsOperator<Omit<MakeAnswer, 'csv'>, Made>(deps, call, {
    action: 'gift-codes.make',
    async prepare() {
      assertEndsLater(deps, terms.ends_at)
      const codes = Array.from({ length: terms.codes }, () => makeGiftCode(randomInt))
      return { codes, hashes: await Promise.all(codes.map((code) => deps.vault.hash(HASH_PURPOSE, code))) }
    },
    async work(tx, { codes, hashes }) {
      const { row, proposal, audit } = await planIn(deps, tx, {
        call,
        async insert() {
          await assertSound(tx, terms)
          const { id: budget_id, made } = await budgetOf(tx, call)
          const batch = { ...terms, budget_id, madeBy: call.identity.userId }
          return { id: await insertBatch(tx, batch, hashes), made }
        },
      })
      afterCommit('show the codes of a batch', () => (stored = codes))
      return { answer: { batch: row, proposal }, audit }
    },
  })
  return {
    ...made,
    csv: stored.length === 0 ? null : stored.map((code) => csvLine([inGroups(code)])).join(''),
  }
}

export const changeBatch = (deps: ProposalsDeps, call: UserCall<typeof operatorGiftCodes.update>) =>
  update(deps, {
    call,
    async change(tx, { id, codes, uses_per_code }) {
      const { reason: _, updated_at: _at, new_budget: _new, ...terms } = call.body
      assertEndsLater(deps, terms.ends_at)
      if ((terms.coins ?? 0) * codes * uses_per_code > COINS_MAX)
        throw invalidField('coins', 'Tổng số TCoin quá lớn')
      await assertSound(tx, { ...terms, codes, uses_per_code })
      const { id: budget_id, made } = await budgetOf(tx, call)
      await updateBatch(tx, { ...terms, id, budget_id })
      return made
    },
  })

/** None where the batch gives goods. */
const budgetOf = async (
  tx: Tx,
  call: Parameters<typeof budgetOfCampaign>[1] & { body: { coins: number | null } },
) => (call.body.coins === null ? { id: null, made: [] } : budgetOfCampaign(tx, call))

type Sound = Pick<GiftCodeBatch, 'goods' | 'codes' | 'uses_per_code' | 'server_id'>

/** Throws what is wrong with the terms of a batch that is being planned. */
async function assertSound(tx: Tx, terms: Sound): Promise<void> {
  if (!(await isServer(tx, terms.server_id))) throw invalidField('server_id', 'Máy chủ này không tồn tại')
  const why = await whyNotPlanned(tx, [terms.goods ?? []])
  if (why !== null) throw invalidField('goods', why)
  const { goodsLimits } = await readSettings(tx)
  const above = whyAboveAct(await goodsAmount(tx, givesOf(terms)), goodsLimits)
  if (above !== null) throw invalidField('goods', above)
}

/** Locks a batch, and says why it cannot be started now; null: it can. */
async function whyNotStarted(tx: Tx, id: string, funding: number): Promise<string | null> {
  const locked = await lockBatch(tx, id)
  if (locked?.state !== 'planned') return 'Đợt mã này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của đợt mã này đã qua hết'
  const why = await whyNotPromised(tx, [locked.goods])
  if (why !== null) return why
  const { account, cost } = locked
  return account !== null && account.balance + funding < cost
    ? `Ngân sách chỉ còn ${formatNumber(account.balance)} TCoin, đợt mã này cần ${formatNumber(cost)}`
    : null
}

/** The batch is locked, and can be started. */
async function startNow(tx: Tx, id: string, by: ProposedChange['by']): Promise<void> {
  const { account, cost } = (await lockBatch(tx, id)) as LockedBatch
  if (account !== null)
    await postTransfer(tx, {
      kind: 'gift_code_hold',
      debit: account.id,
      credit: HOUSE.promotionHold,
      amount: cost,
      source: { type: SOURCE, id },
      actorOperatorId: by.operatorId,
      requestId: by.requestId,
    })
  await markRunning(tx, { id, held: cost })
}

/** What is held for a batch goes back to its budget. */
async function release(tx: Tx, id: string): Promise<void> {
  const { held, account } = (await lockBatch(tx, id)) as LockedBatch
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

/** The goods of a batch when every use of every code is made; none where it gives TCoin. */
const givesOf = ({ goods, codes, uses_per_code }: Pick<GiftCodeBatch, 'goods' | 'codes' | 'uses_per_code'>) =>
  goods === null ? [] : [{ goods, times: codes * uses_per_code }]

/** What a batch gives, to whom and how often. */
function batchTerms(batch: GiftCodeBatch, prices: GoodsPrices): ProposalTerms {
  const { codes, uses_per_code, per_player, coins, goods, budget_title, server_name } = batch
  const uses = codes * uses_per_code
  const giving = (times: number) =>
    coins === null
      ? goodsWorth(sumOfGoods([{ goods: goods ?? [], times }]), prices)
      : coinsWorth(BigInt(coins) * BigInt(times), prices)
  const line = (label: string, after: string) => ({ label, before: null, after })
  return {
    lines: [
      line('Mỗi lượt dùng mã', giving(1)),
      line(
        'Số lượt',
        `${formatNumber(codes)} mã × ${formatNumber(uses_per_code)} lượt = ${formatNumber(uses)} lượt`,
      ),
      line('Mỗi người chơi', `tối đa ${formatNumber(per_player)} lượt`),
      line('Dành cho', server_name === null ? 'mọi máy chủ' : `máy chủ ${server_name}`),
      line('Thời gian', formatSpan(batch.starts_at, batch.ends_at)),
      ...(budget_title === null ? [] : [line('Ngân sách', budget_title)]),
    ],
    worst: giving(uses),
  }
}

const {
  planIn,
  update,
  start: startBatch,
  stop: stopBatch,
  proposals: giftCodeProposals,
} = campaignActs<GiftCodeBatch, { batch: GiftCodeBatch }>({
  kind: 'gift-codes',
  acts: {
    plan: 'gift-codes.make',
    update: 'gift-codes.update',
    start: 'gift-codes.start',
    stop: 'gift-codes.stop',
  },
  titleOfStart: (title) => `Chạy đợt mã quà “${title}”`,
  alreadyStopped: 'Đợt mã này đã dừng, vui lòng tải lại trang',
  notPlanned: 'Đợt mã này đã chạy hoặc đã dừng nên không sửa được nữa',
  budgetOf: ({ budget_id }) => budget_id,
  lock: lockBatch,
  get: getBatch,
  answerOf: (batch) => ({ batch }),
  list: async (db, ids) => (await selectBatches(db, { id: [...ids] }, allOfThem(ids))).rows,
  plural: 'đợt mã quà',
  termsOf: batchTerms,
  promiseOf: (batch) => ({ gives: givesOf(batch), endsAt: batch.ends_at }),
  whyNotStarted,
  startNow,
  async stopNow(tx, stopped) {
    await release(tx, stopped.id)
    await markStopped(tx, stopped)
  },
})

export { startBatch, stopBatch, giftCodeProposals }

const RELEASED_AT_ONCE = 20

/** Gives back what is held for batches whose time is over; true when it did something. */
export const releaseOver = (deps: Pick<PlatformDeps, 'db' | 'log'>): Promise<boolean> =>
  workOff(deps, {
    job: 'gift-codes',
    limit: RELEASED_AT_ONCE,
    list: listOverBatches,
    work: (id) =>
      inTransaction(deps.db, async (tx) => {
        await release(tx, id)
        return true
      }),
  })

/** What nobody used by the end is back in its budget within half a minute. */
export function startGiftCodeJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'gift-codes', pauseMs: 30_000, round: () => releaseOver(deps) }])
}
