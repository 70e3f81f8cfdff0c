import { formatNumber } from '#contract/format-number.ts'
import { paths } from '#contract/pages.ts'
import { buttonClass } from '#ui/button.tsx'
import { momentOfOrder } from '#web/features/recharge/order-moment.ts'
import { OrderScene } from '#web/features/recharge/order-scene.tsx'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { Link } from '#web/navigation.tsx'
import { MomentDialog } from '#web/parts/moment/moment-dialog.tsx'
import { ShareMoment } from '#web/parts/moment/share-moment.tsx'
import { dismissAnnouncement, type Announcement } from '#web/parts/outcomes/dialog-store.ts'
import { useSession } from '#web/session/session-store.ts'
import { useQuery } from '#web/use-query.ts'

/** TCoin that have come while the order's page was open, which reads the same answer. */
export function OrderDialog({ announcement: { live } }: { announcement: Announcement }) {
  return live?.kind === 'order' ? <Watched code={live.code} /> : null
}

function Watched({ code }: { code: string }) {
  const { user } = useSession()
  const { data: order, isError } = useQuery(orderQuery(code))
  if (!order) return null
  const moment = momentOfOrder(order)
  return (
    <MomentDialog
      moment={moment}
      lines={[moment.text]}
      isLost={isError}
      buttons={
        <>
          <ShareMoment
            picture={{
              portrait: '/images/tcoin.svg',
              name: user?.server_name ?? '',
              figure: `+${formatNumber(order.credited)} TCoin`,
              stamp: copy.stamp,
            }}
            className="flex-1"
          />
          <Link to={paths.exchange} className={buttonClass('plain', 'flex-1')} onClick={dismissAnnouncement}>
            {copy.toExchange}
          </Link>
        </>
      }
    >
      <OrderScene order={order} moment={moment} isCounting />
    </MomentDialog>
  )
}
