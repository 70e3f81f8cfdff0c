import { useEffect, useMemo, type CSSProperties } from 'react'
import { CALL_SECONDS } from '#contract/tournament-rules.ts'
import type { Match, Tournament } from '#contract/tournaments.ts'
import { isMissing } from '#client/call.ts'
import { useParams, useSearchParams } from '#web/navigation.tsx'
import { NotFound } from '#web/parts/fallbacks/fallbacks.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { championOf, matchState, roundsOf, sidesOf, type Round } from '#web/features/tournaments/bracket.ts'
import { calledMatches, type Bracket } from '#web/features/tournaments/live.ts'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import { bracketQuery } from '#web/features/tournaments/tournaments.api.ts'
import { useLiveBracket } from '#web/features/tournaments/use-live-bracket.ts'
import type { Page } from '#web/page.ts'

/**
 * A tournament for stream software, over its own picture: `?layout=bracket` (also without one), `match` for what is being
 * played, `ticker` for one line with the results of the round.
 */
function OverlayPage() {
  const { id } = useParams()
  const query = useLiveBracket(id)
  const isHydrated = useHydrated()
  const [search] = useSearchParams()
  useEffect(() => {
    const { classList } = document.documentElement
    classList.add('is-overlay')
    return () => classList.remove('is-overlay')
  }, [])
  if (isMissing(query.error)) return <NotFound />
  const layout = search.get('layout')
  return (
    <div className="overlay">
      {/* The server does not know the layout. */}
      {isHydrated && query.data && <Layout bracket={query.data} layout={layout} />}
    </div>
  )
}

type LayoutProps = { bracket: Bracket; layout: string | null }

function Layout({ bracket, layout }: LayoutProps) {
  const { tournament, matches } = bracket
  const rounds = useMemo(() => roundsOf(tournament, matches), [tournament, matches])
  const champion = championOf(rounds)?.name ?? tournament.winner
  const props = { tournament, rounds, champion }
  return (
    <>
      <h1 className="sr-only">{tournament.name}</h1>
      {layout === 'match' && <MatchLayout {...props} />}
      {layout === 'ticker' && <TickerLayout {...props} />}
      {layout !== 'match' && layout !== 'ticker' && <BracketLayout {...props} />}
    </>
  )
}

type Props = {
  tournament: Tournament
  rounds: readonly Round[]
  champion: string | null
}

/** More matches than these, one below the other, cannot be read from a picture. */
const COLUMN_MAX = 8

/** From the round being played on. */
function BracketLayout({ tournament, rounds, champion }: Props) {
  const shown = rounds.filter(
    ({ round, isForLosers, matches }) =>
      !isForLosers &&
      matches.length <= COLUMN_MAX &&
      round >= Math.min(tournament.current_round, rounds.length - 2),
  )
  return (
    <div className="overlay-box p-4">
      <Heading name={tournament.name} detail={champion === null ? '' : `${copy.winner}: ${champion}`} />
      {shown.length === 0 && <p>{copy.noSchedule}</p>}
      <div className="flex gap-4">
        {shown.map((round) => (
          // A narrow picture has room for one round.
          <section key={round.round} className="flex flex-1 flex-col max-sm:not-first:hidden">
            <h2 className="text-lg text-on-night-soft">{round.name}</h2>
            <ol className="flex flex-1 flex-col justify-around gap-2">
              {round.matches.map((match) => (
                <li key={match.id} className="overlay-match">
                  <Sides match={match} />
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
    </div>
  )
}

const Heading = ({ name, detail }: { name: string; detail: string }) => (
  <p className="mb-2 flex flex-wrap justify-between gap-x-6">
    <strong className="wrap-anywhere">{name}</strong>
    <span>{detail}</span>
  </p>
)

function Sides({ match }: { match: Match }) {
  const isStarted = matchState(match) !== 'open'
  return (
    <>
      {sidesOf(match).map(({ id, name, wins, isWinner }, index) => (
        <p
          key={id ?? `open-${index}`}
          className={`flex justify-between gap-3 py-0.5 ${isWinner ? 'font-bold' : ''}`}
        >
          <span className="wrap-anywhere">{name ?? '…'}</span>
          {isStarted && <span className="tabular-nums">{wins}</span>}
        </p>
      ))}
    </>
  )
}

/** The match called last, else the next one of the round. */
function MatchLayout({ tournament, rounds, champion }: Props) {
  const matches = rounds.flatMap((round) => round.matches)
  const match = calledMatches(matches).at(-1) ?? nextMatch(tournament, matches)
  const round = rounds.find((one) => one.round === match?.round)
  if (champion !== null || !match || !round) {
    return (
      <div className="overlay-box p-4 text-center">
        <p>{tournament.name}</p>
        {champion !== null && (
          <p className="champion-name text-4xl font-bold wrap-anywhere">
            {copy.winner}: {champion}
          </p>
        )}
      </div>
    )
  }
  const [one, two] = sidesOf(match)
  return (
    <div className="overlay-box p-4">
      <Heading
        name={tournament.name}
        detail={`${copy.calledAt(round.name, match.position)} · ${copy.points(round.points)}`}
      />
      <div className="grid items-center gap-x-6 text-3xl max-sm:text-center sm:grid-cols-[1fr_auto_1fr]">
        <strong className="wrap-anywhere sm:text-right">{one.name ?? '…'}</strong>
        <span className="text-5xl font-bold tabular-nums">
          {one.wins}–{two.wins}
        </span>
        <strong className="wrap-anywhere">{two.name ?? '…'}</strong>
      </div>
      {match.called_at !== null && matchState(match) === 'called' && <Countdown calledAt={match.called_at} />}
    </div>
  )
}

function Countdown({ calledAt }: { calledAt: string }) {
  const now_ms = useNow(true)
  const left = Math.ceil(CALL_SECONDS - (now_ms - Date.parse(calledAt)) / 1_000)
  return (
    <p role="timer" className="mt-2 text-center tabular-nums">
      {left > 0 ? copy.secondsLeft(Math.min(left, CALL_SECONDS)) : copy.callOver}
    </p>
  )
}

const nextMatch = ({ current_round }: Tournament, matches: readonly Match[]) =>
  matches.find(
    (match) =>
      match.round === current_round &&
      matchState(match) === 'open' &&
      match.team1_id !== null &&
      match.team2_id !== null,
  )

const SECONDS_PER_ITEM = 5

/** The results of the round being played, and of the one before while it has none. */
function TickerLayout({ tournament, rounds, champion }: Props) {
  const started = rounds
    .filter(({ round }) => round <= tournament.current_round)
    .reverse()
    .map(({ name, matches }) => ({ name, matches: matches.filter((match) => matchState(match) !== 'open') }))
    .find(({ matches }) => matches.length > 0)
  const lines = [
    `${tournament.name}${champion === null ? '' : ` · ${copy.winner}: ${champion}`}`,
    ...(started?.matches.map((match) => `${started.name}: ${lineOf(match)}`) ?? []),
  ]
  const style = { '--ticker-time': `${lines.length * SECONDS_PER_ITEM}s` } as CSSProperties
  const items = lines.map((line) => (
    <li key={line} className="px-6 py-2">
      {line}
    </li>
  ))
  return (
    <div className="overlay-box overlay-ticker" style={style}>
      <ul>{items}</ul>
      {/* The same again, so that there is no gap before it begins anew. */}
      <ul aria-hidden="true">{items}</ul>
    </div>
  )
}

function lineOf(match: Match): string {
  const [one, two] = sidesOf(match)
  if (match.is_void) return `${one.name ?? '…'} – ${two.name ?? '…'}: ${copy.voidMatch}`
  return `${one.name ?? '…'} ${one.wins}–${two.wins} ${two.name ?? copy.bye}`
}

export const page: Page = {
  Component: OverlayPage,
  queries: ({ id }) => [bracketQuery(id)],
  head: ({ client, params }) => {
    const name = client.getQueryData(bracketQuery(params.id).queryKey)?.tournament.name
    return { ...(name && { title: name }), isIndexable: false }
  },
}
