import { formatNumber } from '#contract/format.ts'
import type { ProposalTerms, TermsLine } from '#contract/operator/proposal-terms.ts'
import { coinsWorth } from '#contract/operator/rewards/goods-worth.ts'
import { signedCoins, type Proposed } from '#server/modules/proposals/index.ts'
import { goodsPrices, type SettingValues } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { selectProposedTransfers } from './bank-transfers.queries.ts'

/** What waiting proposals about bank transfers would do. */
export async function transferTermsOf(
  db: Db | Tx,
  changes: readonly Proposed[],
  settings: SettingValues,
): Promise<ProposalTerms[]> {
  const ids = changes.map(({ subject }) => subject)
  const transfers = await selectProposedTransfers(db, ids)
  const prices = goodsPrices(settings)
  return changes.map(({ subject, payload: { after, refund } }) => {
    const { amount = null, balance = null } = transfers.get(subject) ?? {}
    const coins = Number(after)
    const transfer: TermsLine[] =
      amount === null
        ? []
        : [{ label: 'Khoản chuyển', before: null, after: `${formatNumber(amount)} đ, số ${subject}` }]
    if (refund !== undefined)
      return {
        lines: [
          ...transfer,
          { label: 'Hoàn về ví đã trả', before: null, after: `${formatNumber(refund)} đ` },
        ],
        worst: `${formatNumber(refund)} đ rời tài khoản MoMo của cổng; TCoin của người chơi giữ nguyên`,
      }
    const wallet: TermsLine[] =
      balance === null
        ? []
        : [
            {
              label: 'Số dư của người chơi',
              before: `${formatNumber(balance)} TCoin`,
              after: `${formatNumber(balance + coins)} TCoin`,
            },
          ]
    const worth = coinsWorth(Math.abs(coins), prices)
    return {
      lines: [...transfer, { label: 'Thay đổi', before: null, after: signedCoins(coins) }, ...wallet],
      worst: coins > 0 ? worth : `Không tốn thêm; thu hồi ${worth}`,
    }
  })
}
