import { useQuery } from '@tanstack/react-query'
import { Link } from '#web/navigation.tsx'
import type { Tournament } from '#contract/tournaments.ts'
import { buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeletons.tsx'
import { Loaded } from '#web/parts/page-states/loaded.tsx'
import { PhaseBadge } from '#web/features/tournaments/phase-badge.tsx'
import { feeText, formatText } from '#web/features/tournaments/tournament-facts.ts'
import { tournamentsQuery } from '#web/features/tournaments/tournaments.api.ts'
import { tournamentsCopy as copy } from '#web/features/tournaments/tournaments.copy.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { useNow } from '#web/parts/time/use-now.ts'

function TournamentsPage() {
  const query = useQuery(tournamentsQuery)
  const now_ms = useNow(false, query.dataUpdatedAt)
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.tournaments.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <Loaded query={query} skeleton={<Skeletons count={4} each="h-48 w-full" className={gridClass} />}>
        {(tournaments) =>
          tournaments.length === 0 ? (
            <NoTournaments />
          ) : (
            <ul className={gridClass}>
              {tournaments.map((tournament) => (
                <TournamentCard key={tournament.id} tournament={tournament} now_ms={now_ms} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  )
}

const gridClass = 'grid gap-4 md:grid-cols-2'

function TournamentCard({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const { id, name, registration_start_at, competition_start_at, winner } = tournament
  return (
    <li className="group relative flex flex-col gap-3 rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h2 className="text-lg">
          <Link to={paths.tournament(id)} className="after:absolute after:inset-0 group-hover:text-vermilion">
            {name}
          </Link>
        </h2>
        <PhaseBadge tournament={tournament} now_ms={now_ms} />
      </div>
      <p className="text-[0.9375rem] text-soft">
        {formatText(tournament)} · {feeText(tournament)}
      </p>
      <dl className="grid grid-cols-2 gap-3 text-[0.9375rem]">
        <Moment label={copy.registration} moment={registration_start_at} />
        <Moment label={copy.competition} moment={competition_start_at} />
      </dl>
      {winner !== null && (
        <p>
          <span className="text-soft">{copy.winner}:</span> <strong>{winner}</strong>
        </p>
      )}
      <span aria-hidden="true" className="mt-auto flex items-center gap-1.5 text-sm font-bold text-vermilion">
        {copy.see}
        <Icon name="arrow" className="size-4 transition-transform group-hover:translate-x-1" />
      </span>
    </li>
  )
}

function Moment({ label, moment }: { label: string; moment: string }) {
  return (
    <div>
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="font-bold tabular-nums">
        <time dateTime={moment}>{formatMoment(moment)}</time>
      </dd>
    </div>
  )
}

function NoTournaments() {
  return (
    <PageState picture="empty" title={copy.none} text={copy.noneMore}>
      <Link to={paths.home} className={buttonClass()}>
        {copy.toHome}
      </Link>
    </PageState>
  )
}

export const page: Page = {
  Component: TournamentsPage,
  queries: () => [tournamentsQuery],
  head: () => ({ description: copy.description }),
}
