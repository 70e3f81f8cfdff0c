import { operatorBankTransfers } from '#contract/operator/bank-transfers.ts'
import { type OperatorClaim, operatorClaims } from '#contract/operator/recharge.ts'
import { TextArea } from '#ui/text-area.tsx'
import { claimsCopy as copy } from '#admin/features/recharge-claims/claims.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

export type Act =
  | { name: 'credit'; transferId: string }
  | { name: 'settle'; transferId: string | null }
  | { name: 'reject' }

type Props = { claim: OperatorClaim; act: Act; onClose: () => void }

export function ClaimAct({ claim, act, onClose }: Props) {
  if (act.name === 'credit')
    return (
      <ActDialog
        title={copy.credit.title}
        submitLabel={copy.credit.submit}
        endpoint={operatorBankTransfers.credit}
        params={{ id: act.transferId }}
        toBody={({ reason }) => ({ user_id: claim.user_id, claim_id: claim.id, reason })}
        onClose={onClose}
      >
        {() => <p>{copy.credit.text}</p>}
      </ActDialog>
    )
  const isSettled = act.name === 'settle'
  return (
    <ActDialog
      title={isSettled ? copy.answer.settle : copy.answer.reject}
      submitLabel={copy.answer.submit}
      endpoint={operatorClaims.answer}
      params={{ id: claim.id }}
      start={{ message: isSettled ? copy.answer.settledMessage : '' } as { message: string }}
      toBody={(values) => ({
        ...values,
        outcome: isSettled ? ('settled' as const) : ('rejected' as const),
        bank_transaction_id: isSettled ? act.transferId : null,
      })}
      onClose={onClose}
    >
      {(form) => (
        <>
          <p>{copy.answer.text}</p>
          <TextArea {...form.field('message')} label={copy.answer.message} maxLength={1_000} />
        </>
      )}
    </ActDialog>
  )
}
