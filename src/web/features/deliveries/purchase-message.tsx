import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Link } from '#web/navigation.tsx'
import { deliveryProgressCopy, deliveryProgress } from '#web/parts/deliveries/delivery-progress.ts'
import { DeliveryScene, pictureOfDelivery } from '#web/parts/deliveries/delivery-scene.tsx'
import { useReceipt } from '#web/parts/deliveries/delivery-watch.ts'
import { ProgressMessage } from '#web/parts/progress/progress-message.tsx'
import { ShareProgress } from '#web/parts/progress/share-progress.tsx'
import { dismissAnnouncement, type Announcement } from '#web/parts/outcomes/announce.ts'
import { useSession } from '#web/session/session-store.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import type { DeliveryReceipt } from '#contract/deliveries.ts'

/** The live message of a purchase. It may be closed at any time; the receipt shows the same. */
export function PurchaseMessage({ announcement: { live, lines } }: { announcement: Announcement }) {
  return live?.kind === 'purchase' ? <Watched bought={live.receipt} lines={lines} /> : null
}

function Watched({ bought, lines }: { bought: DeliveryReceipt; lines: readonly string[] }) {
  const { receipt = bought, isLost } = useReceipt(bought.id, bought)
  const { user } = useSession()
  const progress = deliveryProgress(receipt)
  const reason = receipt.refund_reason
  return (
    <ProgressMessage
      progress={progress}
      // The message of the purchase is shown until the delivery has changed.
      lines={progress.phase === 'sending' ? lines : [progress.text, ...(reason === null ? [] : [reason])]}
      isLost={isLost}
      balance={
        user && (
          <p className="mt-4 flex items-center justify-between gap-4">
            {deliveryProgressCopy.balance} <Coins>{formatNumber(user.balance)}</Coins>
          </p>
        )
      }
      buttons={
        <>
          {progress.stamp !== null && <ShareProgress picture={pictureOfDelivery(receipt, progress.stamp)} />}
          <Link
            to={paths.deliveries(receipt.id)}
            className={buttonClass('plain')}
            onClick={dismissAnnouncement}
          >
            {purchaseCopy.receipt}
          </Link>
        </>
      }
    >
      <DeliveryScene receipt={receipt} progress={progress} />
    </ProgressMessage>
  )
}
