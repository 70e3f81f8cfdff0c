import { useQuery } from '#web/use-query.ts'
import { pages } from '#contract/pages.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { useOwnCharacters, exchangeQuery } from '#web/parts/purchase/own-characters.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { ExchangeForm } from '#web/features/exchange/exchange-form.tsx'
import type { Page } from '#web/page.ts'
import { session, useSession } from '#web/session/session-store.ts'

function ExchangePage() {
  const { status, user } = useSession()
  // Until the player is known, the answer for visitors is shown: amounts do not depend on the player.
  const open = useQuery({ ...exchangeQuery(null), enabled: status !== 'player' })
  const own = useOwnCharacters()
  const query = user ? own : open
  const shown = query.data ?? open.data
  const isFailed = query.isError && !query.data
  return (
    <div className="shell-width pt-4 sm:pt-6">
      {/* The seal is at the other end of the line: a font that arrives late moves nothing. */}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <h1 className="brush-title text-2xl sm:text-3xl">{pages.exchange.title}</h1>
        {shown && shown.bonus > 0 && (
          <p className="seal px-3 py-2 text-sm whitespace-nowrap">{copy.bonus(shown.bonus)}</p>
        )}
      </div>
      <p className="mt-2 mb-4 max-w-text text-soft max-sm:text-sm">{copy.lead}</p>
      {isFailed && <LoadFailure onRetry={query.refetch} />}
      {!isFailed && !shown && <FormSkeleton />}
      {!isFailed && shown && <ExchangeForm amounts={shown.amounts} own={own} />}
    </div>
  )
}

function FormSkeleton() {
  return (
    <div aria-busy="true" className="space-y-6">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-56 w-full" />
    </div>
  )
}

export const page: Page = {
  Component: ExchangePage,
  queries: () => [exchangeQuery(session.get().user?.id ?? null)],
  head: () => ({ description: copy.description }),
}
