import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AnswerOf, Endpoint } from '#contract/endpoint.ts'
import type { ChangedOffer } from '#contract/purchases.ts'
import { CallError } from '#client/call.ts'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSession } from '#web/session/session-store.ts'
import { exchangeQuery, recentDeliveriesQuery } from '#web/parts/purchase/purchase.api.ts'
import { useSend } from '#web/parts/sending/use-send.ts'

type Reactions<E extends Endpoint> = {
  onBought: (answer: AnswerOf<E>) => void
  onRefused?: ((error: CallError) => void) | undefined
  onPriceChanged: (offer: ChangedOffer) => void
}

/** The confirmation of a purchase, the call itself, and what has to be read again after it. */
export function usePurchase<E extends Endpoint>(
  endpoint: E,
  { onBought, onRefused, onPriceChanged }: Reactions<E>,
) {
  const client = useQueryClient()
  const { user } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { send, isSending } = useSend(endpoint, {
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
