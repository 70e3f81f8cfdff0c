import { gameBridgeCall, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { Badge } from '#ui/badge.tsx'
import { Facts } from '#ui/facts.tsx'
import { deliveriesCopy } from '#admin/features/deliveries/deliveries.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'

const copy = deliveriesCopy.bridge

/** Whether the game answers, and how much waits for it. */
export function GameBridgePanel() {
  return (
    <Panel title={copy.title}>
      <Loaded query={read(gameBridgeCall)}>
        {({ breaker, last_answered_at: lastAnsweredAt, queue, oldest_at: oldestAt }) => (
          <Facts
            className="max-w-2xl"
            facts={[
              {
                label: copy.breaker,
                value: <Badge tone={breaker === 'open' ? 'danger' : 'success'}>{copy.states[breaker]}</Badge>,
              },
              { label: copy.lastAnswered, value: momentText(lastAnsweredAt) },
              ...Object.entries(queue).map(([state, count]) => ({
                label: deliveriesCopy.states[state as OperatorDelivery['state']],
                value: formatNumber(count),
              })),
              { label: copy.oldest, value: momentText(oldestAt) },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
