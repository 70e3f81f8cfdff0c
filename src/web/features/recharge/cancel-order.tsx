import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { cancelOrder } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { anyOrdersKey, orderQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

export function CancelOrder({ code, className = 'mt-2' }: { code: string; className?: string }) {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const { queryKey } = orderQuery(code)
  const { send, isSending } = useSend(cancelOrder, {
    onDone: (order) => {
      setAsking(false)
      client.setQueryData(queryKey, order)
      void client.invalidateQueries({ queryKey: anyOrdersKey })
    },
    onFailed: (error) => {
      setAsking(false)
      reportFailure(error)
      // Most likely the money arrived first: show the order's present state.
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: anyOrdersKey })
    },
  })
  return (
    <>
      <Button kind="quiet" className={`-ml-4 ${className}`} onClick={() => setAsking(true)}>
        {copy.cancel}
        <span className="sr-only"> {code}</span>
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={copy.cancelTitle}
          confirmLabel={copy.cancelConfirm}
          isBusy={isSending}
          onConfirm={() => void send({ params: { code } })}
          onClose={() => setAsking(false)}
        >
          <p>{copy.cancelWarning}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
