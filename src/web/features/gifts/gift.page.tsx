import { serverNow } from '#client/server-clock.ts'
import { useState } from 'react'
import { pages } from '#contract/pages.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { useOwnCharacters, exchangeQuery } from '#web/parts/purchase/own-characters.ts'
import { GiftCodeForm } from '#web/features/gifts/gift-code-form.tsx'
import { GiftForm } from '#web/features/gifts/gift-form.tsx'
import { GiftTaken } from '#web/features/gifts/gift-taken.tsx'
import { giftsCopy as copy } from '#web/features/gifts/gifts.copy.ts'
import type { Page } from '#web/page.ts'
import { session, useSession } from '#web/session/session-store.ts'
import { useRecentDeliveries } from '#web/parts/deliveries/delivery-watch.ts'

function GiftPage() {
  const { user } = useSession()
  const [boughtAt_ms, setBoughtAt] = useState(0)
  const { data: deliveries, isPending } = useRecentDeliveries({ isPlayer: user !== null, boughtAt_ms })
  const gift = deliveries?.data.find(({ kind }) => kind === 'gift')
  return (
    <div className="shell-width pt-4 sm:pt-6">
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.gift.title}</h1>
      <p className="mt-2 mb-4 max-w-text text-soft max-sm:text-sm">
        {copy.lead}{' '}
        <a href="#gift-code" className="inline-block underline">
          {copy.toCode}
        </a>
      </p>
      {user &&
        user.first_gift !== null &&
        (isPending ? (
          // As high as the window: what stands below it would move when the delivery is known.
          <Skeleton className="h-dvh max-w-2xl" />
        ) : (
          <GiftTaken packageId={user.first_gift} delivery={gift} isNew={boughtAt_ms > 0} />
        ))}
      {user && user.first_gift === null && (
        <Offer wasRefunded={gift?.status === 'refunded'} onBought={() => setBoughtAt(serverNow())} />
      )}
      {user && <GiftCodeForm />}
    </div>
  )
}

function Offer(props: { wasRefunded: boolean; onBought: () => void }) {
  const own = useOwnCharacters()
  return (
    <Loaded query={own} skeleton={<OfferSkeleton />}>
      {() => <GiftForm own={own} {...props} />}
    </Loaded>
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
