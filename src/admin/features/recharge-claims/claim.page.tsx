import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { operatorClaims, type OperatorClaimDetail } from '#contract/operator/recharge-claims.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Candidates } from '#admin/features/recharge-claims/candidates.tsx'
import { ClaimAct, type Act } from '#admin/features/recharge-claims/claim-acts.tsx'
import { ClaimPicture } from '#admin/features/recharge-claims/claim-picture.tsx'
import { ClaimStatus } from '#admin/features/recharge-claims/claim-status.tsx'
import { claimsCopy as copy } from '#admin/features/recharge-claims/claims.copy.ts'
import { momentText, vnd } from '#admin/kit/format.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { read } from '#admin/query.ts'

export function Component() {
  const { id = '' } = useParams()
  return (
    <Loaded key={id} query={read(operatorClaims.get, { params: { id } })}>
      {(claim) => <Claim claim={claim} />}
    </Loaded>
  )
}

function Claim({ claim }: { claim: OperatorClaimDetail }) {
  const [act, setAct] = useState<Act | null>(null)
  const may = useMay()
  const isOpen = claim.status === 'open'
  const canAnswer = isOpen && may('recharge-claims.answer')
  return (
    <ScreenFrame
      title={`${copy.one} ${claim.id}`}
      acts={
        canAnswer && (
          <>
            <Button kind="plain" onClick={() => setAct({ name: 'settle', transferId: null })}>
              {copy.answer.settle}
            </Button>
            <Button kind="plain" onClick={() => setAct({ name: 'reject' })}>
              {copy.answer.reject}
            </Button>
          </>
        )
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ClaimFacts claim={claim} />
        <Candidates claim={claim} onAct={canAnswer ? setAct : null} canCredit={may('bank-transfers.match')} />
      </div>
      <Panel title={copy.picture}>
        {claim.has_picture ? <ClaimPicture id={claim.id} /> : <p className="text-soft">{copy.noPicture}</p>}
      </Panel>
      {act && <ClaimAct claim={claim} act={act} onClose={() => setAct(null)} />}
    </ScreenFrame>
  )
}

function ClaimFacts({ claim }: { claim: OperatorClaimDetail }) {
  const transferId = claim.bank_transaction_id
  return (
    <Panel title={copy.facts}>
      <Facts
        facts={[
          { label: copy.status, value: <ClaimStatus status={claim.status} /> },
          {
            label: copy.player,
            value: <PersonLink person={{ id: claim.user_id, username: claim.username }} />,
          },
          { label: copy.amount, value: vnd(claim.amount) },
          { label: copy.paidAt, value: momentText(claim.paid_at) },
          { label: copy.reference, value: claim.bank_reference ?? '—' },
          { label: copy.note, value: claim.note ?? '—' },
          { label: copy.createdAt, value: momentText(claim.created_at) },
          ...(claim.status === 'open'
            ? []
            : [
                { label: copy.answeredAt, value: momentText(claim.answered_at) },
                { label: copy.message, value: claim.message ?? '—' },
                {
                  label: copy.transfer,
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
