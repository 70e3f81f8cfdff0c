import type { ReactNode } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { formatDay, formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import { roundName } from '#contract/tournament-rules.ts'
import type { Standing } from '#contract/tournament-standing.ts'
import type { TournamentResult } from '#contract/tournaments.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { Button } from '#ui/button.tsx'
import { useSearchParams } from '#web/navigation.tsx'
import { useSession } from '#web/session/session-store.ts'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'
import { pageIn, PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'
import { BackLink, TextLink } from '#web/parts/navigation/links.tsx'
import { useHydrated } from '#ui/use-hydrated.ts'
import { tournamentCopy } from '#web/features/tournaments/tournament.copy.ts'
import { ShareResult } from '#web/features/tournaments/tournament-parts.tsx'
import { characterResultsQuery, ownResultsQuery } from '#web/features/tournaments/tournaments.api.ts'
import type { Page } from '#web/page.ts'

const copy = {
  back: 'Giải đấu',
  own: 'Kết quả thi đấu của tôi',
  ownLead: 'Các giải bạn đã thi đấu, mới nhất trước.',
  ownNone: 'Bạn chưa thi đấu ở giải nào',
  ownNoneMore: 'Kết quả hiện ở đây sau khi giải của bạn chia cặp.',
  toTournaments: 'Xem các giải đấu',
  visitor: 'Đăng nhập để xem kết quả của bạn',
  visitorMore: 'Kết quả của một nhân vật mở được từ danh sách đội của mỗi giải.',
  login: 'Đăng nhập',
  titleOf: (name: string) => `Kết quả thi đấu của ${name}`,
  lead: 'Các giải mà nhân vật tên này đã thi đấu, mới nhất trước. Mỗi máy chủ có thể có một nhân vật cùng tên.',
  none: 'Chưa có giải nào',
  noneMore: 'Chưa có nhân vật nào tên này thi đấu ở một giải đã chia cặp.',
  as: (character: string, server: string | null) => (server === null ? character : `${character}, ${server}`),
  count: (won: string, lost: string) => `Thắng ${won} trận, thua ${lost} trận`,
} as const

/** With `?name=` the results of the characters of this name, without one those of the signed-in player. */
function ResultsPage() {
  const isHydrated = useHydrated()
  const [search] = useSearchParams()
  const { status } = useSession()
  const name = search.get('name')
  // The server does not know the address's query.
  if (isHydrated && name) return <CharacterResults name={name} />
  if (isHydrated && status === 'player') return <OwnResults />
  return (
    <Frame title={pages.results.title}>
      {isHydrated && status === 'anonymous' ? <VisitorNote /> : skeleton}
    </Frame>
  )
}

const VisitorNote = () => (
  <PageState title={copy.visitor} text={copy.visitorMore}>
    <Button onClick={() => openModal('login')}>{copy.login}</Button>
  </PageState>
)

function OwnResults() {
  const { page, turn } = usePageInAddress()
  const query = useQuery({ ...ownResultsQuery(page), staleTime: 0, placeholderData: keepPreviousData })
  return (
    <Frame title={copy.own} lead={copy.ownLead}>
      <PagedList
        query={query}
        page={page}
        onTurn={turn}
        skeleton={skeleton}
        empty={
          <EmptyList
            title={copy.ownNone}
            text={copy.ownNoneMore}
            to={paths.tournaments}
            linkText={copy.toTournaments}
          />
        }
      >
        {(results) => <Results results={results} isOwn />}
      </PagedList>
    </Frame>
  )
}

function CharacterResults({ name }: { name: string }) {
  const [search, setSearch] = useSearchParams()
  const page = pageIn(search)
  const query = useQuery({ ...characterResultsQuery(name, page), placeholderData: keepPreviousData })
  const known = query.data?.data[0]?.character_name
  return (
    // The address may hold any text: only a name that somebody has played under is repeated.
    <Frame title={known === undefined ? pages.results.title : copy.titleOf(known)} lead={copy.lead}>
      <PagedList
        query={query}
        page={page}
        onTurn={(next, options) => setSearch({ name, ...(next > 1 && { page: String(next) }) }, options)}
        skeleton={skeleton}
        empty={<PageState picture="empty" title={copy.none} text={copy.noneMore} />}
      >
        {(results) => <Results results={results} />}
      </PagedList>
    </Frame>
  )
}

const skeleton = <Skeletons count={4} each="h-32 w-full" className="space-y-3" />

const Frame = ({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) => (
  <div className="shell-width pt-2">
    <BackLink to={paths.tournaments}>{copy.back}</BackLink>
    <h1 className="brush-title text-2xl wrap-anywhere sm:text-3xl">{title}</h1>
    <p className="mt-3 mb-4 max-w-text text-soft">{lead}</p>
    {/* The footer is out of sight until the results are there. */}
    <div className="min-h-[75dvh]">{children}</div>
  </div>
)

const tones: Record<Standing, BadgeTone> = {
  champion: 'success',
  second: 'success',
  third: 'success',
  fourth: 'note',
  out: 'note',
  next: 'waiting',
}

type ListProps = { results: readonly TournamentResult[]; isOwn?: boolean }

const Results = ({ results, isOwn = false }: ListProps) => (
  <ul className="space-y-3">
    {results.map((result) => (
      <li key={result.team_id} className="rounded-xl border border-line bg-raised px-4 py-3">
        <Result result={result} isOwn={isOwn} />
      </li>
    ))}
  </ul>
)

function Result({ result, isOwn }: { result: TournamentResult; isOwn: boolean }) {
  const { tournament_id, tournament_name, team_id, team_name, standing, round, max_round } = result
  const text = tournamentCopy.standings[standing](roundName(round, max_round))
  return (
    <>
      <p className="flex flex-wrap items-center justify-between gap-x-4">
        <TextLink to={`${paths.tournament(tournament_id)}?team=${team_id}`}>
          <span className="min-w-0 wrap-anywhere">{tournament_name}</span>
        </TextLink>
        <Badge tone={tones[standing]}>{text}</Badge>
      </p>
      <p className="wrap-anywhere">
        <strong>{team_name}</strong>{' '}
        <span className="text-sm text-soft">{copy.as(result.character_name, result.server_name)}</span>
      </p>
      <p className="text-sm text-soft tabular-nums">
        {formatDay(result.competition_start_at)} ·{' '}
        {copy.count(formatNumber(result.won), formatNumber(result.lost))}
      </p>
      {isOwn && standing !== 'next' && (
        <p className="mt-2">
          <ShareResult team={team_name} result={text} tournament={tournament_name} type={result.type} />
        </p>
      )}
    </>
  )
}

export const page: Page = { Component: ResultsPage, head: () => ({ isIndexable: false }) }
