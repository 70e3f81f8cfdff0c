import { type ReactNode, useEffect, useState } from 'react'
import { useQuery } from '#web/use-query.ts'
import { REFETCH_INTERVAL_MS } from '#contract/constants.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import type { getOwnHome } from '#contract/home/own-home.ts'
import type { getCheckIn } from '#contract/rewards/check-in.ts'
import { pages, paths } from '#contract/pages.ts'
import type { PostSummary } from '#contract/posts.ts'
import type { User } from '#contract/users.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'
import { currentPhase, currentTournamentQuery } from '#web/features/posts/current-tournament.ts'
import { homeCopy as common } from '#web/features/posts/home.copy.ts'
import { newPostsQuery } from '#web/features/posts/posts.api.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { isBanned } from '#web/session/session-store.ts'
import { useNow } from '#web/parts/time/use-now.ts'
import { ownQuery } from '#web/query-client.ts'

/** The texts of what stands on the home page for a player alone; the page of visitors does not load them. */
const copy = {
  level: (level: number) => `Cấp ${level}`,
  rank: (rank: string) => `hạng ${rank}`,
  up: (ranks: string) => `▲ lên ${ranks}`,
  down: (ranks: string) => `▼ xuống ${ranks}`,
  same: 'giữ hạng',
  isNew: 'mới vào bảng',
  deliveries: (count: string) => `Đang giao ${count} món`,
  toCharacter: (character: string) => `Cho ${character}`,
  nextMatch: 'Trận tiếp theo',
  calledMatch: 'Đến lượt đội của bạn',
  against: (team: string) => `Gặp ${team}`,
  latestPost: 'Tin mới nhất',
  newPosts: (count: string) => `${count} tin mới từ lần trước`,
  takeGoods: 'Nhận quà hôm nay',
  play: 'Vào game',
  servers: (count: string, minutes: number) =>
    `${minutes === 0 ? 'Vừa xong' : `${minutes} phút trước`} · ${count} máy chủ`,
  online: (players: string) => `${players} người đang chơi`,
} as const

type OwnHome = AnswerOf<typeof getOwnHome>

const ownHomeQuery = ownQuery<typeof getOwnHome>('/home')

type Own = { picture: IconName | ReactNode; label: string; text: string; to: string; isUrgent?: boolean }

/** What matters to this player now, each with a link: always six, so that nothing moves when the answer comes. */
export function OwnCards({ user }: { user: User }) {
  const { data: home } = useQuery({
    ...ownHomeQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (isMoving(state.data) ? REFETCH_INTERVAL_MS : false),
  })
  const cards: Own[] = [
    characterCard(home),
    openCard(home, user),
    balanceOrDelivery(home, user),
    useMatchCard(home),
    usePostsCard(),
    useLastCard(home),
  ]
  return (
    <ul className="shell-width grid h-full grid-cols-2 content-center gap-2 sm:grid-cols-3 xl:grid-cols-6">
      {cards.map(({ picture, label, text, to, isUrgent }, index) => (
        // Each place has one meaning, whatever it shows.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="min-w-0">
          <Link
            to={to}
            className={`flex h-[4.75rem] items-center gap-1.5 overflow-hidden rounded-xl border px-1.5 sm:gap-2.5 sm:px-2.5 hover:text-vermilion ${isUrgent ? 'border-vermilion bg-wash' : 'border-line bg-raised'}`}
          >
            {/* Gives its room to a word that has none, after the words have given up all they can (99 times as fast). */}
            <span className="min-w-0 overflow-hidden">
              {typeof picture === 'string' ? (
                <Icon name={picture as IconName} className="size-5 text-vermilion" />
              ) : (
                picture
              )}
            </span>
            <span className="max-w-full min-w-min shrink-[99]">
              <span className="line-clamp-2 text-xs leading-tight text-soft">{label}</span>
              <strong className="line-clamp-2 text-[0.8125rem] leading-tight wrap-break-word sm:text-sm">
                {text}
              </strong>
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Whether something of it may end while the page is open. */
const isMoving = (home: OwnHome | undefined): boolean =>
  home !== undefined && (home.order !== null || home.deliveries.open > 0 || home.match !== null)

function characterCard(home: OwnHome | undefined): Own {
  const character = home?.character
  if (!character)
    return { picture: 'people', label: common.watch, text: pages.ranking.title, to: paths.ranking }
  const { name, head, head_name, level, place } = character
  return {
    picture: <CharacterHead head={head} name={head_name} className="size-8 rounded-lg" />,
    label: place ? `${movement(place)} · ${place.ranking}` : copy.level(level),
    text: place ? `${name} · ${copy.rank(formatNumber(place.rank))}` : name,
    to: paths.ranking,
  }
}

function movement({ rank, previous_rank: before }: { rank: number; previous_rank: number | null }): string {
  if (before === null) return copy.isNew
  if (before === rank) return copy.same
  return before > rank ? copy.up(formatNumber(before - rank)) : copy.down(formatNumber(rank - before))
}

function openCard(home: OwnHome | undefined, user: User): Own {
  if (home?.order) {
    const { code, amount } = home.order
    return {
      picture: 'clock',
      label: common.openOrder,
      text: common.toPay(formatNumber(amount)),
      to: paths.order(code),
      isUrgent: true,
    }
  }
  return { picture: 'exchange', label: common.next, ...nextOf(user) }
}

function balanceOrDelivery(home: OwnHome | undefined, user: User): Own {
  const newest = home?.deliveries.newest
  if (home && newest) {
    return {
      picture: 'clock',
      label: copy.deliveries(formatNumber(home.deliveries.open)),
      text: copy.toCharacter(newest.character_name),
      to: home.deliveries.open === 1 ? paths.deliveries(newest.id) : paths.deliveries(),
    }
  }
  return {
    picture: 'wallet',
    label: common.balance,
    text: `${formatNumber(user.balance)} TCoin`,
    to: paths.transactions,
  }
}

/** The player's next match, else the tournament that runs or comes next. */
function useMatchCard(home: OwnHome | undefined): Own {
  const { data: tournament } = useQuery({ ...currentTournamentQuery, refetchOnMount: false })
  const now_ms = useNow(Boolean(tournament))
  const phase = tournament ? currentPhase(tournament, new Date(now_ms)) : null
  if (home?.match) {
    const { tournament_id, tournament: name, opponent, is_called } = home.match
    return {
      picture: 'calendar',
      label: is_called ? copy.calledMatch : copy.nextMatch,
      text: opponent === null ? name : copy.against(opponent),
      to: paths.tournament(tournament_id),
      isUrgent: is_called,
    }
  }
  return tournament && phase
    ? {
        picture: 'calendar',
        label: common.nowTournament[phase],
        text: tournament.name,
        to: paths.tournament(tournament.id),
      }
    : { picture: 'calendar', label: common.watch, text: pages.tournaments.title, to: paths.tournaments }
}

/** What was announced since the last visit with this browser. */
function usePostsCard(): Own {
  const { count, newest } = useNewPosts()
  if (newest === undefined)
    return { picture: 'bell', label: common.watch, text: pages.notices.title, to: paths.notices }
  return {
    picture: 'bell',
    label: newest.title,
    text: count === 0 ? copy.latestPost : copy.newPosts(formatNumber(count)),
    to: paths.post(newest.id),
  }
}

const LAST_HOME_KEY = 'last-home'

/** The newest post, and how many are newer than the last one that this browser has shown at an earlier visit. */
function useNewPosts(): { newest: PostSummary | undefined; count: number } {
  const { data: posts = [] } = useQuery({ ...newPostsQuery, refetchOnMount: false })
  const [seen] = useState(() => readStored<{ at: string }>(LAST_HOME_KEY).at)
  const newest = posts[0]
  const at = newest?.created_at
  useEffect(() => {
    if (at !== undefined) writeStored(LAST_HOME_KEY, JSON.stringify({ at }))
  }, [at])
  return { newest, count: seen === undefined ? 0 : posts.filter((post) => post.created_at > seen).length }
}

/** Today's check-in while there is something to take; else the servers. */
function useLastCard(home: OwnHome | undefined): Own {
  const { data } = useQuery(ownQuery<typeof getCheckIn>('/check-in'))
  const today = data?.days.find(({ date }) => date === data.today)
  const servers = useServersCard(home)
  return data?.is_open && today?.claimed === false
    ? { picture: 'gift', label: pages.checkIn.title, text: copy.takeGoods, to: paths.checkIn, isUrgent: true }
    : servers
}

const MINUTE_MS = 60_000

/** What the game last said of its servers, with its age. */
function useServersCard(home: OwnHome | undefined): Own {
  const game = home?.game ?? null
  const now_ms = useNow(game !== null)
  const online = game?.servers.flatMap((server) => server.online ?? []) ?? []
  if (game === null || online.length === 0)
    return { picture: 'download', label: copy.play, text: pages.download.title, to: paths.download }
  const minutes = Math.max(0, Math.floor((now_ms - Date.parse(game.at)) / MINUTE_MS))
  return {
    picture: 'people',
    label: copy.servers(formatNumber(online.length), minutes),
    text: copy.online(formatNumber(online.reduce((sum, players) => sum + players, 0))),
    to: paths.download,
  }
}

/** What somebody without anything to pay does next. */
function nextOf(user: User): Pick<Own, 'text' | 'to'> {
  const page = isBanned(user) ? pages.transactions : user.balance > 0 ? pages.exchange : pages.recharge
  return { text: page.title, to: page.path }
}
