import { useParams } from '#web/navigation.tsx'
import { DeliveryList } from '#web/features/deliveries/delivery-list.tsx'
import { deliveriesQuery } from '#web/features/deliveries/deliveries.api.ts'
import { deliveriesCopy as copy } from '#web/features/deliveries/deliveries.copy.ts'
import { Receipt } from '#web/features/deliveries/receipt.tsx'
import type { Page } from '#web/page.ts'
import { receiptQuery } from '#web/parts/deliveries/use-receipt.ts'

/** All purchases, or the receipt of the one that the address names. */
function DeliveriesPage() {
  const { id } = useParams()
  return id === undefined ? <DeliveryList /> : <Receipt key={id} id={id} />
}

export const page: Page = {
  Component: DeliveriesPage,
  queries: ({ id }) => [id === undefined ? deliveriesQuery(1) : receiptQuery(id)],
  head: ({ params }) => (params.id === undefined ? undefined : { title: copy.receipt }),
}
