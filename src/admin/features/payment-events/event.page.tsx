import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { operatorPaymentEvents, type PaymentEventDetail } from '#contract/operator/bank-transfers.ts'
import { Facts } from '#ui/facts.tsx'
import { EventAct, EventActs, type Chosen } from '#admin/features/payment-events/event-acts.tsx'
import { eventsCopy as copy } from './event-acts.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded key={id} query={read(operatorPaymentEvents.get, { params: { id } })}>
      {(event) => <Event event={event} />}
    </Loaded>
  )
}

function Event({ event }: { event: PaymentEventDetail }) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const mayAct = useMay()('bank-transfers.match') && event.is_open
  return (
    <ScreenFrame
      title={`${copy.one} ${event.id}`}
      acts={mayAct && <EventActs event={event} onAct={setChosen} />}
    >
      <Panel title={copy.one}>
        <Facts facts={factsOf(event)} />
      </Panel>
      {chosen && <EventAct chosen={chosen} onClose={() => setChosen(null)} />}
    </ScreenFrame>
  )
}

const factsOf = (event: PaymentEventDetail) => [
  {
    label: copy.status,
    value: event.is_open ? copy.statuses[event.status === 'stale' ? 'stale' : 'review'] : copy.decided,
  },
  { label: copy.reason, value: event.reason_text ?? '—' },
  { label: copy.amount, value: vnd(event.amount) },
  { label: copy.direction, value: copy.directions[event.direction] },
  { label: copy.account, value: event.account_number },
  { label: copy.reference, value: event.bank_ref ?? '—' },
  { label: copy.memo, value: event.memo ?? '—' },
  { label: copy.fullText, value: event.full_text || '—' },
  { label: copy.bookedAt, value: momentText(event.booked_at) },
  { label: copy.receivedAt, value: momentText(event.received_at) },
  { label: copy.provider, value: event.provider },
  { label: copy.eventId, value: event.provider_event_id },
  { label: copy.signature, value: copy.signatures[event.signature] },
  {
    label: copy.transfer,
    value:
      event.bank_transfer_id === null ? (
        '—'
      ) : (
        <Link to={`/bank-transfers/${event.bank_transfer_id}`}>{event.bank_transfer_id}</Link>
      ),
  },
]
