import { serverNow } from '#client/server-clock.ts'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { ageText, momentText, vnd } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatDay, formatMoment, formatNumber } from '#contract/format.ts'
import type {
  ComparedFigures,
  operatorStatistics,
  StatisticsPeriod,
  StatisticsRow,
} from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from './overview.copy.ts'

const words = copy.comparison

type Compared = NonNullable<AnswerOf<typeof operatorStatistics.read>['compared']>
type Row = { id: string; label: string; now: string; before: string; comparison: string }

const columns: readonly Column<Row>[] = [
  column('figure', words.figure, ({ label }) => label, { isName: true }),
  column('now', words.now, ({ now }) => now, { isNumber: true }),
  column('before', words.before, ({ before }) => before, { isNumber: true }),
  column('comparison', words.comparison, ({ comparison }) => comparison),
]

/** Where nothing is known of the time before. */
const present = columns.filter(({ name }) => name === 'figure' || name === 'now')

/** Each figure of the chosen days beside that of as many days before. */
export function ComparedTable({ compared, label }: { compared: Compared | null; label: string }) {
  if (compared === null) return <p className="text-sm text-soft">{words.tooEarly}</p>
  const { now, before } = compared
  const rows = comparedFigures.flatMap(({ name, label, text }): Row[] => {
    const value = now.figures[name]
    if (value === null) return []
    const old = before?.figures[name] ?? null
    const comparison = comparisonText(value, old)
    return [
      { id: name, label, now: text(value), before: old === null ? kitCopy.time.none : text(old), comparison },
    ]
  })
  return (
    <div className="space-y-2">
      <p className="text-sm text-soft">
        {words.spans(momentText(now.from), momentText(now.to))}
        {before && ` ${words.beside(momentText(before.from), momentText(before.to))}`}
      </p>
      {before === null && <p className="text-sm text-soft">{words.nothingBefore}</p>}
      <DataTable label={label} columns={before === null ? present : columns} rows={rows} />
    </div>
  )
}

const PERCENT = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 1 })
/** Below it one decimal would show 0. */
const SHOWN_MIN = 0.05

/** How a figure is to that of the period before, in words; `before` is null where nothing is known of that. */
export function comparisonText(now: number, before: number | null): string {
  if (before === null) return words.unknown
  if (now === before) return words.same
  if (before === 0) return words.fromNothing
  const percent = (Math.abs(now - before) / Math.abs(before)) * 100
  const text = percent < SHOWN_MIN ? words.hardly : PERCENT.format(percent)
  return now > before ? words.more(text) : words.less(text)
}

type ComparedFigure = { name: keyof ComparedFigures; label: string; text: (value: number) => string }

const compared = (
  name: ComparedFigure['name'],
  label: string,
  text: ComparedFigure['text'] = formatNumber,
): ComparedFigure => ({ name, label, text })

/** The figures that are compared, in the order of the table. */
const comparedFigures: readonly ComparedFigure[] = [
  compared('money_in_total', copy.moneyIn, vnd),
  compared('issued', copy.issued),
  compared('spent', copy.spent),
  compared('refunded', copy.refunded),
  compared('in_wallets', copy.inWallets),
  compared('held', copy.held),
  compared('debts', copy.debts),
  compared('luong', copy.luong),
  compared('new_players', copy.newPlayers),
  compared('active_players', copy.activePlayers),
  compared('first_recharges', copy.firstRecharges),
]

const VIETNAM_OFFSET_MS = 7 * 3_600_000
const DAY_MS = 86_400_000

/** A day as the calls take it, so many days before today in Vietnam. */
export const todayInVietnam = (daysAgo = 0): string =>
  new Date(serverNow() + VIETNAM_OFFSET_MS - daysAgo * DAY_MS).toISOString().slice(0, 10)

export const moneyIn = ({ money_in: { momo, vietcombank, acb, other } }: StatisticsRow): number =>
  momo + vietcombank + acb + other

type Figure = {
  name: string
  label: string
  /** Null where it is not known. */
  of: (row: StatisticsRow) => number | null
  text: (value: number) => string
}

const figure = (
  name: string,
  label: string,
  of: Figure['of'],
  text: Figure['text'] = formatNumber,
): Figure => ({ name, label, of, text })

/** A figure of a row as it is read. */
export function textOf({ of, text }: Figure, row: StatisticsRow): string {
  const value = of(row)
  return value === null ? kitCopy.time.none : text(value)
}

/** The columns of the table, in its order. */
export const figures: readonly Figure[] = [
  figure('money', copy.moneyIn, moneyIn, vnd),
  figure('momo', copy.momo, ({ money_in }) => money_in.momo, vnd),
  figure('vietcombank', copy.vietcombank, ({ money_in }) => money_in.vietcombank, vnd),
  figure('acb', copy.acb, ({ money_in }) => money_in.acb, vnd),
  figure('other', copy.other, ({ money_in }) => money_in.other, vnd),
  figure('issued', copy.issued, ({ issued }) => issued),
  figure('spent', copy.spent, ({ spent }) => spent),
  figure('refunded', copy.refunded, ({ refunded }) => refunded),
  figure('wallets', copy.inWallets, ({ in_wallets }) => in_wallets),
  figure('held', copy.held, ({ held }) => held),
  figure('debts', copy.debts, ({ debts }) => debts),
  figure('luong', copy.luong, ({ luong }) => luong),
  figure('new', copy.newPlayers, ({ new_players }) => new_players),
  figure('active', copy.activePlayers, ({ active_players }) => active_players),
  figure('first', copy.firstRecharges, ({ first_recharges }) => first_recharges),
  figure('unmatched', copy.unmatched, ({ unmatched_age_s }) => unmatched_age_s, ageText),
]

/** Those that have a chart. */
export const charts: readonly Figure[] = figures.filter(({ name }) =>
  ['money', 'spent', 'new', 'active', 'unmatched'].includes(name),
)

export function periodText(start: string, by: StatisticsPeriod): string {
  if (by === 'hour') return formatMoment(start)
  return by === 'month' ? formatDay(start).slice(3) : formatDay(start)
}
