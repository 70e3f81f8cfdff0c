import { type DeliveryReceipt, goodInWords, goodsInWords } from '#contract/deliveries.ts'
import { headPicture } from '#contract/characters.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { CountUp, ProgressHead, ProgressSteps, useJustDone } from '#web/parts/progress/progress-view.tsx'
import type { Progress } from '#web/parts/progress/progress.ts'

type Props = { receipt: DeliveryReceipt; progress: Progress }

/** The state of a purchase, in the live dialog and on the receipt. */
export function DeliveryScene({ receipt, progress }: Props) {
  const isCounting = useJustDone(progress)
  const [first, ...more] = receipt.goods
  return (
    <div className="space-y-5">
      <ProgressHead
        picture={
          <CharacterHead
            head={receipt.character_head ?? 0}
            name={receipt.character_head_name}
            className="rounded-lg size-18"
          />
        }
        name={receipt.character_name}
        figure={
          first && (
            <>
              <CountUp value={first.quantity} isCounting={isCounting} /> {unitOf(first)}
              {more.length > 0 && (
                <span className="block text-sm font-normal text-soft">
                  {more.map(goodInWords).join('\u00a0· ')}
                </span>
              )}
            </>
          )
        }
        stamp={progress.stamp}
      />
      <ProgressSteps steps={progress.steps} />
    </div>
  )
}

/** The text after the figure: `lượng` of `35,000 lượng`. */
const unitOf = (good: DeliveryReceipt['goods'][number]) =>
  goodInWords({ ...good, quantity: 0 }).replace(/^0\s*/, '')

/** The contents of the picture of a delivered purchase. */
export const pictureOfDelivery = (receipt: DeliveryReceipt, stamp: string) => ({
  portrait: headPicture(receipt.character_head ?? 0),
  name: receipt.character_name,
  figure: `+${goodsInWords(receipt.goods.slice(0, 1))}`,
  stamp,
})
