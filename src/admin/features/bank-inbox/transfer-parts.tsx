import { Link } from 'react-router'
import { ActSentence, Changes } from '#admin/kit/act-sentence.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { useMay, useOperator } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import type { BankTransfer, BankTransferDetail } from '#contract/operator/bank-transfers.ts'
import { describeReason } from '#contract/operator/words.ts'
import { Alert } from '#ui/alert.tsx'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { inboxCopy as copy } from './inbox.copy.ts'
import type { Act } from './transfer-acts.tsx'

export function TransferFacts({ transfer }: { transfer: BankTransferDetail }) {
  const channel = transfer.channel === null ? '' : ` (${kitCopy.channels[transfer.channel]})`
  return (
    <Panel title={labels.transfer}>
      <Facts
        facts={[
          { label: labels.state, value: <TransferState transfer={transfer} /> },
          { label: copy.reason, value: transfer.reason_text ?? '—' },
          { label: labels.amount, value: vnd(transfer.amount) },
          { label: labels.memo, value: transfer.memo ?? copy.memoErased },
          { label: labels.account, value: `${transfer.account_number}${channel}` },
          { label: labels.reference, value: transfer.bank_ref ?? '—' },
          { label: copy.bookedAt, value: momentText(transfer.booked_at) },
          { label: copy.arrivedAt, value: momentText(transfer.created_at) },
          { label: copy.providers, value: transfer.providers.join(', ') || '—' },
          { label: labels.order, value: <OrderLink code={transfer.order_code} /> },
          { label: labels.player, value: <PersonLink person={transfer.user} /> },
          { label: labels.credited, value: `${formatNumber(transfer.credited)} TCoin` },
          ...(transfer.reversal_of === null
            ? []
            : [
                {
                  label: copy.reversalOf,
                  value: <Link to={`/bank-transfers/${transfer.reversal_of}`}>{transfer.reversal_of}</Link>,
                },
              ]),
        ]}
      />
    </Panel>
  )
}

/** A refund that MoMo did not make, until something else is decided about the money. */
export function FailedRefund({ transfer: { has_failed_refund, refunds } }: { transfer: BankTransferDetail }) {
  const [last] = refunds
  if (!has_failed_refund || last === undefined) return null
  const code = last.result_code === null ? '' : copy.refunds.failedCode(last.result_code)
  return <Alert>{copy.refunds.failedText(vnd(last.amount), code)}</Alert>
}

type WaitingProps = { proposal: NonNullable<BankTransferDetail['waiting']>; onAct: (act: Act) => void }

/** What waits for a second person; its proposer may only withdraw it. */
export function WaitingProposal({ proposal, onAct }: WaitingProps) {
  const { username } = useOperator()
  const may = useMay()
  const isOwn = proposal.proposed_by.username === username
  const words = copy.proposal
  return (
    <Panel
      title={words.title}
      acts={
        may('bank-transfers.match') && (
          <span className="flex flex-wrap gap-2">
            {isOwn ? (
              <Button kind="plain" onClick={() => onAct({ name: 'withdraw' })}>
                {words.withdraw}
              </Button>
            ) : (
              <>
                <Button onClick={() => onAct({ name: 'approve' })}>{words.approve}</Button>
                <Button kind="plain" onClick={() => onAct({ name: 'reject' })}>
                  {words.reject}
                </Button>
              </>
            )}
          </span>
        )
      }
    >
      {isOwn && <Alert tone="note">{words.own}</Alert>}
      <Facts
        className="mt-3"
        facts={[
          {
            label: words.acts[proposal.act],
            value: (
              <>
                {proposal.order_code && (
                  <>
                    <OrderLink code={proposal.order_code} />
                    {' · '}
                  </>
                )}
                {proposal.user === null ? words.payer : <PersonLink person={proposal.user} />}
              </>
            ),
          },
          proposal.amount === null
            ? { label: words.coins, value: formatNumber(proposal.coins) }
            : { label: words.amount, value: vnd(proposal.amount) },
          { label: words.by, value: <PersonLink person={proposal.proposed_by} /> },
          { label: words.at, value: momentText(proposal.proposed_at) },
          { label: words.why, value: proposal.reason },
        ]}
      />
    </Panel>
  )
}

/** The notifications about the transfer, the acts on it, and its refunds by MoMo. */
export function TransferHistory({ transfer }: { transfer: BankTransferDetail }) {
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Panel title={copy.acts.title}>
        {transfer.acts.length === 0 && <p className="text-soft">{copy.acts.none}</p>}
        <ol className="space-y-3">
          {transfer.acts.map(({ act, operator, sentence, changes, reason, created_at: at }) => (
            <li key={`${act} ${at}`}>
              <ActSentence actor={<PersonLink person={operator} />} sentence={sentence} />
              <Changes changes={changes} />
              <p className="text-sm text-soft">{momentText(at)}</p>
              <p className="wrap-anywhere">{reason}</p>
            </li>
          ))}
        </ol>
      </Panel>
      <Panel title={copy.events.title}>
        {transfer.events.length === 0 && <p className="text-soft">{copy.events.none}</p>}
        <Events events={transfer.events} />
      </Panel>
      {transfer.conflicting_events.length > 0 && (
        <Panel title={copy.events.others}>
          <p className="mb-3 text-sm text-soft">{copy.events.othersText}</p>
          <Events events={transfer.conflicting_events} />
        </Panel>
      )}
      {transfer.refunds.length > 0 && (
        <Panel title={copy.refunds.title}>
          <ol className="space-y-3">
            {transfer.refunds.map((refund) => (
              <li key={refund.id}>
                <strong>{copy.refunds.states[refund.state]}</strong> {vnd(refund.amount)}
                <p className="text-sm text-soft wrap-anywhere">
                  {momentText(refund.asked_at)} · <PersonLink person={refund.asked_by} /> ·{' '}
                  {refund.refund_order}
                  {refund.result_code !== null && ` · ${copy.refunds.code} ${refund.result_code}`}
                </p>
                <p className="wrap-anywhere">{refund.reason}</p>
              </li>
            ))}
          </ol>
        </Panel>
      )}
    </div>
  )
}

const Events = ({ events }: { events: BankTransferDetail['events'] }) => (
  <ol className="space-y-3">
    {events.map((event) => (
      <li key={event.id}>
        <Link to={`/payment-events/${event.id}`}>{event.provider}</Link> {vnd(event.amount)}
        <p className="text-sm text-soft wrap-anywhere">
          {momentText(event.received_at)} · {copy.events.signatures[event.signature]} ·{' '}
          {event.provider_event_id}
          {event.reason && ` · ${describeReason(event.reason)}`}
        </p>
        <p className="wrap-anywhere">{event.full_text || event.memo}</p>
      </li>
    ))}
  </ol>
)

const tones = {
  review: 'waiting',
  credited: 'success',
  refunded: 'note',
  ignored: 'note',
} as const satisfies Record<BankTransfer['state'], BadgeTone>

export function TransferState({
  transfer,
}: {
  transfer: Pick<BankTransfer, 'state' | 'direction' | 'waiting' | 'has_failed_refund'>
}) {
  return (
    <span className="inline-flex flex-wrap gap-1 max-md:justify-end">
      <Badge tone={tones[transfer.state]}>{copy.states[transfer.state]}</Badge>
      {transfer.direction === 'out' && <Badge tone="note">{copy.directions.out}</Badge>}
      {transfer.has_failed_refund && <Badge tone="danger">{copy.refunds.failed}</Badge>}
      {transfer.waiting && <Badge tone="waiting">{copy.waiting}</Badge>}
    </span>
  )
}
