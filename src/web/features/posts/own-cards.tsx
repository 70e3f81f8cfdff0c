import { useQuery } from '@tanstack/react-query'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import { formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import type { listOrders } from '#contract/recharge.ts'
import type { User } from '#contract/users.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'
import { currentPhase, currentTournamentQuery } from '#web/features/posts/current-tournament.ts'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { isBanned } from '#web/session/session-store.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { ownQuery } from '#web/query-client.ts'

/** The same key as the list of the recharge page, so that both share one cached answer. */
const ordersQuery = ownQuery<typeof listOrders>('/recharge/orders', {
  query: { page: 1, items_per_page: 10 },
})

type Own = { icon: IconName; label: string; text: string; to: string; isUrgent?: boolean }

/** A player's balance, open order, tournament and next step, each with a link. */
export function OwnCards({ user }: { user: User }) {
  const order = useOpenOrder()
  const { data: tournament } = useQuery({ ...currentTournamentQuery, refetchOnMount: false })
  const now_ms = useNow(Boolean(tournament))
  const phase = tournament ? currentPhase(tournament, new Date(now_ms)) : null
  const cards: Own[] = [
    {
      icon: 'wallet',
      label: copy.balance,
      text: `${formatNumber(user.balance)} TCoin`,
      to: paths.transactions,
    },
    order
      ? {
          icon: 'clock',
          label: copy.openOrder,
          text: copy.toPay(formatNumber(order.amount)),
          to: paths.order(order.code),
          isUrgent: true,
        }
      : { icon: 'exchange', label: copy.next, ...nextOf(user) },
    tournament && phase
      ? {
          icon: 'calendar',
          label: copy.nowTournament[phase],
          text: tournament.name,
          to: paths.tournament(tournament.id),
        }
      : { icon: 'calendar', label: copy.watch, text: pages.tournaments.title, to: paths.tournaments },
    { icon: 'people', label: copy.watch, text: pages.ranking.title, to: paths.ranking },
  ]
  return (
    <ul className="shell-width grid h-full grid-cols-2 content-center gap-2 lg:grid-cols-4">
      {cards.map(({ icon, label, text, to, isUrgent }) => (
        <li key={to} className="min-w-0">
          <Link
            to={to}
            className={`flex h-14 items-center gap-2 rounded-xl border px-2 sm:gap-2.5 sm:px-2.5 hover:text-vermilion ${isUrgent ? 'border-vermilion bg-wash' : 'border-line bg-raised'}`}
          >
            <Icon name={icon} className="size-5 text-vermilion" />
            <span className="min-w-0">
              <span className="block truncate text-xs leading-tight text-soft">{label}</span>
              <strong className="line-clamp-2 text-sm leading-tight wrap-anywhere sm:text-[0.9375rem]">
                {text}
              </strong>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function useOpenOrder() {
  const { data } = useQuery({
    ...ordersQuery,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'pending') ? REFETCH_INTERVAL_MS : false,
  })
  return data?.data.find(({ status }) => status === 'pending')
}

/** What somebody without anything to pay does next. */
function nextOf(user: User): Pick<Own, 'text' | 'to'> {
  const page = isBanned(user) ? pages.transactions : user.balance > 0 ? pages.exchange : pages.recharge
  return { text: page.title, to: page.path }
}
