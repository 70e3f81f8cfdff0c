import { useState } from 'react'
import { Link } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded, RowPage } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#client/toasts.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { deliveryKindName, goodsInWords, isFree, receiptNumber } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import {
  type DeliveryAttempt,
  operatorDeliveries,
  type OperatorDelivery,
} from '#contract/operator/deliveries.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { TextArea } from '#ui/field.tsx'
import { collectionText, deliveriesCopy, DeliveryState } from './delivery-parts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorDeliveries.get}>{(delivery) => <Delivery delivery={delivery} />}</RowPage>
)

function Delivery({ delivery }: { delivery: OperatorDelivery }) {
  const [act, setAct] = useState<ActName | null>(null)
  const mayAct = useMay()('deliveries.resolve')
  const isOver = delivery.state === 'delivered' || delivery.state === 'refunded'
  const isParked = delivery.state === 'parked'
  return (
    <ScreenFrame
      title={`${deliveriesCopy.one} ${receiptNumber(delivery.id)}`}
      acts={
        mayAct && (
          <>
            <Button kind="plain" onClick={() => setAct('ask')}>
              {deliveriesCopy.ask.label}
            </Button>
            {isParked && <Button onClick={() => setAct('retry')}>{deliveriesCopy.retry.label}</Button>}
            {!isOver && (
              <Button kind="plain" onClick={() => setAct(endOf(delivery))}>
                {deliveriesCopy[endOf(delivery)].label}
              </Button>
            )}
            {isParked && (
              <Button kind="plain" onClick={() => setAct('settle')}>
                {deliveriesCopy.settle.label}
              </Button>
            )}
          </>
        )
      }
    >
      <Panel title={deliveriesCopy.one}>
        <Facts facts={factsOf(delivery)} />
      </Panel>
      <Attempts id={delivery.id} />
      {act && <DeliveryAct id={delivery.id} act={act} onClose={() => setAct(null)} />}
    </ScreenFrame>
  )
}

const endOf = ({ kind }: OperatorDelivery) => (isFree(kind) ? 'cancel' : 'refund')

const factsOf = (delivery: OperatorDelivery) => [
  { label: labels.state, value: <DeliveryState state={delivery.state} kind={delivery.kind} /> },
  { label: deliveriesCopy.error, value: delivery.last_error ?? '—' },
  {
    label: labels.player,
    value: <PersonLink person={{ id: delivery.user_id, username: delivery.account }} />,
  },
  { label: deliveriesCopy.character, value: delivery.character_name },
  { label: labels.server, value: delivery.server_id },
  { label: deliveriesCopy.kind, value: deliveryKindName(delivery.kind) },
  { label: deliveriesCopy.goods, value: goodsInWords(delivery.goods) },
  { label: deliveriesCopy.amount, value: `${formatNumber(delivery.amount)} TCoin` },
  { label: deliveriesCopy.attempt, value: formatNumber(delivery.attempt) },
  { label: deliveriesCopy.createdAt, value: momentText(delivery.created_at) },
  delivery.settled_at === null
    ? {
        label: deliveriesCopy.nextAt,
        value: delivery.state === 'parked' ? '—' : momentText(delivery.next_attempt_at),
      }
    : { label: deliveriesCopy.settledAt, value: momentText(delivery.settled_at) },
  { label: deliveriesCopy.collection, value: collectionText(delivery) },
  ...otherDelivery(deliveriesCopy.replaces, delivery.replaces),
  ...otherDelivery(deliveriesCopy.replacedBy, delivery.replaced_by),
  { label: labels.id, value: delivery.id },
]

const otherDelivery = (label: string, id: string | null) =>
  id === null ? [] : [{ label, value: <Link to={`/deliveries/${id}`}>{id}</Link> }]

const copy = deliveriesCopy.attempts

const columns: readonly Column<DeliveryAttempt>[] = [
  column('at', copy.at, ({ asked_at }) => momentText(asked_at)),
  column('asked', copy.asked, ({ asked }) => copy.askedNames[asked]),
  column('answer', copy.answer, ({ answer }) => copy.answers[answer]),
  column('note', copy.note, ({ note }) => <span className="wrap-anywhere">{note}</span>),
  column('took', copy.took, ({ took_ms }) => copy.ms(formatNumber(took_ms)), { isNumber: true }),
  column('by', copy.by, ({ operator }) =>
    operator === null ? copy.worker : <PersonLink person={operator} />,
  ),
]

/** Every request to the game about a delivery. */
function Attempts({ id }: { id: string }) {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorDeliveries.attempts, { params: { id } })}>
        {(attempts) => <DataTable label={copy.title} columns={columns} rows={attempts} empty={copy.none} />}
      </Loaded>
    </Panel>
  )
}

type ActName = 'ask' | 'retry' | 'refund' | 'cancel' | 'settle'

type Props = { id: string; act: ActName; onClose: () => void }

function DeliveryAct({ id, act, onClose }: Props) {
  const { label, text } = deliveriesCopy[act]
  const common = { title: label, text, params: { id }, onClose }
  if (act === 'ask')
    return (
      <ActDialog
        {...common}
        endpoint={operatorDeliveries.ask}
        onDone={({ known }) =>
          showToast(`${deliveriesCopy.ask.title}: ${deliveriesCopy.attempts.answers[known]}`)
        }
      />
    )
  return act === 'settle' ? (
    <ActDialog {...common} endpoint={operatorDeliveries.settle} start={{ evidence: '' }}>
      {(form) => (
        <TextArea {...form.field('evidence')} label={deliveriesCopy.settle.evidence} maxLength={1_000} />
      )}
    </ActDialog>
  ) : (
    <ActDialog {...common} endpoint={operatorDeliveries[act === 'cancel' ? 'refund' : act]} />
  )
}
