import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from '#web/navigation.tsx'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format-number.ts'
import { tournamentPhase } from '#contract/tournament-rules.ts'
import type { getBracket, Tournament } from '#contract/tournaments.ts'
import { Alert } from '#ui/alert.tsx'
import { Facts } from '#ui/facts.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { Loaded } from '#web/parts/page-states/loaded.tsx'
import { BackLink } from '#web/parts/navigation/text-links.tsx'
import { BracketView } from '#web/features/tournaments/bracket-view.tsx'
import { roundsOf } from '#web/features/tournaments/bracket.ts'
import { nextDate, waitText } from '#web/features/tournaments/next-date.ts'
import { PhaseBadge } from '#web/features/tournaments/phase-badge.tsx'
import {
  classesText,
  feeText,
  formatText,
  modeText,
  teamsText,
} from '#web/features/tournaments/tournament-facts.ts'
import { bracketQuery } from '#web/features/tournaments/tournaments.api.ts'
import { tournamentsCopy as copy } from '#web/features/tournaments/tournaments.copy.ts'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { readAnswer } from '#web/query-client.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { NotFound } from '#web/parts/page-states/not-found.tsx'
import { useNow } from '#web/parts/time/use-now.ts'

type Bracket = AnswerOf<typeof getBracket>

function TournamentPage() {
  const { id } = useParams()
  const query = useQuery({
    ...bracketQuery(id),
    refetchInterval: ({ state }) => (isLive(state.data) ? REFETCH_INTERVAL_MS : false),
  })
  if (isMissing(query.error)) return <NotFound />
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.tournaments}>{copy.all}</BackLink>
      <Loaded query={query} skeleton={<TournamentSkeleton />}>
        {(bracket) => <TournamentInTime bracket={bracket} readAt_ms={query.dataUpdatedAt} />}
      </Loaded>
    </div>
  )
}

/** Whether something may change at any moment: the draw is due, or matches are being played. */
function isLive(bracket: Bracket | undefined): boolean {
  if (!bracket) return false
  const phase = tournamentPhase(bracket.tournament, new Date())
  return phase === 'running' || phase === 'drawing'
}

function TournamentInTime({ bracket, readAt_ms }: { bracket: Bracket; readAt_ms: number }) {
  const { tournament, matches } = bracket
  const isWaiting = tournament.current_round === 0
  // Server and browser begin with the time of the answer, so that both render the same HTML first.
  const [firstRead_ms] = useState(readAt_ms)
  const now_ms = useNow(isWaiting, firstRead_ms)
  const isRunning = tournamentPhase(tournament, new Date(now_ms)) === 'running'
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3">
        <h1 className="brush-title text-2xl sm:text-3xl">{tournament.name}</h1>
        <PhaseBadge tournament={tournament} now_ms={now_ms} />
      </div>
      <div className="grid items-start gap-x-8 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Section title={copy.schedule} className="max-lg:order-last">
          {isRunning && <p className="mb-4 text-sm text-soft">{copy.live}</p>}
          <BracketView
            rounds={roundsOf(tournament, matches)}
            currentRound={isRunning ? tournament.current_round : null}
          />
        </Section>
        <Rules tournament={tournament} now_ms={now_ms} />
      </div>
    </>
  )
}

function Rules({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const { registration_start_at, competition_start_at, min_level, max_level, team_count, winner } = tournament
  return (
    <Section title={copy.rules} titleClass="text-xl" className="space-y-4 lg:sticky lg:top-20">
      <Wait tournament={tournament} now_ms={now_ms} />
      <Facts
        facts={[
          ...(winner === null ? [] : [{ label: copy.winner, value: winner }]),
          { label: copy.registration, value: formatMoment(registration_start_at) },
          { label: copy.competition, value: formatMoment(competition_start_at) },
          { label: copy.format, value: formatText(tournament) },
          { label: copy.mode, value: modeText(tournament) },
          { label: copy.fee, value: feeText(tournament) },
          { label: copy.levels, value: copy.levelRange(min_level, max_level) },
          { label: copy.classes, value: classesText(tournament) },
          { label: copy.teams, value: teamsText(tournament) },
          { label: copy.registered, value: copy.teamCount(formatNumber(team_count)) },
        ]}
      />
      <Alert tone="note">{copy.callRule}</Alert>
    </Section>
  )
}

function Wait({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const next = nextDate(tournament, now_ms)
  if (!next) return null
  return (
    <p role="timer" className="rounded-xl border border-line bg-raised px-4 py-3 text-center shadow-card">
      <span className="block text-sm text-soft">
        {next.of === 'registration' ? copy.untilRegistration : copy.untilCompetition}
      </span>
      <strong className="text-2xl tabular-nums">{waitText(next.left_ms)}</strong>
    </p>
  )
}

function TournamentSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="h-9 w-80 max-w-full" />
      <div className="mt-6 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-80 w-full max-lg:order-last" />
        <Skeleton className="h-96 w-full" />
      </div>
    </div>
  )
}

export const page: Page = {
  Component: TournamentPage,
  queries: ({ id }) => [bracketQuery(id)],
  head: ({ client, params }) => {
    const bracket = readAnswer(client, bracketQuery(params.id))
    if (!bracket) return undefined
    const { tournament } = bracket
    return {
      title: tournament.name,
      description: copy.headOf(
        formatText(tournament).toLowerCase(),
        formatMoment(tournament.registration_start_at),
        formatMoment(tournament.competition_start_at),
      ),
    }
  },
}
