import type { OperatorDelivery } from '#contract/operator/deliveries.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { deliveriesCopy } from '#admin/features/deliveries/deliveries.copy.ts'

type State = OperatorDelivery['state']

const tones: Record<State, BadgeTone> = {
  pending: 'waiting',
  sending: 'waiting',
  unknown: 'waiting',
  parked: 'danger',
  delivered: 'success',
  refunded: 'note',
}

export const DeliveryState = ({ state }: { state: State }) => (
  <Badge tone={tones[state]}>{deliveriesCopy.states[state]}</Badge>
)
