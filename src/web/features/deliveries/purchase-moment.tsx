import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { buttonClass } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { Link } from '#web/navigation.tsx'
import { deliveryMomentCopy } from '#web/parts/deliveries/delivery-moment.copy.ts'
import { momentOfDelivery } from '#web/parts/deliveries/delivery-moment.ts'
import { DeliveryScene, pictureOfDelivery } from '#web/parts/deliveries/delivery-scene.tsx'
import { useReceipt } from '#web/parts/deliveries/use-receipt.ts'
import { MomentDialog } from '#web/parts/moment/moment-dialog.tsx'
import { ShareMoment } from '#web/parts/moment/share-moment.tsx'
import { dismissAnnouncement, type Announcement } from '#web/parts/outcomes/dialog-store.ts'
import { useSession } from '#web/session/session-store.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import type { DeliveryReceipt } from '#contract/deliveries.ts'

/** What was bought, on its way into the game. It may be closed at any time; the receipt goes on. */
export function PurchaseMoment({ announcement: { live, lines } }: { announcement: Announcement }) {
  return live?.kind === 'purchase' ? <Watched bought={live.receipt} lines={lines} /> : null
}

function Watched({ bought, lines }: { bought: DeliveryReceipt; lines: readonly string[] }) {
  const { receipt = bought, isLost } = useReceipt(bought.id, bought)
  const { user } = useSession()
  const moment = momentOfDelivery(receipt)
  const reason = receipt.refund_reason
  return (
    <MomentDialog
      moment={moment}
      // What the server said when it was bought is true until it has gone on.
      lines={moment.phase === 'sending' ? lines : [moment.text, ...(reason === null ? [] : [reason])]}
      isLost={isLost}
      balance={
        user && (
          <p className="mt-4 flex items-center justify-between gap-4">
            {deliveryMomentCopy.balance} <Coins>{formatNumber(user.balance)}</Coins>
          </p>
        )
      }
      buttons={
        <>
          {moment.stamp !== null && (
            <ShareMoment picture={pictureOfDelivery(receipt, deliveryMomentCopy.stamp)} className="flex-1" />
          )}
          <Link
            to={paths.deliveries(receipt.id)}
            className={buttonClass('plain', 'flex-1')}
            onClick={dismissAnnouncement}
          >
            {purchaseCopy.receipt}
          </Link>
        </>
      }
    >
      <DeliveryScene receipt={receipt} moment={moment} />
    </MomentDialog>
  )
}
