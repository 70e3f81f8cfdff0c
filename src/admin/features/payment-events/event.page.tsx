import { useState } from 'react'
import { Link } from 'react-router'
import { momentText, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { RowPage } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { operatorPaymentEvents, type PaymentEventDetail } from '#contract/operator/bank-transfers.ts'
import { Facts } from '#ui/facts.tsx'
import { type Chosen, EventAct, EventActs, eventsCopy as copy } from './event-acts.tsx'

export const Component = () => (
  <RowPage endpoint={operatorPaymentEvents.get}>{(event) => <Event event={event} />}</RowPage>
)

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
      {event.suggestions.length > 0 && (
        <Panel title={copy.suggestions}>
          <ul className="grid gap-2">
            {event.suggestions.map(({ user, order, reasons }) => (
              <li key={`${user.id} ${order?.code}`}>
                <PersonLink person={user} /> {order && <OrderLink code={order.code} />}
                <p className="text-sm text-soft wrap-anywhere">
                  {reasons.map(({ text }) => text).join(' · ')}
                </p>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {event.raw !== null && (
        <Panel title={copy.raw}>
          <pre className="text-sm wrap-anywhere whitespace-pre-wrap">{event.raw}</pre>
        </Panel>
      )}
      {chosen && <EventAct chosen={chosen} onClose={() => setChosen(null)} />}
    </ScreenFrame>
  )
}

const factsOf = (event: PaymentEventDetail) => [
  {
    label: labels.state,
    value: copy.statuses[event.status],
  },
  { label: copy.reason, value: event.reason_text ?? '—' },
  { label: labels.amount, value: vnd(event.amount) },
  { label: copy.direction, value: copy.directions[event.direction] },
  { label: labels.account, value: event.account_number || '—' },
  { label: copy.virtual, value: event.virtual_account ?? '—' },
  { label: labels.reference, value: event.bank_ref ?? '—' },
  { label: labels.memo, value: event.memo ?? '—' },
  { label: copy.fullText, value: event.full_text || '—' },
  { label: copy.payer, value: event.payer_account ?? '—' },
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
