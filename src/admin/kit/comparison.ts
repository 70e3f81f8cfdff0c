import { kitCopy } from './kit.copy.ts'

const words = kitCopy.comparison

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
