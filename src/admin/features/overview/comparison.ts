import { formatNumber } from '#contract/format-number.ts'
import type { ComparedFigures } from '#contract/operator/statistics.ts'
import { overviewCopy as copy } from '#admin/features/overview/overview.copy.ts'
import { vnd } from '#admin/kit/format.ts'

const words = copy.comparison

const PERCENT = new Intl.NumberFormat('vi-VN', { maximumFractionDigits: 1 })
/** Below it one digit behind the comma would say 0. */
const LEAST_SHOWN = 0.05

/** How a figure is to that of the period before, in words; `before` is null where nothing is known of that. */
export function comparisonText(now: number, before: number | null): string {
  if (before === null) return words.unknown
  if (now === before) return words.same
  if (before === 0) return words.fromNothing
  const percent = (Math.abs(now - before) / Math.abs(before)) * 100
  const text = percent < LEAST_SHOWN ? words.hardly : PERCENT.format(percent)
  return now > before ? words.more(text) : words.less(text)
}

type Compared = { name: keyof ComparedFigures; label: string; text: (value: number) => string }

const compared = (
  name: Compared['name'],
  label: string,
  text: Compared['text'] = formatNumber,
): Compared => ({ name, label, text })

/** The figures that are compared, in the order of the table. */
export const comparedFigures: readonly Compared[] = [
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
