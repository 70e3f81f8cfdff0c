import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useQuery } from '#web/use-query.ts'
import { useParams, useSearchParams } from '#web/navigation.tsx'
import type { Tournament } from '#contract/tournaments.ts'
import { tournamentPhase, type TournamentPhase } from '#contract/tournament-phase.ts'
import { isListBeingClosed } from '#contract/tournament-rules.ts'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { isMissing } from '#client/call.ts'
import { Loaded, NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { BackLink } from '#web/parts/navigation/links.tsx'
import { BracketView } from '#web/features/tournaments/bracket-view.tsx'
import { championOf, firstShown, roundsOf, trailOf, type Round } from '#web/features/tournaments/bracket.ts'
import type { Bracket } from '#web/features/tournaments/live.ts'
import { CalledMatches, DrawNews, StateNote } from '#web/features/tournaments/live-notes.tsx'
import { Poster, StepLine, stepsOf } from '#web/features/tournaments/poster.tsx'
import { formatText } from '#web/features/tournaments/tournament-facts.tsx'
import {
  ChampionBanner,
  HowToJoin,
  NoChampion,
  Rules,
  TrailNote,
} from '#web/features/tournaments/tournament-notes.tsx'
import {
  CalendarLink,
  DrawCheck,
  OwnPart,
  ShareBracket,
  ShareResult,
  Teams,
} from '#web/features/tournaments/tournament-parts.tsx'
import { bracketQuery, drawQuery, ownTeamQuery } from '#web/features/tournaments/tournaments.api.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import { useLiveBracket } from '#web/features/tournaments/use-live-bracket.ts'
import type { Page } from '#web/page.ts'
import { useSession } from '#web/session/session-store.ts'
import { paths } from '#contract/pages.ts'
import { formatMoment } from '#contract/format.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import { useNow } from '#web/parts/time/use-now.ts'

function TournamentPage() {
  const { id } = useParams()
  const query = useLiveBracket(id)
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

const isOpen = (phase: TournamentPhase) => phase === 'announced' || phase === 'registering'

type InTimeProps = { bracket: Bracket; readAt_ms: number }

function TournamentInTime({ bracket, readAt_ms }: InTimeProps) {
  const { tournament, matches } = bracket
  // Server and browser begin with the time of the answer, so that both render the same HTML first.
  const [firstRead_ms] = useState(readAt_ms)
  const [isDue, setDue] = useState(false)
  const isWaiting = tournament.current_round === 0 || (tournament.drawn_at !== null && !isDue)
  const now_ms = useNow(isWaiting, firstRead_ms)
  if (isDue !== isShown(tournament, now_ms)) setDue(!isDue)
  const phase = tournamentPhase(tournament, new Date(now_ms))
  const rounds = useMemo(() => roundsOf(tournament, matches), [tournament, matches])
  // Rendering a large bracket takes a slow phone long: taps and everything else come first.
  const shown = useDeferredValue(rounds)
  const champion = championOf(rounds)?.name ?? tournament.winner
  const ownTeamId = useOwnTeamId(tournament.id)
  const isDrawn = tournament.drawn_at !== null
  // The names of teams that the draw has yet to show: events have their ids alone.
  useQuery({ ...drawQuery(tournament.id), enabled: phase === 'drawing' && isDrawn })
  const isRunning = phase === 'running' && champion === null
  const live = isRunning ? rounds.find(({ round }) => round === tournament.current_round) : undefined
  return (
    <>
      <Poster tournament={tournament} now_ms={now_ms} live={live?.name ?? null} />
      {champion !== null && <ChampionBanner name={champion} at={tournament.finished_at} />}
      {champion === null && tournament.finished_at !== null && <NoChampion />}
      <StepLine steps={stepsOf(tournament, rounds, now_ms)} tournament={tournament} />
      {tournament.paused_at !== null && isRunning && <StateNote>{copy.paused}</StateNote>}
      {isListBeingClosed(tournament) && <StateNote>{copy.listBeingClosed}</StateNote>}
      <div className="mt-6 space-y-8 md:mt-8">
        <OwnPart tournament={tournament} phase={phase} />
        {isRunning && (
          <CalledMatches
            matches={matches}
            rounds={rounds}
            ownTeamId={ownTeamId}

            start_ms={firstRead_ms}
          />
        )}
        {isOpen(phase) && <HowToJoin tournament={tournament} />}
        {phase === 'drawing' && isDrawn && (
          <DrawNews tournament={tournament} matches={matches} now_ms={now_ms} />
        )}
        <Section title={copy.schedule} className={phase === 'drawing' ? 'being-drawn' : undefined}>
          <BracketPart
            tournament={tournament}
            rounds={shown}
            first={firstShown(shown, tournament)}
            live={live}
            ownTeamId={ownTeamId}
          />
        </Section>
      </div>
      <div className="mt-8 border-t border-line">
        <Teams tournament={tournament} />
        <DrawCheck tournament={tournament} />
        <Rules tournament={tournament} />
      </div>
      {isOpen(phase) && <CalendarLink tournament={tournament} />}
    </>
  )
}

/** Whether the whole draw is public. */
const isShown = ({ draw_public_at }: Bracket['tournament'], now_ms: number) =>
  draw_public_at !== null && now_ms >= Date.parse(draw_public_at)

/** The team that the signed-in player plays in. */
function useOwnTeamId(id: string): string | null {
  const { status } = useSession()
  const { data } = useQuery({ ...ownTeamQuery(id), enabled: status === 'player' })
  return data?.state === 'admitted' ? data.id : null
}

type BracketProps = {
  tournament: Tournament
  rounds: readonly Round[]
  first: Round | undefined
  live: Round | undefined
  ownTeamId: string | null
}

/** The chosen round and the followed team are stored in the address; a player follows the own team before choosing. */
function BracketPart({ tournament, rounds, first, live, ownTeamId }: BracketProps) {
  const isHydrated = useHydrated()
  const [search, setSearch] = useSearchParams()
  const paramOf = (name: string) => (isHydrated ? search.get(name) : null)
  const chosenId = paramOf('team')
  const teamId = chosenId ?? ownTeamId
  const trail = trailOf(rounds, teamId)
  const change = useCallback(
    (name: string, value: string | null) => {
      const next = new URLSearchParams(search)
      if (value === null) next.delete(name)
      else next.set(name, value)
      setSearch(next, { replace: true })
    },
    [search, setSearch],
  )
  const onFollow = useCallback(
    (id: string) => change('team', id === chosenId ? null : id),
    [change, chosenId],
  )
  return (
    <>
      {trail ? (
        <TrailNote trail={trail} onEnd={chosenId === null ? undefined : () => change('team', null)}>
          {trail.state !== 'next' && (
            <ShareResult
              team={trail.name}
              result={copy.standings[trail.state](trail.state === 'out' ? trail.round : '')}
              tournament={tournament.name}
              type={tournament.type}
            />
          )}
        </TrailNote>
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
        following={{ teamId: trail && teamId, onFollow }}
      />
      {rounds.length > 0 && (
        <p className="mt-4">
          <ShareBracket tournament={tournament} rounds={rounds} />
        </p>
      )}
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
