import { useParams } from 'react-router'
import { ORDER_NOTE_MAX, operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Facts } from '#ui/facts.tsx'
import { OrderMoney } from '#admin/features/recharge-orders/order-money.tsx'
import { QueryButton } from '#admin/features/recharge-orders/query-button.tsx'
import { ordersCopy as copy } from '#admin/features/recharge-orders/orders.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { NotesPanel } from '#admin/kit/notes-panel.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'

export function Component() {
  const { code = '' } = useParams()
  const may = useMay()
  return (
    <Loaded key={code} query={read(operatorRechargeOrders.get, { params: { code } })}>
      {(order) => (
        <ScreenFrame
          title={`${copy.title} ${code}`}
          acts={order.checkout && <QueryButton code={code} provider={order.checkout.provider} />}
        >
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Panel title={copy.facts}>
              <Facts
                facts={[
                  { label: copy.player, value: <PersonLink person={order.user} /> },
                  { label: copy.status, value: copy.statuses[order.status] },
                  { label: copy.channel, value: kitCopy.channels[order.channel] },
                  { label: copy.account, value: order.account_number },
                  { label: copy.amount, value: vnd(order.amount) },
                  { label: copy.rate, value: formatNumber(order.rate) },
                  { label: copy.credited, value: formatNumber(order.credited) },
                  { label: copy.createdAt, value: momentText(order.created_at) },
                  { label: copy.expiresAt, value: momentText(order.expires_at) },
                  { label: copy.paidAt, value: momentText(order.paid_at) },
                  ...(order.checkout
                    ? [
                        { label: copy.query.provider, value: order.checkout.provider },
                        { label: copy.query.askedAt, value: momentText(order.checkout.last_query_at) },
                      ]
                    : []),
                ]}
              />
            </Panel>
            {may('bank-transfers.read') && <OrderMoney order={order} />}
            <NotesPanel
              list={operatorRechargeOrders.notes}
              add={operatorRechargeOrders.addNote}
              params={{ code }}
              max={ORDER_NOTE_MAX}
              mayAdd={may('recharge-orders.note')}
              empty={copy.noNotes}
            />
          </div>
        </ScreenFrame>
      )}
    </Loaded>
  )
}
