import { Link } from 'react-router'
import type { BankTransferDetail, Suggestion } from '#contract/operator/bank-transfers.ts'
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

/** Whom the money may be for, the strongest clue first, each with the act that gives it to them. */
export function Suggestions({ transfer, onAct }: Props) {
  const isOpen = transfer.direction === 'in' && (transfer.state === 'review' || transfer.state === 'ignored')
  const acts = transfer.waiting ? null : onAct
  return (
    <Panel title={copy.title}>
      {transfer.suggestions.length === 0 ? (
        <p className="text-soft">{isOpen ? copy.none : copy.decided}</p>
      ) : (
        <ul className="space-y-3">
          {transfer.suggestions.map((one) => (
            <li
              key={`${one.why} ${one.user.id} ${one.order?.code ?? ''} ${one.claim_id ?? ''}`}
              className="rounded-lg border border-line p-3"
            >
              <One suggestion={one} onAct={acts} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function One({ suggestion, onAct }: { suggestion: Suggestion; onAct: Props['onAct'] }) {
  const { why, text, user, order, claim_id: claimId } = suggestion
  const isUnpaid = order !== null && !order.status.startsWith('paid')
  return (
    <div className="space-y-2">
      <p>
        <Badge tone="note">{copy.why[why]}</Badge> {text}
      </p>
      <p className="text-sm text-soft">
        <PersonLink person={user} />
        {order && (
          <>
            {' · '}
            <OrderLink code={order.code} /> · {vnd(order.amount)} · {momentText(order.created_at)}
          </>
        )}
        {claimId && (
          <>
            {' · '}
            <Link to={`/recharge-claims/${claimId}`}>
              {copy.claim} {claimId}
            </Link>
          </>
        )}
      </p>
      {onAct &&
        (isUnpaid ? (
          <Button onClick={() => onAct({ name: 'match', orderCode: order.code, claimId })}>
            {copy.match} {order.code}
          </Button>
        ) : (
          <Button kind="plain" onClick={() => onAct({ name: 'credit', username: user.username, claimId })}>
            {copy.credit} {user.username}
          </Button>
        ))}
    </div>
  )
}
