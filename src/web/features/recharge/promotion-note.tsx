import { formatNumber } from '#contract/format.ts'
import { promiseFor } from '#contract/promotion-rules.ts'
import type { RechargeChannel } from '#contract/recharge.ts'
import { Coins } from '#ui/coins.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

type Promotion = RechargeChannel['promotions'][number]

const copy = {
  enter: 'Nhập số tiền để xem thưởng.',
  nothing: 'Số tiền này không được thưởng.',
  gives: 'Được thưởng thêm',
} as const

export type PromotionNoteProps = {
  channels: readonly RechargeChannel[]
  channel: number | null
  amount: number | null
}

/**
 * What is added to a recharge by the chosen channel: its terms, and what they bring for the amount that is typed. Before a
 * channel is chosen those of the first that has any.
 */
export function PromotionNote({ channels, channel: chosen, amount }: PromotionNoteProps) {
  const { recharge_rate: rate = '1' } = useSettings()
  const shown = channels.find(({ channel, promotions }) =>
    chosen === null ? promotions.length > 0 : channel === chosen,
  )
  const best = (shown?.promotions ?? [])
    .map((promotion) => ({ promotion, coins: promisedBy(promotion, amount, Number(rate)) }))
    .sort((one, other) => other.coins - one.coins)[0]
  if (best === undefined) return null
  const { promotion, coins } = best
  return (
    <section
      aria-label={promotion.title}
      className="rounded-lg border-l-4 border-leaf bg-leaf-wash px-4 py-3"
    >
      <h2 className="text-base font-bold wrap-anywhere">{promotion.title}</h2>
      <p className="text-[0.9375rem]">{promotion.sentence}</p>
      <output className="mt-1 flex min-h-6 flex-wrap items-center gap-x-2 text-[0.9375rem] font-bold">
        {amount === null ? (
          copy.enter
        ) : coins === 0 ? (
          copy.nothing
        ) : (
          <>
            {copy.gives} <Coins>{formatNumber(coins)}</Coins>
          </>
        )}
      </output>
    </section>
  )
}

const promisedBy = ({ terms, rest }: Promotion, amount: number | null, rate: number): number =>
  amount === null ? 0 : promiseFor(terms, { amountVnd: amount, rate, rest })
