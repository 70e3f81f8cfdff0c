import { formatNumber } from '#contract/format-number.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'

const NO_BREAK_SPACE = '\u00a0'

/** A moment in Vietnam, to the minute, on one line; a dash for none. */
export const momentText = (moment: string | null): string =>
  moment === null ? kitCopy.time.none : formatMoment(moment).replaceAll(' ', NO_BREAK_SPACE)

export const vnd = (amount: number) => `${formatNumber(amount)} đ`
