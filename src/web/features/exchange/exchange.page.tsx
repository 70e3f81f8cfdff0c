import { pages } from '#contract/pages.ts'
import { Skeleton } from '#ui/skeleton.tsx'
import { LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { useOwnCharacters } from '#web/parts/purchase/use-own-characters.ts'
import { exchangeQuery } from '#web/parts/purchase/purchase.api.ts'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { ExchangeForm } from '#web/features/exchange/exchange-form.tsx'
import type { Page } from '#web/page.ts'
import { session, useSession } from '#web/session/session-store.ts'
import { useQuery } from '#web/use-query.ts'

function ExchangePage() {
  const { status, user } = useSession()
  // Until the player is known, the answer for visitors is shown: amounts do not depend on the player.
  const open = useQuery({ ...exchangeQuery(null), enabled: status !== 'player' })
  const own = useOwnCharacters()
  const asked = user ? own : open
  const shown = asked.data ?? open.data
  const isFailed = asked.isError && !asked.data
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.exchange.title}</h1>
      {/* The seal has a line of its own: in one line with the text, it would move when the font arrives. */}
      <div className="mt-3 mb-6 space-y-2">
        <p className="max-w-text text-soft">{copy.lead}</p>
        {shown && shown.bonus > 0 && (
          <p className="seal px-3 py-2 text-sm whitespace-nowrap">{copy.bonus(shown.bonus)}</p>
        )}
      </div>
      {isFailed && <LoadFailure onRetry={asked.refetch} />}
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
