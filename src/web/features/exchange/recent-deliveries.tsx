import { Section } from '#ui/section.tsx'
import type { Delivery } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import { useSession } from '#web/session/session-store.ts'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useRecentDeliveries } from '#web/parts/deliveries/delivery-watch.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'

const SHOWN = 5

/** The last purchases and their states; nothing before the first one. */
export function RecentDeliveries({ boughtAt_ms }: { boughtAt_ms: number }) {
  const { status } = useSession()
  const { data } = useRecentDeliveries({ isPlayer: status === 'player', boughtAt_ms })
  const exchanges = data?.data.filter(({ kind }) => kind === 'exchange').slice(0, SHOWN) ?? []
  if (status !== 'player' || exchanges.length === 0) return null
  return (
    <Section title={copy.deliveries}>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {exchanges.map((delivery) => (
          <li key={delivery.id} className="px-4 py-3 hover:bg-sunken">
            <DeliveryRow delivery={delivery}>
              {copy.deliveryOf(formatNumber(luongOf(delivery)), delivery.character_name)}
            </DeliveryRow>
          </li>
        ))}
      </ul>
      <TextLink to={paths.deliveries()}>{purchaseCopy.toDeliveries} →</TextLink>
    </Section>
  )
}

function luongOf({ goods }: Delivery): number {
  return goods.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0)
}
