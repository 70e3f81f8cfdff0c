import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearchParams } from '#web/navigation.tsx'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { tournamentPhase, type TournamentPhase } from '#contract/tournament-rules.ts'
import type { getBracket } from '#contract/tournaments.ts'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { Loaded, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink } from '#web/parts/navigation/links.tsx'
import { BracketView } from '#web/features/tournaments/bracket-view.tsx'
import { championOf, firstShown, roundsOf, trailOf, type Round } from '#web/features/tournaments/bracket.ts'
import { Poster, StepLine, stepsOf } from '#web/features/tournaments/poster.tsx'
import { formatText } from '#web/features/tournaments/tournament-facts.tsx'
import { ChampionBanner, HowToJoin, Rules, TrailNote } from '#web/features/tournaments/tournament-notes.tsx'
import { bracketQuery } from '#web/features/tournaments/tournaments.api.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import type { Page } from '#web/page.ts'
import { paths } from '#contract/pages.ts'
import { formatMoment } from '#contract/format.ts'
import { useHydrated, useNow } from '#web/parts/time/use-now.ts'

type Bracket = AnswerOf<typeof getBracket>

function TournamentPage() {
  const { id } = useParams()
  const query = useQuery({
    ...bracketQuery(id),
    refetchInterval: ({ state }) => (isLive(state.data) ? REFETCH_INTERVAL_MS : false),
  })
  if (isMissing(query.error)) return <NotFound />
  return (
    <div className="shell-width pt-2">
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

const isOpen = (phase: TournamentPhase) => phase === 'announced' || phase === 'registering'

function TournamentInTime({ bracket, readAt_ms }: { bracket: Bracket; readAt_ms: number }) {
  const { tournament, matches } = bracket
  const isWaiting = tournament.current_round === 0
  // Server and browser begin with the time of the answer, so that both render the same HTML first.
  const [firstRead_ms] = useState(readAt_ms)
  const now_ms = useNow(isWaiting, firstRead_ms)
  const phase = tournamentPhase(tournament, new Date(now_ms))
  const rounds = roundsOf(tournament, matches)
  const champion = championOf(rounds)
  const isRunning = phase === 'running' && champion === null
  const live = isRunning ? rounds.find(({ round }) => round === tournament.current_round) : undefined
  return (
    <>
      <Poster tournament={tournament} now_ms={now_ms} live={live?.name ?? null} />
      {champion?.name && <ChampionBanner name={champion.name} />}
      <StepLine steps={stepsOf(tournament, rounds, now_ms)} tournament={tournament} />
      <div className="mt-6 space-y-8 md:mt-8">
        {isOpen(phase) && <HowToJoin tournament={tournament} />}
        <Section title={copy.schedule}>
          <Bracket rounds={rounds} first={firstShown(rounds, tournament)} live={live} />
        </Section>
      </div>
      <Rules tournament={tournament} />
    </>
  )
}

type BracketProps = { rounds: readonly Round[]; first: Round | undefined; live: Round | undefined }

/** The chosen round and the followed team are stored in the address. */
function Bracket({ rounds, first, live }: BracketProps) {
  const isHydrated = useHydrated()
  const [search, setSearch] = useSearchParams()
  const paramOf = (name: string) => (isHydrated ? search.get(name) : null)
  const teamId = paramOf('team')
  const trail = trailOf(rounds, teamId)
  const change = (name: string, value: string | null) => {
    const next = new URLSearchParams(search)
    if (value === null) next.delete(name)
    else next.set(name, value)
    setSearch(next, { replace: true })
  }
  return (
    <>
      {trail ? (
        <TrailNote trail={trail} onEnd={() => change('team', null)} />
      ) : (
        rounds.length > 0 && (
          <p className="while-scripting mb-4 text-sm text-soft">
            {live && `${copy.live} `}
            {copy.followHint}
          </p>
        )
      )}
      <BracketView
        rounds={rounds}
        currentRound={live?.round ?? null}
        chosen={rounds.find(({ round }) => String(round) === paramOf('round')) ?? first}
        onChoose={(round) => change('round', String(round))}
        following={{
          teamId: trail && teamId,
          onFollow: (id) => change('team', id === teamId ? null : id),
        }}
      />
    </>
  )
}

function TournamentSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton className="h-72 w-full" />
      <Skeleton className="mt-4 h-12 w-full" />
      <Skeleton className="mt-8 h-96 w-full" />
    </div>
  )
}

export const page: Page = {
  Component: TournamentPage,
  queries: ({ id }) => [bracketQuery(id)],
  head: ({ client, params }) => {
    const bracket = client.getQueryData(bracketQuery(params.id).queryKey)
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
