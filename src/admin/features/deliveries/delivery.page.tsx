import { useState } from 'react'
import { useParams } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { type Column, DataTable } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { showToast } from '#admin/kit/toast-store.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import {
  type DeliveryAttempt,
  operatorDeliveries,
  type OperatorDelivery,
} from '#contract/operator/deliveries.ts'
import { PURCHASES } from '#contract/purchases.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { deliveriesCopy } from './deliveries.copy.ts'
import { DeliveryState } from './delivery-state.tsx'

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
      title={`${deliveriesCopy.one} ${delivery.id.slice(0, 8)}`}
      acts={
        mayAct && (
          <>
            <Button kind="plain" onClick={() => setAct('ask')}>
              {deliveriesCopy.ask.label}
            </Button>
            {isParked && <Button onClick={() => setAct('retry')}>{deliveriesCopy.retry.label}</Button>}
            {!isOver && (
              <Button kind="plain" onClick={() => setAct('refund')}>
                {deliveriesCopy.refund.label}
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

const factsOf = (delivery: OperatorDelivery) => [
  { label: deliveriesCopy.state, value: <DeliveryState state={delivery.state} /> },
  { label: deliveriesCopy.error, value: delivery.last_error ?? '—' },
  {
    label: deliveriesCopy.player,
    value: <PersonLink person={{ id: delivery.user_id, username: delivery.account }} />,
  },
  { label: deliveriesCopy.character, value: delivery.character_name },
  { label: deliveriesCopy.server, value: delivery.server_id },
  { label: deliveriesCopy.kind, value: PURCHASES[delivery.kind].name },
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
  { label: deliveriesCopy.id, value: delivery.id },
]

const copy = deliveriesCopy.attempts

const columns: readonly Column<DeliveryAttempt>[] = [
  { name: 'at', label: copy.at, cell: ({ asked_at }) => momentText(asked_at) },
  { name: 'asked', label: copy.asked, cell: ({ asked }) => copy.askedNames[asked] },
  { name: 'answer', label: copy.answer, cell: ({ answer }) => copy.answers[answer] },
  { name: 'note', label: copy.note, cell: ({ note }) => <span className="wrap-anywhere">{note}</span> },
  {
    name: 'took',
    label: copy.took,
    isNumber: true,
    cell: ({ took_ms }) => copy.ms(formatNumber(took_ms)),
  },
  {
    name: 'by',
    label: copy.by,
    cell: ({ operator }) => (operator === null ? copy.worker : <PersonLink person={operator} />),
  },
]

/** Everything the game was asked about a delivery. */
function Attempts({ id }: { id: string }) {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(operatorDeliveries.attempts, { params: { id } })}>
        {(attempts) =>
          attempts.length === 0 ? (
            <p className="text-soft">{copy.none}</p>
          ) : (
            <DataTable label={copy.title} columns={columns} rows={attempts} />
          )
        }
      </Loaded>
    </Panel>
  )
}

type ActName = 'ask' | 'retry' | 'refund' | 'settle'

type Props = { id: string; act: ActName; onClose: () => void }

function DeliveryAct({ id, act, onClose }: Props) {
  const { label, submit, text } = deliveriesCopy[act]
  const common = { title: label, submitLabel: submit, params: { id }, onClose }
  if (act === 'ask')
    return (
      <ActDialog
        {...common}
        endpoint={operatorDeliveries.ask}
        onDone={({ known }) =>
          showToast(`${deliveriesCopy.ask.title}: ${deliveriesCopy.attempts.answers[known]}`)
        }
      >
        {() => <p>{text}</p>}
      </ActDialog>
    )
  return act === 'settle' ? (
    <ActDialog {...common} endpoint={operatorDeliveries.settle} start={{ evidence: '' }}>
      {(form) => (
        <>
          <p>{text}</p>
          <TextArea {...form.field('evidence')} label={deliveriesCopy.settle.evidence} maxLength={1_000} />
        </>
      )}
    </ActDialog>
  ) : (
    <ActDialog {...common} endpoint={operatorDeliveries[act]}>
      {() => <p>{text}</p>}
    </ActDialog>
  )
}
