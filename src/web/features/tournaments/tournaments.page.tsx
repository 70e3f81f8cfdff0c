import { useQuery } from '#web/use-query.ts'
import { Link } from '#web/navigation.tsx'
import type { Tournament } from '#contract/tournaments.ts'
import { Section } from '#ui/section.tsx'
import { Skeletons } from '#ui/skeleton.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { Loaded, EmptyList } from '#web/parts/fallbacks/fallbacks.tsx'
import {
  championsOf,
  inOrder,
  leftText,
  nextDate,
  type Champion,
  type Ordered,
} from '#web/features/tournaments/schedule.ts'
import {
  PhaseBadge,
  PosterArt,
  factsCopy,
  formatText,
  namedFeeText,
} from '#web/features/tournaments/tournament-facts.tsx'
import { tournamentsQuery } from '#web/features/tournaments/tournaments.api.ts'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { maxTeams } from '#contract/tournament-rules.ts'
import { lazyComponent } from '#web/load-chunk.tsx'
import { useSession } from '#web/session/session-store.ts'
import { useNow } from '#web/parts/time/use-now.ts'

/** The texts of the list. */
const copy = {
  invitationsFailed: 'Chưa tải được lời mời vào đội',
  description: 'Các giải đấu của làng ninja: ngày đăng ký, ngày thi đấu, nhánh đấu và kết quả từng vòng.',
  lead: 'Lịch, thể lệ, giải thưởng và kết quả từng trận.',
  ownResults: 'Kết quả của tôi',
  parts: { next: 'Sắp tới', running: 'Đang diễn ra', past: 'Đã qua' },
  registrationAt: (moment: string) => `Mở đăng ký ${moment}`,
  competitionAt: (moment: string) => `Thi đấu ${moment}`,
  wonBy: (team: string) => `Vô địch: ${team}`,
  left: {
    registration: (left: string) => `Mở đăng ký sau ${left}`,
    competition: (left: string) => `Thi đấu sau ${left}`,
  },
  teams: (count: string) => `${count} đội`,
  teamsOf: (count: string, most: string) => `${count}/${most} đội`,
  hallOfFame: 'Bảng vàng',
  hallTable: { day: 'Ngày', tournament: 'Giải', champion: 'Vô địch' },
  none: 'Chưa có giải đấu nào được công bố.',
  noneMore: 'Tin về giải đấu mới sẽ có ở trang chủ.',
  toHome: 'Về trang chủ',
} as const

function TournamentsPage() {
  const query = useQuery(tournamentsQuery)
  const now_ms = useNow(true, query.dataUpdatedAt)
  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.tournaments.title}</h1>
      <p className="mt-3 max-w-text text-soft">{copy.lead}</p>
      <TextLink to={paths.results} className="mb-4">
        {copy.ownResults}&nbsp;→
      </TextLink>
      <Loaded query={query} skeleton={<Skeletons count={4} each="h-72 w-full" className={gridClass} />}>
        {(tournaments) =>
          tournaments.length === 0 ? (
            <EmptyList title={copy.none} text={copy.noneMore} to={paths.home} linkText={copy.toHome} />
          ) : (
            <>
              <Invitations />
              <Posters ordered={inOrder(tournaments, now_ms)} now_ms={now_ms} />
              <HallOfFame champions={championsOf(tournaments)} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}

const gridClass = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3'

/** Running tournaments come first. */
const PARTS = ['running', 'next', 'past'] as const

function Posters({ ordered, now_ms }: { ordered: Ordered; now_ms: number }) {
  const filled = PARTS.filter((part) => ordered[part].length > 0)
  return (
    <div className="space-y-8">
      {filled.map((part) => (
        <Section key={part} title={copy.parts[part]}>
          <ul className={gridClass}>
            {ordered[part].map((tournament) => (
              <PosterCard key={tournament.id} tournament={tournament} now_ms={now_ms} />
            ))}
          </ul>
        </Section>
      ))}
    </div>
  )
}

/** Loaded for signed-in players alone. */
const OwnInvitations = lazyComponent<{ className: string }>(
  () => import('#web/parts/tournaments/own-invitations.tsx').then((part) => part.OwnInvitations),
  { failed: copy.invitationsFailed },
)

function Invitations() {
  const { status } = useSession()
  return status === 'player' && <OwnInvitations className="mb-8" />
}

/** Who has won so far, the latest first. */
function HallOfFame({ champions }: { champions: readonly Champion[] }) {
  if (champions.length === 0) return null
  const { day, tournament, champion } = copy.hallTable
  return (
    <Section title={copy.hallOfFame} className="mt-8 overflow-x-auto">
      <table className="w-full text-left">
        <thead className="text-sm text-soft">
          <tr>
            <th className="py-2 pr-4 font-normal">{day}</th>
            <th className="py-2 pr-4 font-normal">{tournament}</th>
            <th className="py-2 font-normal">{champion}</th>
          </tr>
        </thead>
        <tbody>
          {champions.map(({ id, name, winner, at }) => (
            <tr key={id} className="border-t border-line align-top">
              <td className="py-2 pr-4 tabular-nums">{formatDay(at)}</td>
              <td className="py-2 pr-4 wrap-break-word">{name}</td>
              <td className="py-2 font-bold wrap-break-word">
                <Link to={paths.tournament(id)} className="text-vermilion underline">
                  {winner}
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}

function PosterCard({ tournament, now_ms }: { tournament: Tournament; now_ms: number }) {
  const { id, name, type, prize } = tournament
  const next = nextDate(tournament, now_ms)
  return (
    <li
      data-phase={tournamentPhase(tournament, new Date(now_ms))}
      className="poster group relative flex flex-col overflow-hidden rounded-2xl bg-night text-on-night"
    >
      <PosterArt type={type} className="h-28 w-full" />
      <div className="flex flex-1 flex-col items-start gap-2 p-4">
        <PhaseBadge tournament={tournament} now_ms={now_ms} />
        <h3 className="text-xl">
          <Link to={paths.tournament(id)} className="after:absolute after:inset-0 group-hover:underline">
            {name}
          </Link>
        </h3>
        <p className="text-sm text-on-night-soft">
          {formatText(tournament)} · {namedFeeText(tournament)}
        </p>
        {prize !== '' && (
          <p className="wrap-anywhere">
            <span className="text-on-night-soft">{factsCopy.prize}:</span> {prize}
          </p>
        )}
        <p className="mt-auto pt-1 text-sm text-on-night-soft">{teamsText(tournament)}</p>
        <p className="font-bold tabular-nums">
          {dateText(tournament, now_ms)}
          {next && (
            <span className="block text-sm font-normal">{copy.left[next.of](leftText(next.left_ms))}</span>
          )}
        </p>
      </div>
    </li>
  )
}

function teamsText({ team_count, max_round }: Tournament): string {
  const most = maxTeams(max_round)
  const count = formatNumber(team_count)
  return most === null ? copy.teams(count) : copy.teamsOf(count, formatNumber(most))
}

/** The next date of a tournament, or its winner. */
function dateText(tournament: Tournament, now_ms: number): string {
  const { registration_start_at, competition_start_at, winner } = tournament
  if (winner !== null) return copy.wonBy(winner)
  return nextDate(tournament, now_ms)?.of === 'registration'
    ? copy.registrationAt(formatMoment(registration_start_at))
    : copy.competitionAt(formatMoment(competition_start_at))
}

export const page: Page = {
  Component: TournamentsPage,
  queries: () => [tournamentsQuery],
  head: () => ({ description: copy.description }),
}
