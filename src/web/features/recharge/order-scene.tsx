import { formatNumber } from '#contract/format.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import { Coins } from '#ui/coins.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { CountUp } from '#web/parts/moment/count-up.tsx'
import { MomentHead } from '#web/parts/moment/moment-head.tsx'
import { MomentSteps } from '#web/parts/moment/moment-steps.tsx'
import type { Moment } from '#web/parts/moment/moment.ts'
import { useSession } from '#web/session/session-store.ts'

type Props = { order: RechargeOrder; moment: Moment; isCounting: boolean }

/** TCoin that have come, or money that somebody looks at. */
export function OrderScene({ order, moment, isCounting }: Props) {
  const { user } = useSession()
  if (moment.steps.length === 0) return null
  const isDone = order.credited > 0
  return (
    <div className="space-y-5">
      <MomentHead
        picture={<img src="/images/tcoin.svg" width={72} height={72} alt="" className="size-18 shrink-0" />}
        name={isDone ? copy.credited : order.bank_name}
        figure={
          isDone ? (
            <span className="text-gold">
              +<CountUp value={order.credited} isCounting={isCounting} /> TCoin
            </span>
          ) : (
            `${formatNumber(order.payment?.amount ?? order.amount)} VND`
          )
        }
        stamp={moment.stamp}
      />
      <MomentSteps steps={moment.steps} />
      {isDone && user && (
        <div className="flex items-center justify-between gap-4">
          {copy.newBalance} <Coins>{formatNumber(user.balance)}</Coins>
        </div>
      )}
    </div>
  )
}
