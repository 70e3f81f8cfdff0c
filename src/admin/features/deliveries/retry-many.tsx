import { operatorDeliveries, type OperatorDelivery } from '#contract/operator/deliveries.ts'
import { deliveriesCopy } from '#admin/features/deliveries/deliveries.copy.ts'
import { ActOnSeveral } from '#admin/kit/several.tsx'

const copy = deliveriesCopy.many

type Props = { chosen: readonly OperatorDelivery[]; onDone: () => void }

/** Sends the chosen deliveries again, then says of each what came of it. */
export function RetryMany({ chosen, onDone }: Props) {
  return (
    <ActOnSeveral
      label={copy.label}
      count={chosen.length}
      endpoint={operatorDeliveries.retryMany}
      toBody={({ reason }) => ({ ids: chosen.map(({ id }) => id), reason })}
      linkTo={(id) => ({ to: `/deliveries/${id}`, name: id.slice(0, 8) })}
      onDone={onDone}
    >
      {() => <p>{copy.text(chosen.length)}</p>}
    </ActOnSeveral>
  )
}
