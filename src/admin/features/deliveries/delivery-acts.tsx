import { operatorDeliveries } from '#contract/operator/deliveries.ts'
import { TextArea } from '#ui/text-area.tsx'
import { deliveriesCopy as copy } from '#admin/features/deliveries/deliveries.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { showToast } from '#admin/kit/toast-store.ts'

export type ActName = 'ask' | 'retry' | 'refund' | 'settle'

type Props = { id: string; act: ActName; onClose: () => void }

export function DeliveryAct({ id, act, onClose }: Props) {
  const { label, submit, text } = copy[act]
  const common = { title: label, submitLabel: submit, params: { id }, onClose }
  if (act === 'ask')
    return (
      <ActDialog
        {...common}
        endpoint={operatorDeliveries.ask}
        onDone={({ known }) => showToast(`${copy.ask.title}: ${copy.attempts.answers[known]}`)}
      >
        {() => <p>{text}</p>}
      </ActDialog>
    )
  return act === 'settle' ? (
    <ActDialog {...common} endpoint={operatorDeliveries.settle} start={{ evidence: '' }}>
      {(form) => (
        <>
          <p>{text}</p>
          <TextArea {...form.field('evidence')} label={copy.settle.evidence} maxLength={1_000} />
        </>
      )}
    </ActDialog>
  ) : (
    <ActDialog {...common} endpoint={operatorDeliveries[act]}>
      {() => <p>{text}</p>}
    </ActDialog>
  )
}
