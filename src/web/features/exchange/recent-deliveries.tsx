import { Link } from 'react-router'
import type { Delivery } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format-number.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { paths } from '#contract/pages.ts'
import { useSession } from '#web/session/session-store.ts'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useRecentDeliveries } from '#web/parts/deliveries/delivery-watch.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'

const SHOWN = 5

/** Where the last purchases stand. Before the first one there is nothing to say. */
export function RecentDeliveries({ boughtAt_ms }: { boughtAt_ms: number }) {
  const { status } = useSession()
  const { data } = useRecentDeliveries({ isPlayer: status === 'player', boughtAt_ms })
  const exchanges = data?.data.filter(({ kind }) => kind === 'exchange').slice(0, SHOWN) ?? []
  if (status !== 'player' || exchanges.length === 0) return null
  return (
    <section aria-labelledby="deliveries-title">
      <h2 id="deliveries-title" className="mb-3 text-xl">
        {copy.deliveries}
      </h2>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {exchanges.map((delivery) => (
          <li key={delivery.id} className="px-4 py-3 hover:bg-sunken">
            <DeliveryRow delivery={delivery}>
              {copy.deliveryOf(formatNumber(luongOf(delivery)), delivery.character_name)}
            </DeliveryRow>
          </li>
        ))}
      </ul>
      <Link
        to={paths.deliveries()}
        className="inline-flex min-h-11 items-center font-bold text-vermilion hover:underline"
      >
        {purchaseCopy.toDeliveries} →
      </Link>
    </section>
  )
}

function luongOf({ goods }: Delivery): number {
  return goods.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0)
}
