import type { RankingRow } from '#contract/ranking.ts'
import { classPicture, NO_HEAD_PICTURE } from '#contract/characters.ts'
import { formatNumber } from '#contract/format.ts'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'

type Shown = {
  valueName: string
  /** The servers' names by id, as far as they are known. */
  serverNames: ReadonlyMap<string, string>
}

type Props = Shown & { rows: readonly RankingRow[] }

/** Where players are ranked by level, the level is not shown twice. */
const ranksLevels = (valueName: string) => valueName === copy.level

/** One player may have several characters there, and two servers the same name. */
const keyOf = ({ rank, server_id, name }: RankingRow) => `${rank}-${server_id}-${name}`

function detailsOf(row: RankingRow, { valueName, serverNames }: Shown): string {
  return [
    row.class_id !== null && (row.class_short_name ?? copy.unknown),
    row.level !== null && !ranksLevels(valueName) && copy.levelOf(row.level),
    serverNames.get(row.server_id) ?? copy.server(row.server_id),
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
          <strong className="mt-1 max-w-full text-[0.8125rem] wrap-anywhere sm:text-base">{row.name}</strong>
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
            <strong className="text-right tabular-nums">{formatNumber(row.value)}</strong>
          </li>
        ))}
    </ol>
  )
}

const cell = 'px-4 py-2.5'

export function RankingTable({ rows, valueName, serverNames, caption }: Props & { caption: string }) {
  const hasLevels = !ranksLevels(valueName)
  const behind = rows.filter((row) => !isPodium(row))
  if (behind.length === 0) return null
  return (
    <table className="hidden w-full border-collapse md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="text-left text-sm text-soft">
        <tr>
          {[copy.rank, copy.name, copy.class].map((head) => (
            <th key={head} scope="col" className={cell}>
              {head}
            </th>
          ))}
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
            <td className={cell}>
              <strong className="mr-2">{row.name}</strong>
              {row.is_mine && <You />}
              <span className="block text-sm text-soft">
                {copy.server(serverNames.get(row.server_id) ?? row.server_id)}
              </span>
            </td>
            <td className={cell}>{row.class_name ?? copy.unknown}</td>
            {hasLevels && <td className={`${cell} text-right tabular-nums`}>{row.level ?? copy.unknown}</td>}
            <td className={`${cell} text-right font-bold tabular-nums`}>{formatNumber(row.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type OwnProps = Shown & { mine: RankingRow | undefined }

/** The player's own place, at the bottom of the screen wherever the list is scrolled to. */
export function OwnPlace({ mine, ...shown }: OwnProps) {
  return (
    <section
      aria-label={copy.mine}
      className="own-place mt-4 flex min-h-16 items-center gap-3 rounded-t-xl border-t-4 border-vermilion bg-night px-4 py-2 text-on-night"
    >
      {mine ? (
        <>
          <Portrait row={mine} className="size-11" />
          <div className="min-w-0 flex-1">
            <span className="block text-sm text-on-night-soft">{copy.mine}</span>
            <strong className="wrap-anywhere">{mine.name}</strong>
          </div>
          <p className="shrink-0 text-right tabular-nums">
            <strong className="block text-xl leading-tight">{copy.place(formatNumber(mine.rank))}</strong>
            <span className="text-sm text-on-night-soft">
              {copy.amount(formatNumber(mine.value), shown.valueName)}
            </span>
          </p>
        </>
      ) : (
        <p>
          <strong className="block">{copy.notRanked}</strong>
          <span className="text-sm text-on-night-soft">{copy.howToBeRanked}</span>
        </p>
      )}
    </section>
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

/** A character's head; where the portal does not know it, that of its class. */
function Portrait({ row: { head, head_name, class_id }, className }: { row: RankingRow; className: string }) {
  const shape = `rounded-full ${className}`
  if (head !== null) return <CharacterHead head={head} name={head_name} className={shape} />
  return (
    <CharacterHead picture={class_id === null ? NO_HEAD_PICTURE : classPicture(class_id)} className={shape} />
  )
}

const PODIUM_RANKS = 3

const isPodium = ({ rank }: { rank: number }): boolean => rank <= PODIUM_RANKS
