import { useParams } from 'react-router'
import { operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Facts } from '#ui/facts.tsx'
import { ordersCopy as copy } from '#admin/features/recharge-orders/orders.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

export function Component() {
  const { code = '' } = useParams()
  return (
    <ScreenFrame title={`${copy.title} ${code}`}>
      <Loaded query={read(operatorRechargeOrders.get, { params: { code } })}>
        {(order) => (
          <Facts
            className="max-w-xl"
            facts={[
              { label: copy.player, value: order.user.username },
              { label: copy.status, value: copy.statuses[order.status] },
              { label: copy.channel, value: copy.channels[order.channel] },
              { label: copy.account, value: order.account_number },
              { label: copy.amount, value: vnd(order.amount) },
              { label: copy.rate, value: formatNumber(order.rate) },
              { label: copy.credited, value: formatNumber(order.credited) },
              { label: copy.createdAt, value: momentText(order.created_at) },
              { label: copy.expiresAt, value: momentText(order.expires_at) },
              { label: copy.paidAt, value: momentText(order.paid_at) },
            ]}
          />
        )}
      </Loaded>
    </ScreenFrame>
  )
}
