import { useState } from 'react'
import { Link } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { PrivatePicture } from '#admin/kit/private-picture.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { operatorBankTransfers } from '#contract/operator/bank-transfers.ts'
import {
  CLAIM_PICTURE_PATH,
  type ClaimCandidate,
  type OperatorClaim,
  type OperatorClaimDetail,
  operatorClaims,
} from '#contract/operator/recharge.ts'
import { describeReason } from '#contract/operator/words.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { TextArea } from '#ui/field.tsx'
import { claimsCopy, ClaimStatus } from './claim-copy.tsx'

/** The money that a case is about: what the player says was sent, what may be it, and the acts that decide. */
export function ClaimPart({ id }: { id: string }) {
  return (
    <Loaded query={read(operatorClaims.get, { params: { id } })}>{(claim) => <Claim claim={claim} />}</Loaded>
  )
}

export function Claim({ claim }: { claim: OperatorClaimDetail }) {
  const [act, setAct] = useState<Act | null>(null)
  const may = useMay()
  const isOpen = claim.status === 'open' || claim.status === 'answered'
  const canAnswer = isOpen && may('recharge-claims.answer')
  return (
    <>
      <ClaimFacts claim={claim} />
      <Candidates claim={claim} onAct={canAnswer ? setAct : null} canCredit={may('bank-transfers.match')} />
      {canAnswer && (
        <p className="flex flex-wrap gap-2">
          <Button kind="plain" onClick={() => setAct({ name: 'settle', transferId: null })}>
            {claimsCopy.answer.settle}
          </Button>
          <Button kind="plain" onClick={() => setAct({ name: 'reject' })}>
            {claimsCopy.answer.reject}
          </Button>
        </p>
      )}
      <Panel title={claimsCopy.picture}>
        {claim.has_picture ? (
          <PrivatePicture path={CLAIM_PICTURE_PATH.replace('{id}', claim.id)} alt={claimsCopy.pictureAlt} />
        ) : (
          <p className="text-soft">{claimsCopy.noPicture}</p>
        )}
      </Panel>
      {act && <ClaimAct claim={claim} act={act} onClose={() => setAct(null)} />}
    </>
  )
}

function ClaimFacts({ claim }: { claim: OperatorClaimDetail }) {
  const transferId = claim.bank_transaction_id
  return (
    <Panel title={claimsCopy.facts}>
      <Facts
        facts={[
          { label: labels.state, value: <ClaimStatus status={claim.status} /> },
          {
            label: labels.player,
            value: <PersonLink person={{ id: claim.user_id, username: claim.username }} />,
          },
          { label: labels.amount, value: vnd(claim.amount) },
          { label: claimsCopy.paidAt, value: momentText(claim.paid_at) },
          { label: labels.reference, value: claim.bank_reference ?? '—' },
          { label: claimsCopy.note, value: claim.note ?? '—' },
          { label: claimsCopy.createdAt, value: momentText(claim.created_at) },
          ...(claim.message === null
            ? []
            : [
                { label: claimsCopy.answeredAt, value: momentText(claim.answered_at) },
                { label: claimsCopy.message, value: claim.message ?? '—' },
                {
                  label: labels.transfer,
                  value:
                    transferId === null ? (
                      '—'
                    ) : (
                      <Link to={`/bank-transfers/${transferId}`}>{transferId}</Link>
                    ),
                },
              ]),
        ]}
      />
    </Panel>
  )
}

const copy = claimsCopy.candidates

type Props = {
  claim: OperatorClaimDetail
  /** Null where nothing is to be done any more, or not by this operator. */
  onAct: ((act: Act) => void) | null
  /** Answering moves no money, crediting does. */
  canCredit: boolean
}

/** Bank transfers that the claim may be about. */
function Candidates({ claim, onAct, canCredit }: Props) {
  return (
    <Panel title={copy.title}>
      {claim.candidates.length === 0 && <p className="text-soft">{copy.none}</p>}
      <ul className="space-y-3">
        {claim.candidates.map((one) => (
          <li key={one.id} className="space-y-2 rounded-lg border border-line p-3">
            <p className="flex flex-wrap items-center gap-2">
              <Link to={`/bank-transfers/${one.id}`}>
                {labels.transfer} {one.id}
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
      {claim.notices.length > 0 && (
        <>
          <h3 className="mt-4 font-semibold">{copy.notices}</h3>
          <ul className="mt-2 space-y-2">
            {claim.notices.map(({ id, amount, booked_at, account_number, memo, reason_text }) => (
              <li key={id} className="text-sm wrap-anywhere">
                <Link to={`/payment-events/${id}`}>{id}</Link> <strong>{vnd(amount)}</strong> ·{' '}
                {momentText(booked_at)} · {account_number} · {memo}
                {reason_text !== null && ` · ${reason_text}`}
              </li>
            ))}
          </ul>
        </>
      )}
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
      <Button className="wrap-anywhere" onClick={() => onAct({ name: 'credit', transferId: id })}>
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

type Act =
  | { name: 'credit'; transferId: string }
  | { name: 'settle'; transferId: string | null }
  | { name: 'reject' }

type ActProps = { claim: OperatorClaim; act: Act; onClose: () => void }

function ClaimAct({ claim, act, onClose }: ActProps) {
  if (act.name === 'credit')
    return (
      <ActDialog
        title={claimsCopy.credit.title}
        submitLabel={claimsCopy.credit.submit}
        endpoint={operatorBankTransfers.credit}
        params={{ id: act.transferId }}
        toBody={({ reason }) => ({ user_id: claim.user_id, claim_id: claim.id, reason })}
        onClose={onClose}
        text={claimsCopy.credit.text}
      />
    )
  const isSettled = act.name === 'settle'
  return (
    <ActDialog
      title={isSettled ? claimsCopy.answer.settle : claimsCopy.answer.reject}
      submitLabel={claimsCopy.answer.submit}
      endpoint={operatorClaims.answer}
      params={{ id: claim.id }}
      start={{ message: isSettled ? claimsCopy.answer.settledMessage : '' } as { message: string }}
      toBody={(values) => ({
        ...values,
        outcome: isSettled ? ('settled' as const) : ('rejected' as const),
        bank_transaction_id: isSettled ? act.transferId : null,
      })}
      onClose={onClose}
      text={claimsCopy.answer.text}
    >
      {(form) => <TextArea {...form.field('message')} label={claimsCopy.answer.message} maxLength={1_000} />}
    </ActDialog>
  )
}
