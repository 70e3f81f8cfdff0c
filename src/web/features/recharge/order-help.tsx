import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { paths } from '#contract/pages.ts'
import { Section } from '#ui/section.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { cancelOrder } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/dialog.tsx'
import { anyOrdersKey, orderQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy } from '#web/features/recharge/recharge.copy.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSend } from '#web/parts/forms/use-send.ts'
import { claimCopy } from '#web/features/recharge/claim.copy.ts'

/** For an order that is waiting: a claim, the community, and its cancellation. */
export function OrderHelp({ code }: { code: string }) {
  return (
    <Section title={copy.help} titleClass="text-lg">
      <ul>
        <li>
          <ClaimLink orderCode={code} />
        </li>
        <li>
          <TextLink to={paths.community}>{copy.askPeople}</TextLink>
        </li>
        <li>
          <CancelOrder code={code} className="" />
        </li>
      </ul>
    </Section>
  )
}

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
      <Button kind="quiet" className={`-ml-4 ${className}`} onClick={() => setConfirming(true)}>
        {rechargeCopy.cancel}
        <span className="sr-only"> {code}</span>
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={rechargeCopy.cancelTitle}
          confirmLabel={rechargeCopy.cancelConfirm}
          isBusy={isSending}
          onConfirm={() => void send({ params: { code } })}
          onClose={() => setConfirming(false)}
        >
          <p>{rechargeCopy.cancelWarning}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The link to the claim for money that was sent and not credited, for an order when there is one. */
export function ClaimLink({ orderCode }: { orderCode?: string }) {
  return (
    <TextLink to={orderCode === undefined ? paths.claim : `${paths.claim}?order=${orderCode}`}>
      {claimCopy.link}
    </TextLink>
  )
}
