import { Link } from 'react-router'
import type { BankTransferDetail } from '#contract/operator/bank-transfers.ts'
import type { Suggestion } from '#contract/operator/suggestions.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { inboxCopy } from '#admin/features/bank-inbox/inbox.copy.ts'
import type { Act } from '#admin/features/bank-inbox/transfer-acts.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { Panel } from '#admin/kit/screen.tsx'

const copy = inboxCopy.suggestions

type Props = {
  transfer: BankTransferDetail
  /** Null for those who may only look. */
  onAct: ((act: Act) => void) | null
}

const tones = { strong: 'success', fair: 'waiting', weak: 'note' } as const

/** Whom the money may be for, the most likely first, each with why and with the act that gives it to them. */
export function Suggestions({ transfer, onAct }: Props) {
  const isOpen = transfer.direction === 'in' && (transfer.state === 'review' || transfer.state === 'ignored')
  const acts = transfer.waiting ? null : onAct
  return (
    <Panel title={copy.title}>
      {transfer.suggestions.length === 0 ? (
        <p className="text-soft">{isOpen ? copy.none : copy.decided}</p>
      ) : (
        <ol className="space-y-3">
          {transfer.suggestions.map((one, place) => (
            <li key={`${one.user.id} ${one.order?.code ?? ''}`} className="rounded-lg border border-line p-3">
              <One suggestion={one} isFirst={place === 0} onAct={acts} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

type OneProps = { suggestion: Suggestion; isFirst: boolean; onAct: Props['onAct'] }

function One({ suggestion, isFirst, onAct }: OneProps) {
  const { strength, reasons, user, order, claim_id: claimId } = suggestion
  const kind = isFirst ? 'main' : 'plain'
  const isUnpaid = order !== null && !order.status.startsWith('paid')
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-2">
        <PersonLink person={user} />
        <Badge tone={tones[strength]}>{copy.strengths[strength]}</Badge>
      </p>
      <ul className="list-disc pl-5 text-sm">
        {reasons.map(({ kind: reason, text }) => (
          <li key={reason} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      {(order || claimId) && (
        <p className="text-sm text-soft">
          {order && (
            <>
              <OrderLink code={order.code} /> · {vnd(order.amount)} · {momentText(order.created_at)}
            </>
          )}
          {order && claimId && ' · '}
          {claimId && (
            <Link to={`/recharge-claims/${claimId}`}>
              {copy.claim} {claimId}
            </Link>
          )}
        </p>
      )}
      {onAct &&
        (isUnpaid ? (
          <Button kind={kind} onClick={() => onAct({ name: 'match', orderCode: order.code, claimId })}>
            {copy.match} {order.code}
          </Button>
        ) : (
          <Button kind={kind} onClick={() => onAct({ name: 'credit', username: user.username, claimId })}>
            {copy.credit} {user.username}
          </Button>
        ))}
    </div>
  )
}
