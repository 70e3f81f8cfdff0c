import { serverNow } from '#client/server-clock.ts'
import { useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { goodsInWords, type listDeliveries } from '#contract/deliveries.ts'
import { useParams } from '#web/navigation.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { deliveriesCopy as copy } from '#web/features/deliveries/deliveries.copy.ts'
import { pages, paths } from '#contract/pages.ts'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useDeliveryPolling, useDeliveryEvents, receiptQuery } from '#web/parts/deliveries/delivery-watch.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'
import { Receipt } from '#web/features/deliveries/receipt.tsx'
import type { Page } from '#web/page.ts'
import { EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'
import { ownQuery } from '#web/query-client.ts'

const DELIVERIES_PER_PAGE = 20

const deliveriesQuery = (page: number) =>
  ownQuery<typeof listDeliveries>('/user/deliveries', {
    query: { page, items_per_page: DELIVERIES_PER_PAGE },
  })

/** The player's purchases, the newest first; the page shown is in the address. */
function DeliveryList() {
  const [openedAt_ms] = useState(serverNow)
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
      <p className="mt-3 max-w-text text-soft">{copy.lead}</p>
      <TextLink to={paths.gift} className="mt-1 mb-4">
        {copy.toCode}&nbsp;→
      </TextLink>
      <PagedList
        query={query}
        page={page}
        onTurn={turn}
        skeleton={<Skeleton className="h-96 w-full" />}
        empty={
          <EmptyList title={copy.empty} text={copy.emptyMore} to={paths.exchange} linkText={copy.exchange} />
        }
      >
        {(deliveries) => (
          <ul className="max-w-3xl divide-y divide-line rounded-xl border border-line bg-raised">
            {deliveries.map((delivery) => (
              <li key={delivery.id} className="px-4 py-3 hover:bg-sunken">
                <DeliveryRow delivery={delivery}>
                  {delivery.kind === 'gift' && `${copy.gift}: `}
                  {delivery.kind === 'again' && `${copy.again} `}
                  {delivery.kind === 'reward' && `${copy.reward}: `}
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
