import { useState } from 'react'
import { formatNumber } from '#contract/format-number.ts'
import { operatorRechargeOrders } from '#contract/operator/recharge-orders.ts'
import { Button } from '#ui/button.tsx'
import { ordersCopy } from '#admin/features/recharge-orders/orders.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { showToast } from '#admin/kit/toast-store.ts'
import { useMay } from '#admin/session/console-session.ts'

const copy = ordersCopy.query

/** Asks the provider of an order how it stands, and tells what it said. */
export function QueryButton({ code, provider }: { code: string; provider: string }) {
  const [isOpen, setOpen] = useState(false)
  const mayAsk = useMay()('bank-transfers.match')
  if (!mayAsk) return null
  return (
    <>
      <Button kind="plain" onClick={() => setOpen(true)}>
        {copy.label}
      </Button>
      {isOpen && (
        <ActDialog
          title={copy.title(provider)}
          submitLabel={copy.label}
          endpoint={operatorRechargeOrders.query}
          params={{ code }}
          onDone={({ state, found }) =>
            showToast(
              state === null
                ? copy.repeated
                : `${provider}: ${copy.states[state]}.${found > 0 ? copy.found(formatNumber(found)) : ''}`,
            )
          }
          onClose={() => setOpen(false)}
        >
          {() => <p>{copy.text}</p>}
        </ActDialog>
      )}
    </>
  )
}
