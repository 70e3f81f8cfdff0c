import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pages } from '#contract/pages.ts'
import { LoadFailure } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { outcomeCopy } from '#web/parts/outcomes/outcomes.copy.ts'
import { GiftForm } from '#web/features/gifts/gift-form.tsx'
import { GiftTaken } from '#web/features/gifts/gift-taken.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import type { Page } from '#web/page.ts'
import { session, useSession } from '#web/session/session-store.ts'
import { useRecentDeliveries } from '#web/parts/deliveries/delivery-watch.ts'
import { exchangeQuery } from '#web/parts/purchase/purchase.api.ts'

function GiftPage() {
  const { user } = useSession()
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { data: deliveries } = useRecentDeliveries({ isPlayer: user !== null, boughtAt_ms })
  const gift = deliveries?.data.find(({ kind }) => kind === 'gift')
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.gift.title}</h1>
      <p className="mt-3 mb-6 max-w-prose text-soft">{copy.lead}</p>
      {user && user.first_gift !== null && <GiftTaken packageId={user.first_gift} delivery={gift} />}
      {user && user.first_gift === null && (
        <Offer wasRefunded={gift?.status === 'refunded'} onBought={() => setBoughtAt(Date.now())} />
      )}
    </div>
  )
}

const LATE_LOOK_MS = 5_000

function Offer({ wasRefunded, onBought }: { wasRefunded: boolean; onBought: () => void }) {
  const { user } = useSession()
  const own = useQuery({
    ...exchangeQuery(user?.id ?? null),
    staleTime: 0,
    // The game was slow: the list comes with one of the next looks.
    refetchInterval: ({ state }) => (state.data?.characters_at === null ? LATE_LOOK_MS : false),
  })
  if (own.isError && !own.data) {
    return <LoadFailure message={outcomeCopy.defaultFailure} onRetry={() => void own.refetch()} />
  }
  if (!own.data) return <OfferSkeleton />
  return (
    <GiftForm
      own={own.data}
      wasRefunded={wasRefunded}
      isReloading={own.isFetching}
      onReload={() => void own.refetch()}
      onBought={onBought}
    />
  )
}

function OfferSkeleton() {
  return (
    <div aria-busy="true" className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="space-y-8">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-80 w-full" />
      </div>
      <Skeleton className="h-56 w-full" />
    </div>
  )
}

export const page: Page = {
  Component: GiftPage,
  queries: () => [exchangeQuery(session.get().user?.id ?? null)],
}
