import type { RankingRow } from '#contract/ranking.ts'
import { CLASS_NAMES, CLASS_SHORT_NAMES } from '#contract/class-names.ts'
import { formatNumber } from '#contract/format-number.ts'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'

type Props = {
  rows: readonly RankingRow[]
  valueName: string
  /** The servers' names by id, as far as they are known. */
  serverNames: ReadonlyMap<string, string>
}

/** Where players are ranked by level, the level is not shown twice. */
const ranksLevels = (valueName: string) => valueName === copy.level

const nameOf = (names: readonly string[], { class_id }: RankingRow) => names[class_id ?? -1] ?? copy.unknown

/** One player may have several characters there, and two servers the same name. */
const keyOf = ({ rank, server_id, name }: RankingRow) => `${rank}-${server_id}-${name}`

/** The ranking on a phone: rank, who, and how much; the rest below the name. */
export function RankingList({ rows, valueName, serverNames }: Props) {
  return (
    <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised md:hidden">
      {rows.map((row) => (
        <li
          key={keyOf(row)}
          className={`flex items-center gap-3 px-3 py-2.5 ${row.is_mine ? 'bg-wash' : ''}`}
        >
          <Rank rank={row.rank} />
          <div className="min-w-0 flex-1">
            <strong className="flex items-center gap-2">
              <span className="min-w-0 truncate">{row.name}</span>
              {row.is_mine && <You />}
            </strong>
            <span className="block truncate text-sm text-soft">
              {[
                row.class_id !== null && nameOf(CLASS_SHORT_NAMES, row),
                row.level !== null && !ranksLevels(valueName) && copy.levelOf(row.level),
                serverNames.get(row.server_id) ?? copy.server(row.server_id),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </div>
          <span className="text-right">
            <span className="block text-xs text-soft">{valueName}</span>
            <strong className="tabular-nums">{formatNumber(row.value)}</strong>
          </span>
        </li>
      ))}
    </ol>
  )
}

const cell = 'px-4 py-2.5'

export function RankingTable({ rows, valueName, serverNames, caption }: Props & { caption: string }) {
  const hasLevels = !ranksLevels(valueName)
  return (
    <table className="hidden w-full border-collapse overflow-hidden rounded-xl border border-line bg-raised md:table">
      <caption className="sr-only">{caption}</caption>
      <thead className="bg-sunken text-left text-sm">
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
        {rows.map((row) => (
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
            <td className={cell}>{nameOf(CLASS_NAMES, row)}</td>
            {hasLevels && <td className={`${cell} text-right tabular-nums`}>{row.level ?? copy.unknown}</td>}
            <td className={`${cell} text-right font-bold tabular-nums`}>{formatNumber(row.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const SEALED_RANKS = 3

/** The first three carry a seal. */
function Rank({ rank }: { rank: number }) {
  const isSealed = rank <= SEALED_RANKS
  return (
    <span
      className={`grid h-9 min-w-9 shrink-0 place-items-center px-1 font-bold tabular-nums ${isSealed ? 'seal' : 'text-soft'}`}
    >
      {formatNumber(rank)}
    </span>
  )
}

function You() {
  return (
    <span className="shrink-0 rounded-md border border-vermilion px-1.5 text-xs font-bold text-vermilion">
      {copy.you}
    </span>
  )
}
