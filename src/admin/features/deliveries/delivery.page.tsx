import { useState } from 'react'
import { useParams } from 'react-router'
import { operatorDeliveries, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { goodsInWords } from '#contract/goods.ts'
import { PURCHASES } from '#contract/purchases.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { deliveriesCopy as copy } from '#admin/features/deliveries/deliveries.copy.ts'
import { Attempts } from '#admin/features/deliveries/attempts.tsx'
import { DeliveryAct, type ActName } from '#admin/features/deliveries/delivery-acts.tsx'
import { DeliveryState } from '#admin/features/deliveries/delivery-state.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded key={id} query={read(operatorDeliveries.get, { params: { id } })}>
      {(delivery) => <Delivery delivery={delivery} />}
    </Loaded>
  )
}

function Delivery({ delivery }: { delivery: OperatorDelivery }) {
  const [act, setAct] = useState<ActName | null>(null)
  const mayAct = useMay()('deliveries.resolve')
  const isOver = delivery.state === 'delivered' || delivery.state === 'refunded'
  const isParked = delivery.state === 'parked'
  return (
    <ScreenFrame
      title={`${copy.one} ${delivery.id.slice(0, 8)}`}
      acts={
        mayAct && (
          <>
            <Button kind="plain" onClick={() => setAct('ask')}>
              {copy.ask.label}
            </Button>
            {isParked && <Button onClick={() => setAct('retry')}>{copy.retry.label}</Button>}
            {!isOver && (
              <Button kind="plain" onClick={() => setAct('refund')}>
                {copy.refund.label}
              </Button>
            )}
            {isParked && (
              <Button kind="plain" onClick={() => setAct('settle')}>
                {copy.settle.label}
              </Button>
            )}
          </>
        )
      }
    >
      <Panel title={copy.one}>
        <Facts facts={factsOf(delivery)} />
      </Panel>
      <Attempts id={delivery.id} />
      {act && <DeliveryAct id={delivery.id} act={act} onClose={() => setAct(null)} />}
    </ScreenFrame>
  )
}

const factsOf = (delivery: OperatorDelivery) => [
  { label: copy.state, value: <DeliveryState state={delivery.state} /> },
  { label: copy.error, value: delivery.last_error ?? '—' },
  {
    label: copy.player,
    value: <PersonLink person={{ id: delivery.user_id, username: delivery.account }} />,
  },
  { label: copy.character, value: delivery.character_name },
  { label: copy.server, value: delivery.server_id },
  { label: copy.kind, value: PURCHASES[delivery.kind].name },
  { label: copy.goods, value: goodsInWords(delivery.goods) },
  { label: copy.amount, value: `${formatNumber(delivery.amount)} TCoin` },
  { label: copy.attempt, value: formatNumber(delivery.attempt) },
  { label: copy.createdAt, value: momentText(delivery.created_at) },
  delivery.settled_at === null
    ? { label: copy.nextAt, value: delivery.state === 'parked' ? '—' : momentText(delivery.next_attempt_at) }
    : { label: copy.settledAt, value: momentText(delivery.settled_at) },
  { label: copy.id, value: delivery.id },
]
