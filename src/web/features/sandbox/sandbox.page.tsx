import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from '#web/navigation.tsx'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { listOrders } from '#contract/recharge.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Loaded, LoadFailure } from '#web/parts/page-states/loaded.tsx'
import { sandboxCopy as copy } from '#web/features/sandbox/sandbox.copy.ts'
import { SandboxOrder } from '#web/features/sandbox/sandbox-order.tsx'
import { SandboxPhone } from '#web/features/sandbox/sandbox-phone.tsx'
import { CallError } from '#client/call.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { ownQuery } from '#web/query-client.ts'
import { useSession } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { NotFound } from '#web/parts/page-states/not-found.tsx'
import { PageSkeleton } from '#web/parts/page-states/page-skeleton.tsx'
import { settingsQuery, useFreshSettings } from '#web/parts/settings/settings.ts'

const NEWEST_COUNT = 20

/** The newest orders; at most three of them can be open. */
const newestOrdersQuery = ownQuery<typeof listOrders>('/recharge/orders', {
  query: { page: 1, items_per_page: NEWEST_COUNT },
})

/**
 * The bank and the phone of a demo. Without a demo the page does not exist. Open to visitors: whoever forgot their
 * password needs the phone.
 */
function SandboxPage() {
  const { data: settings, isError, refetch } = useFreshSettings()
  if (isError && !settings) return <LoadFailure onRetry={refetch} />
  if (!settings) return <PageSkeleton />
  if (settings.demo !== '1') return <NotFound />
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.sandbox.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-8">
          <Orders />
          <SandboxPhone />
        </div>
        <section className="rounded-xl border border-line bg-sunken p-4">
          <h2 className="mb-2 text-lg">{copy.howTitle}</h2>
          <ol className="list-decimal space-y-2 pl-5 text-[0.9375rem]">
            {copy.how.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      </div>
    </div>
  )
}

/** As high as an order, before and after it is known who looks. */
const ORDERS_CLASS = 'h-72 w-full lg:h-56'

function Orders() {
  const { status } = useSession()
  return (
    <Section title={copy.orders}>
      {(status === 'unknown' || status === 'checking') && (
        <>
          <Skeleton className="while-anonymous h-32 w-full" />
          <Skeleton className={`while-signed-in ${ORDERS_CLASS}`} />
        </>
      )}
      {status === 'anonymous' && (
        <div className="flex flex-wrap items-center gap-4">
          <p className="text-soft">{copy.visitor}</p>
          <Button
            kind="plain"
            onClick={() => openModal('login', { next: location.pathname + location.search })}
          >
            {copy.login}
          </Button>
        </div>
      )}
      {status === 'player' && <OpenOrders />}
    </Section>
  )
}

function OpenOrders() {
  const wanted = useSearchParams()[0].get('code')
  const query = useQuery({ ...newestOrdersQuery, staleTime: 0, refetchInterval: REFETCH_INTERVAL_MS })
  const open = query.data?.data.filter(({ status }) => status === 'pending') ?? []
  // The order the player comes from is shown first.
  const orders = open.toSorted((one, other) => Number(other.code === wanted) - Number(one.code === wanted))
  return (
    <Loaded query={query} skeleton={<Skeleton className={ORDERS_CLASS} />}>
      {() =>
        orders.length === 0 ? (
          <PageState title={copy.none} text={copy.noneMore}>
            <Link to={paths.recharge} className={buttonClass()}>
              {copy.recharge}
            </Link>
          </PageState>
        ) : (
          <ul className="space-y-4">
            {orders.map((order) => (
              <SandboxOrder key={order.code} order={order} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

/** In a live installation the page answers 404. */
const demoQuery = queryOptions<boolean>({
  queryKey: ['demo'],
  queryFn: async ({ client }) => {
    const settings = await client.ensureQueryData(settingsQuery)
    if (settings['demo'] !== '1') throw new CallError(404, null)
    return true
  },
})

export const page: Page = {
  queries: () => [demoQuery],
  Component: SandboxPage,
  head: () => ({ isIndexable: false }),
}
