import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '#web/navigation.tsx'
import { goodsInWords } from '#contract/deliveries.ts'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { deliveriesQuery } from '#web/features/deliveries/deliveries.api.ts'
import { deliveriesCopy as copy } from '#web/features/deliveries/deliveries.copy.ts'
import { pages, paths } from '#contract/pages.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useDeliveryPolling, useDeliveryEvents } from '#web/parts/deliveries/delivery-watch.ts'
import { PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'

/** The player's purchases, the newest first; the page shown is in the address. */
export function DeliveryList() {
  const [openedAt_ms] = useState(Date.now)
  const { page, turn } = usePageInAddress()
  const polling = useDeliveryPolling(openedAt_ms)
  const query = useQuery({
    ...deliveriesQuery(page),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => polling.next_ms(state.data?.data),
  })
  useDeliveryEvents(query.data?.data, polling)
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.deliveries.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <PagedList
        query={query}
        page={page}
        onTurn={turn}
        skeleton={<Skeleton className="h-96 w-full" />}
        empty={<NoDeliveries />}
      >
        {(deliveries) => (
          <ul className="max-w-3xl divide-y divide-line rounded-xl border border-line bg-raised">
            {deliveries.map((delivery) => (
              <li key={delivery.id} className="px-4 py-3 hover:bg-sunken">
                <DeliveryRow delivery={delivery}>
                  {delivery.kind === 'gift' && `${copy.gift}: `}
                  {copy.bought(goodsInWords(delivery.goods), delivery.character_name)}
                </DeliveryRow>
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  )
}

function NoDeliveries() {
  return (
    <PageState picture="empty" title={copy.empty} text={copy.emptyMore}>
      <Link to={paths.exchange} className={buttonClass()}>
        {copy.exchange}
      </Link>
    </PageState>
  )
}
