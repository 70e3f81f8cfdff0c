import { type DeliveryReceipt, goodInWords, goodsInWords } from '#contract/deliveries.ts'
import { headPicture } from '#contract/characters.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { CountUp } from '#web/parts/moment/count-up.tsx'
import { MomentHead } from '#web/parts/moment/moment-head.tsx'
import { MomentSteps } from '#web/parts/moment/moment-steps.tsx'
import type { Moment } from '#web/parts/moment/moment.ts'
import { useWasAwaited } from '#web/parts/moment/use-was-awaited.ts'

type Props = { receipt: DeliveryReceipt; moment: Moment }

/** A purchase on its way to its character: in the live dialog and on the receipt. */
export function DeliveryScene({ receipt, moment }: Props) {
  const isCounting = useWasAwaited(moment)
  const [first, ...more] = receipt.goods
  return (
    <div className="space-y-5">
      <MomentHead
        picture={<CharacterHead head={receipt.character_head ?? 0} className="rounded-lg size-18" />}
        name={receipt.character_name}
        figure={
          first && (
            <>
              <CountUp value={first.quantity} isCounting={isCounting} /> {unitOf(first)}
              {more.length > 0 && (
                <span className="block text-sm font-normal text-soft">
                  {more.map(goodInWords).join(' · ')}
                </span>
              )}
            </>
          )
        }
        stamp={moment.stamp}
      />
      <MomentSteps steps={moment.steps} />
    </div>
  )
}

/** What stands behind the figure: `lượng` of `35,000 lượng`. */
const unitOf = (good: DeliveryReceipt['goods'][number]) =>
  goodInWords({ ...good, quantity: 0 }).replace(/^0\s*/, '')

/** What is drawn of a purchase that has arrived. */
export const pictureOfDelivery = (receipt: DeliveryReceipt, stamp: string) => ({
  portrait: headPicture(receipt.character_head ?? 0),
  name: receipt.character_name,
  figure: `+${goodsInWords(receipt.goods.slice(0, 1))}`,
  stamp,
})
