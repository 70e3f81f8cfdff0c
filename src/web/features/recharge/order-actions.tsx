import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { cancelOrder } from '#contract/recharge.ts'
import { paths } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { anyOrdersKey, orderQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { useSend } from '#web/parts/forms/use-send.ts'

/** Cancels an order, on its own page and in the list of those that wait. */
export function CancelOrder({ code, className = 'mt-2' }: { code: string; className?: string }) {
  const client = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const { queryKey } = orderQuery(code)
  const { send, isSending } = useSend(cancelOrder, {
    onDone: (order) => {
      setConfirming(false)
      client.setQueryData(queryKey, order)
      void client.invalidateQueries({ queryKey: anyOrdersKey })
    },
    onFailed: (error) => {
      setConfirming(false)
      reportFailure(error)
      // Most likely the money arrived first: show the order's present state.
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: anyOrdersKey })
    },
  })
  return (
    <>
      <Button kind="text" className={`-ml-4 ${className}`} onClick={() => setConfirming(true)}>
        {copy.cancel}
        <span className="sr-only"> {code}</span>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={copy.cancelTitle}
          confirmLabel={copy.cancelConfirm}
          isBusy={isSending}
          onConfirm={() => void send({ params: { code } })}
          onClose={() => setConfirming(false)}
        >
          <p>{copy.cancelWarning}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The link to the claim for money that was sent and not credited, for an order when there is one. */
export function ClaimLink({ orderCode }: { orderCode?: string }) {
  return (
    <TextLink to={orderCode === undefined ? paths.claim : `${paths.claim}?order=${orderCode}`}>
      {copy.claim}
    </TextLink>
  )
}
