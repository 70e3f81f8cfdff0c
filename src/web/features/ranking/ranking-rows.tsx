import { RANKING_ROWS } from '#contract/constants.ts'
import type { RankingRow } from '#contract/ranking.ts'
import { classPicture, NO_HEAD_PICTURE } from '#contract/characters.ts'
import { formatNumber } from '#contract/format.ts'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'

export type Shown = {
  valueName: string
  /** The servers' names by id, as far as they are known. */
  serverNames: ReadonlyMap<string, string>
  /** Of characters, which have class, level and server; otherwise of nicknames. */
  isOfGame: boolean
  /** With the ranks of the day before. */
  isCompared: boolean
}

type Props = Shown & { rows: readonly RankingRow[] }

/** Where players are ranked by level, the level is not shown twice. */
const ranksLevels = (valueName: string) => valueName === copy.level

/** One player may have several characters there, and two servers the same name. */
const keyOf = ({ rank, server_id, name }: RankingRow) => `${rank}-${server_id ?? ''}-${name}`

function serverOf(id: string, { serverNames }: Pick<Shown, 'serverNames'>): string {
  return copy.server(serverNames.get(id) ?? id)
}

export type Details = Pick<RankingRow, 'class_id' | 'class_short_name' | 'level' | 'server_id'>

export function detailsOf(row: Details, { valueName, serverNames }: Shown): string {
  return [
    row.class_id !== null && (row.class_short_name ?? copy.unknown),
    row.level !== null && !ranksLevels(valueName) && copy.levelOf(row.level),
    row.server_id !== null && (serverNames.get(row.server_id) ?? copy.server(row.server_id)),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** The first three, the first one in the middle and highest. */
export function Podium({ rows, ...shown }: Props) {
  const first = rows.filter(isPodium)
  if (first.length === 0) return null
  return (
    <ol className="podium mx-auto mb-5 flex max-w-xl items-end justify-center gap-2">
      {first.map((row) => (
        <li
          key={keyOf(row)}
          data-rank={row.rank}
          className="flex min-w-0 flex-1 flex-col items-center text-center"
        >
          <Portrait row={row} className={row.rank === 1 ? 'size-20' : 'size-14'} />
          <strong className="mt-1 max-w-full text-[0.8125rem] wrap-anywhere max-[19.99rem]:text-[0.6875rem] sm:text-base">
            {row.name}
          </strong>
          {row.is_mine && <You />}
          <span className="text-xs text-soft">{detailsOf(row, shown)}</span>
          <span className="podium-step mt-2 flex w-full flex-col items-center rounded-t-lg border-t-4 border-vermilion bg-sunken px-1 pt-2">
            <span className="seal grid size-8 place-items-center text-lg">
              <span className="sr-only">{copy.rank} </span>
              {row.rank}
            </span>
            <strong className="mt-1 max-w-full text-sm wrap-anywhere tabular-nums">
              {formatNumber(row.value)}
            </strong>
            <span className="text-xs text-soft">{shown.valueName}</span>
            {shown.isCompared && <Movement row={row} />}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Those behind the podium, on a phone: rank, who, and how much. */
export function RankingList({ rows, ...shown }: Props) {
  return (
    <ol className="divide-y divide-line md:hidden">
      {rows
        .filter((row) => !isPodium(row))
        .map((row) => (
          <li
            key={keyOf(row)}
            className={`flex items-center gap-3 py-2.5 ${row.is_mine ? '-mx-2 rounded-lg bg-wash px-2' : ''}`}
          >
            <Rank rank={row.rank} />
            <div className="min-w-0 flex-1">
              <strong className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
                {row.name}
                {row.is_mine && <You />}
              </strong>
              <span className="block text-sm text-soft">{detailsOf(row, shown)}</span>
            </div>
            <div className="text-right tabular-nums">
              <strong className="block">{formatNumber(row.value)}</strong>
              {shown.isCompared && <Movement row={row} />}
            </div>
          </li>
        ))}
    </ol>
  )
}

const cell = 'px-4 py-2.5'

export function RankingTable({ rows, caption, ...shown }: Props & { caption: string }) {
  const { valueName, isOfGame, isCompared } = shown
  const hasLevels = isOfGame && !ranksLevels(valueName)
  const behind = rows.filter((row) => !isPodium(row))
  if (behind.length === 0) return null
  return (
    <table className="hidden w-full border-collapse md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-sm text-soft">
        <tr>
          {[copy.rank, isCompared && copy.movement, copy.name, isOfGame && copy.class].map(
            (head) =>
              head && (
                <th key={head} scope="col" className={cell}>
                  {head}
                </th>
              ),
          )}
          {hasLevels && (
            <th scope="col" className={`${cell} text-right`}>
              {copy.level}
            </th>
          )}
          <th scope="col" className={`${cell} text-right`}>
            {valueName}
          </th>
        </tr>
      </thead>
      <tbody>
        {behind.map((row) => (
          <tr key={keyOf(row)} className={`border-t border-line ${row.is_mine ? 'bg-wash' : ''}`}>
            <td className={`${cell} w-20`}>
              <Rank rank={row.rank} />
            </td>
            {isCompared && (
              <td className={`${cell} w-44`}>
                <Movement row={row} />
              </td>
            )}
            <td className={cell}>
              <strong className="mr-2">{row.name}</strong>
              {row.is_mine && <You />}
              {row.server_id !== null && (
                <span className="block text-sm text-soft">{serverOf(row.server_id, shown)}</span>
              )}
            </td>
            {isOfGame && <td className={cell}>{row.class_name ?? copy.unknown}</td>}
            {hasLevels && <td className={`${cell} text-right tabular-nums`}>{row.level ?? copy.unknown}</td>}
            <td className={`${cell} text-right font-bold tabular-nums`}>{formatNumber(row.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Rank = ({ rank }: { rank: number }) => (
  <span className="min-w-9 shrink-0 text-center font-bold text-soft tabular-nums">{formatNumber(rank)}</span>
)

function You() {
  return (
    <span className="shrink-0 rounded-md border border-vermilion px-1.5 text-xs font-bold text-vermilion">
      {copy.you}
    </span>
  )
}

type MovementProps = { row: Pick<RankingRow, 'rank' | 'previous_rank'>; className?: string }

/** How the rank has changed since the day before: a sign to look at, words to listen to. */
export function Movement({ row: { rank, previous_rank }, className = 'text-soft' }: MovementProps) {
  const ranks = previous_rank === null ? 0 : previous_rank - rank
  const [sign, words] =
    previous_rank === null
      ? rank > RANKING_ROWS
        ? []
        : [copy.new, copy.newLong]
      : ranks > 0
        ? [`▲ ${formatNumber(ranks)}`, copy.up(formatNumber(ranks))]
        : ranks < 0
          ? [`▼ ${formatNumber(-ranks)}`, copy.down(formatNumber(-ranks))]
          : [copy.unknown, copy.same]
  if (sign === undefined) return null
  return (
    <span className={`block text-xs whitespace-nowrap tabular-nums ${className}`}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{words}</span>
    </span>
  )
}

type PortraitProps = { row: Pick<RankingRow, 'head' | 'head_name' | 'class_id'>; className: string }

/** A character's head; where the portal does not know it, that of its class. */
export function Portrait({ row: { head, head_name, class_id }, className }: PortraitProps) {
  const shape = `rounded-full ${className}`
  if (head !== null) return <CharacterHead head={head} name={head_name} className={shape} />
  return (
    <CharacterHead picture={class_id === null ? NO_HEAD_PICTURE : classPicture(class_id)} className={shape} />
  )
}

const PODIUM_RANKS = 3

const isPodium = ({ rank }: { rank: number }): boolean => rank <= PODIUM_RANKS
