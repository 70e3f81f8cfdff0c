import { useNavigate } from 'react-router'
import { operatorPaymentEvents } from '#contract/operator/bank-transfers.ts'
import { Button } from '#ui/button.tsx'
import { eventsCopy as copy } from '#admin/features/payment-events/events.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'

export type Chosen = { id: string; act: 'accept' | 'dismiss' }

type Props = { event: { id: string }; onAct: (chosen: Chosen) => void }

export function EventActs({ event: { id }, onAct }: Props) {
  return (
    <span className="flex flex-wrap justify-end gap-2">
      <Button kind="plain" onClick={() => onAct({ id, act: 'accept' })}>
        {copy.accept.label}
      </Button>
      <Button kind="quiet" onClick={() => onAct({ id, act: 'dismiss' })}>
        {copy.dismiss.label}
      </Button>
    </span>
  )
}

/** An accepted one leads on to its transfer, which has to be matched next. */
export function EventAct({ chosen: { id, act }, onClose }: { chosen: Chosen; onClose: () => void }) {
  const navigate = useNavigate()
  const { label, submit, text } = copy[act]
  const common = { title: label, submitLabel: submit, params: { id }, onClose }
  return act === 'accept' ? (
    <ActDialog
      {...common}
      endpoint={operatorPaymentEvents.accept}
      onDone={(transfer) => void navigate(`/bank-transfers/${transfer.id}`)}
    >
      {() => <p>{text}</p>}
    </ActDialog>
  ) : (
    <ActDialog {...common} endpoint={operatorPaymentEvents.dismiss}>
      {() => <p>{text}</p>}
    </ActDialog>
  )
}
