import { Link } from 'react-router'
import type { ClaimCandidate, OperatorClaimDetail } from '#contract/operator/recharge-claims.ts'
import { describeReason } from '#contract/operator/transfer-reasons.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import type { Act } from '#admin/features/recharge-claims/claim-acts.tsx'
import { claimsCopy } from '#admin/features/recharge-claims/claims.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink } from '#admin/kit/links.tsx'
import { Panel } from '#admin/kit/screen.tsx'

const copy = claimsCopy.candidates

type Props = {
  claim: OperatorClaimDetail
  /** Null where nothing is to be done any more, or not by this operator. */
  onAct: ((act: Act) => void) | null
  /** Answering moves no money, crediting does. */
  canCredit: boolean
}

/** What arrived at the bank that the claim may be about. */
export function Candidates({ claim, onAct, canCredit }: Props) {
  return (
    <Panel title={copy.title}>
      {claim.candidates.length === 0 && <p className="text-soft">{copy.none}</p>}
      <ul className="space-y-3">
        {claim.candidates.map((one) => (
          <li key={one.id} className="space-y-2 rounded-lg border border-line p-3">
            <p className="flex flex-wrap items-center gap-2">
              <Link to={`/bank-transfers/${one.id}`}>
                {claimsCopy.transfer} {one.id}
              </Link>
              <strong>{vnd(one.amount)}</strong>
              {one.is_same_reference && <Badge tone="success">{copy.sameReference}</Badge>}
              {one.is_same_amount && <Badge tone="note">{copy.sameAmount}</Badge>}
            </p>
            <p className="text-sm text-soft wrap-anywhere">
              {momentText(one.booked_at)} · {one.account_number} · {one.bank_reference}
              {one.reason && ` · ${describeReason(one.reason)}`}
              {one.order_code && (
                <>
                  {' · '}
                  <OrderLink code={one.order_code} />
                </>
              )}
            </p>
            {onAct && <Doing claim={claim} candidate={one} onAct={onAct} canCredit={canCredit} />}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type DoingProps = {
  claim: OperatorClaimDetail
  candidate: ClaimCandidate
  onAct: (act: Act) => void
  canCredit: boolean
}

function Doing({ claim, candidate: { id, state, user_id: creditedTo }, onAct, canCredit }: DoingProps) {
  if (state === 'review' || state === 'ignored')
    return !canCredit ? (
      <p className="text-sm">{copy.onlyCashier}</p>
    ) : (
      <Button onClick={() => onAct({ name: 'credit', transferId: id })}>
        {copy.credit} {claim.username}
      </Button>
    )
  if (state !== 'credited') return null
  return creditedTo === claim.user_id ? (
    <Button kind="plain" onClick={() => onAct({ name: 'settle', transferId: id })}>
      {copy.settle}
    </Button>
  ) : (
    <p className="text-sm">{copy.others}</p>
  )
}
