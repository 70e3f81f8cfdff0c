import { serverNow } from '#client/server-clock.ts'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { paths } from '#contract/pages.ts'
import { navigate } from '#web/navigation.tsx'
import { announce } from '#web/parts/outcomes/announce.ts'
import { outcomeOfAnswer, reportAnswer } from '#web/parts/outcomes/report-outcome.ts'
import { wasAnsweredLate } from '#web/parts/sending/retried-call.tsx'

export type Bought = Pick<
  DeliveryReceipt,
  'kind' | 'character_name' | 'character_head' | 'character_head_name' | 'goods' | 'amount'
>

/** Shows the delivery in a live dialog; if the answer came late, after a broken connection, opens its receipt instead. */
export function reportBought(answer: unknown, bought: Bought | null): void {
  const outcome = outcomeOfAnswer(answer)
  const { delivery } = answer as { delivery?: Pick<DeliveryReceipt, 'id' | 'status'> }
  if (delivery && wasAnsweredLate(answer)) return void navigate(paths.deliveries(delivery.id))
  if (outcome.show !== 'dialog' || !delivery || !bought) return reportAnswer(answer)
  const receipt: DeliveryReceipt = {
    ...bought,
    ...delivery,
    created_at: new Date(serverNow()).toISOString(),
    settled_at: null,
    server_name: '',
    is_with_staff: false,
    is_collection_told: false,
    collected_at: null,
    waiting: null,
    replaces: null,
    refund_reason: null,
  }
  announce({ kind: 'success', lines: outcome.lines, live: { kind: 'purchase', receipt } })
}
