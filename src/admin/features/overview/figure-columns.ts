import { formatNumber } from '#contract/format-number.ts'
import type { StatisticsPeriod, StatisticsRow } from '#contract/operator/statistics.ts'
import { formatDay, formatMoment } from '#contract/vietnam-time.ts'
import { overviewCopy as copy } from '#admin/features/overview/overview.copy.ts'
import { ageText, vnd } from '#admin/kit/format.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'

const VIETNAM_OFFSET_MS = 7 * 3_600_000
const DAY_MS = 86_400_000

/** A day as the calls take it, so many days before today in Vietnam. */
export const todayInVietnam = (daysAgo = 0): string =>
  new Date(Date.now() + VIETNAM_OFFSET_MS - daysAgo * DAY_MS).toISOString().slice(0, 10)

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

/** Those that are drawn as well. */
export const charts: readonly Figure[] = figures.filter(({ name }) =>
  ['money', 'spent', 'new', 'active', 'unmatched'].includes(name),
)

export function periodText(start: string, by: StatisticsPeriod): string {
  if (by === 'hour') return formatMoment(start)
  return by === 'month' ? formatDay(start).slice(3) : formatDay(start)
}
