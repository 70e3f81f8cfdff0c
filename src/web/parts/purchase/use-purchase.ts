import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { ChangedOffer } from '#contract/purchases.ts'
import { CallError } from '#client/call.ts'
import { paths } from '#contract/pages.ts'
import { navigate } from '#web/navigation.tsx'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { announce } from '#web/parts/outcomes/dialog-store.ts'
import { outcomeOfAnswer, reportAnswer, reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSession } from '#web/session/session-store.ts'
import { exchangeQuery, recentDeliveriesQuery } from '#web/parts/purchase/purchase.api.ts'
import { cameLate, safely, type AttemptKind } from '#web/parts/sending/attempt.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

type Reactions<E extends Endpoint> = {
  kind: AttemptKind
  /** What was bought, as far as the page knows it; the answer adds its id and state. */
  describe: () => Bought | null
  onBought: (answer: AnswerOf<E>) => void
  onRefused?: ((error: CallError) => void) | undefined
  onPriceChanged: (offer: ChangedOffer) => void
}

export type Bought = Pick<DeliveryReceipt, 'kind' | 'character_name' | 'character_head' | 'goods' | 'amount'>

/** Where a plain dialog would say that it was bought, one that follows it into the game; after a broken connection its page. */
function reportBought(answer: unknown, bought: Bought | null): void {
  const outcome = outcomeOfAnswer(answer)
  const { delivery } = answer as { delivery?: Pick<DeliveryReceipt, 'id' | 'status'> }
  if (delivery && cameLate(answer)) return void navigate(paths.deliveries(delivery.id))
  if (outcome.show !== 'dialog' || !delivery || !bought) return reportAnswer(answer)
  const receipt: DeliveryReceipt = {
    ...bought,
    ...delivery,
    created_at: new Date().toISOString(),
    settled_at: null,
    server_name: '',
    is_with_staff: false,
    refund_reason: null,
  }
  announce({ kind: 'success', lines: outcome.lines, live: { kind: 'purchase', receipt } })
}

/** The confirmation of a purchase, the call itself, and what has to be read again after it. */
export function usePurchase<E extends Endpoint>(
  endpoint: E,
  { kind, describe, onBought, onRefused, onPriceChanged }: Reactions<E>,
) {
  const client = useQueryClient()
  const { user } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { send, isSending } = useSend(endpoint, {
    call: safely(kind),
    report: (answer) => reportBought(answer, describe()),
    onDone: (answer) => {
      setAsking(false)
      setBoughtAt(Date.now())
      void client.invalidateQueries({ queryKey: recentDeliveriesQuery.queryKey })
      onBought(answer)
    },
    onFailed: (error) => {
      const refused = error instanceof CallError ? error : null
      // The game no longer knows the character, or the price has changed: read both again.
      if (refused?.status === 422) {
        void client.invalidateQueries({ queryKey: exchangeQuery(user?.id ?? null).queryKey })
      }
      if (refused?.body?.code === 'PRICE_CHANGED' && refused.body.offer) {
        return onPriceChanged(refused.body.offer)
      }
      setAsking(false)
      reportFailure(error)
      if (refused) onRefused?.(refused)
    },
  })
  return { isAsking, setAsking, boughtAt_ms, send, isSending }
}
