import { useQuery } from '#web/use-query.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'
import { currentPhase, currentTournamentQuery, waitOf } from '#web/features/posts/current-tournament.ts'
import { homeCopy as copy } from '#web/features/posts/home.copy.ts'
import { scrollIntoRow } from '#web/features/posts/news-filter.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'
import { useNow } from '#web/parts/time/use-now.ts'

type Happening = { icon: IconName; label: string; title: string; more?: string | null; to: string }

/** Current events; on a phone cards to swipe through, which the Tab key reaches too. */
export function NowStrip() {
  const happenings = useHappenings()
  if (happenings.length === 0) return null
  return (
    <section aria-label={copy.now} className="mt-4 md:mt-6">
      <ul className="now-strip">
        {happenings.map(({ icon, label, title, more, to }) => (
          <li key={label} className="group">
            <Link to={to} className="now-card" onFocus={scrollIntoRow}>
              <Icon name={icon} className="size-7 text-vermilion" />
              <span className="min-w-0">
                <span className="block text-xs font-bold text-vermilion">{label}</span>
                <strong className="line-clamp-2 leading-snug group-hover:text-vermilion">{title}</strong>
                {more && <span className="block text-sm text-soft tabular-nums">{more}</span>}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useHappenings(): Happening[] {
  const { server_opening: opening, exchange_bonus: bonus } = useSettings()
  // What the server has read is as fresh as the page.
  const { data: tournament, dataUpdatedAt } = useQuery({ ...currentTournamentQuery, refetchOnMount: false })
  // One that is being played does not depend on the time.
  const now_ms = useNow(tournament?.current_round === 0, dataUpdatedAt || undefined)
  const phase = tournament ? currentPhase(tournament, new Date(now_ms)) : null
  return [
    ...(opening
      ? [{ icon: 'people', label: copy.nowOpening, title: opening, to: paths.download } as const]
      : []),
    ...(Number(bonus) > 0
      ? [
          {
            icon: 'exchange',
            label: copy.nowBonus,
            title: copy.bonus(formatNumber(Number(bonus))),
            to: paths.exchange,
          } as const,
        ]
      : []),
    ...(tournament && phase
      ? [
          {
            icon: 'calendar',
            label: copy.nowTournament[phase],
            title: tournament.name,
            more: waitOf(tournament, now_ms),
            to: paths.tournament(tournament.id),
          } as const,
        ]
      : []),
  ]
}
