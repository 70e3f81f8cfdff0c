import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { GIVEN_AGAIN_MAX, type operatorMissingDeliveries } from '#contract/operator/game/comparison.ts'
import type { ProposalTerms } from '#contract/operator/proposal-terms.ts'
import { goodsWorth, pricesInWords, sumOfGoods } from '#contract/operator/rewards/goods-worth.ts'
import { actAsOperator, promiseGoods, whyGoodsLimited } from '#server/modules/audit/index.ts'
import {
  type Proposed,
  propose,
  type ProposalsDeps,
  type ProposedChange,
} from '#server/modules/proposals/index.ts'
import { goodsPrices, readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import { goodsAmount } from '#server/domain/goods-catalogue.ts'
import { notify } from '#server/domain/notices.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, notFound } from '#server/platform/values/errors.ts'
import { findComparison } from './comparison.queries.ts'
import {
  countBatch,
  insertBatch,
  insertGivenAgain,
  lockGivable,
  selectBatchGoods,
  selectGivable,
  selectGivableBatches,
} from './giving-again.queries.ts'

const notMissing = () =>
  conflict('Có lượt giao đã được giao lại, hoặc không nằm trong kết quả này. Vui lòng tải lại trang')

const nothingMissing = () => conflict('Không còn lượt giao nào để giao lại. Vui lòng tải lại trang')

type Call = UserCall<typeof operatorMissingDeliveries.giveAgain>
type Answer = AnswerOf<typeof operatorMissingDeliveries.giveAgain>

/** Gives goods again that a comparison found missing, once a second person approves. */
export async function giveAgain(deps: ProposalsDeps, call: Call): Promise<Answer> {
  const { body, identity, request } = call
  const { comparison, ids = null, server_id: serverId = null, reason } = body
  return actAsOperator<Answer>(deps, call, {
    action: 'deliveries.give-again',
    async work(tx) {
      if ((await findComparison(tx, comparison)) === undefined) throw notFound()
      const found = await selectGivable(tx, { comparison, ids, serverId, limit: GIVEN_AGAIN_MAX })
      if (ids !== null && found.length < new Set(ids).size) throw notMissing()
      if (found.length === 0) throw nothingMissing()
      const batch = await insertBatch(tx, found)
      const limited = await limitedBy(tx, batch, identity.userId)
      const above = await whyGoodsLimited(tx, limited)
      if (above !== null) throw conflict(above)
      const proposal = await propose(deps, tx, {
        kind: 'give-again',
        subject: batch,
        payload: { before: '', after: String(found.length) },
        reason,
        operatorId: identity.userId,
        requestId: request.id,
      })
      if (proposal !== null) return { answer: { deliveries: found.length, proposal }, audit: null }
      if (!(await giveBatch(tx, batch, limited))) throw notMissing()
      const audit = { subject: { type: 'give-again', id: batch }, details: { after: String(found.length) } }
      return { answer: { deliveries: found.length, proposal: null }, audit }
    },
  })
}

/** What a batch gives beside the limits, asked for by this operator and agreed to by a second person. */
async function limitedBy(tx: Tx, batch: string, operatorId: string) {
  const { goods = [] } = (await selectBatchGoods(tx, [batch])).get(batch) ?? {}
  const { goodsLimits: limits } = await readSettings(tx)
  return { operatorId, amount: await goodsAmount(tx, goods), isAlone: false, limits }
}

/** Makes the new deliveries, which the delivery worker sends like any other; false when one was given again meanwhile. */
async function giveBatch(
  tx: Tx,
  batch: string,
  limited: Awaited<ReturnType<typeof limitedBy>>,
): Promise<boolean> {
  if (!(await lockGivable(tx, batch))) return false
  const given = { subject: batch, given: limited.amount, endsAt: null }
  await promiseGoods(tx, { kind: 'give-again', ...limited, ...given })
  await insertGivenAgain(tx, batch)
  notify(tx, 'delivery_due')
  return true
}

/** While none of its deliveries was given again, a batch replaces nothing. */
const NOTHING = ''

/** How goods are given again that a second person approved. */
export const giveAgainProposals = {
  titleOf: async (batch: string, db: Db | Tx): Promise<string> =>
    `Giao lại ${formatNumber(await countBatch(db, batch))} món game đã mất`,
  async termsOf(
    db: Db | Tx,
    changes: readonly Proposed[],
    settings: SettingValues,
  ): Promise<ProposalTerms[]> {
    const batches = await selectBatchGoods(
      db,
      changes.map(({ subject }) => subject),
    )
    const prices = goodsPrices(settings)
    return changes.map(({ subject }) => {
      const { deliveries = 0, players = 0, goods = [] } = batches.get(subject) ?? {}
      const worth = goodsWorth(sumOfGoods(goods), prices)
      return {
        lines: [
          {
            label: 'Lượt giao game đã mất',
            before: 'Đã giao một lần, game không còn biết',
            after: `Giao lại ${formatNumber(deliveries)} lượt, không thu TCoin`,
          },
          {
            label: 'Dành cho',
            before: null,
            after: `${formatNumber(players)} người chơi đã nhận các lượt đó`,
          },
          { label: 'Món', before: null, after: worth },
        ],
        worst: `${worth} (${pricesInWords(prices)}); nếu game vẫn còn món cũ thì người chơi có cả hai`,
      }
    })
  },
  async readMany(db: Db, batches: readonly string[]): Promise<Map<string, string | null>> {
    const givable = await selectGivableBatches(db, batches)
    return new Map(batches.map((batch) => [batch, givable.has(batch) ? NOTHING : null]))
  },
  async apply(tx: Tx, { subject, by, proposedBy }: ProposedChange): Promise<boolean> {
    const limited = await limitedBy(tx, subject, proposedBy)
    return giveBatch(tx, subject, { ...limited, isAlone: by.operatorId === proposedBy })
  },
} as const
