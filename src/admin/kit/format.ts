import { formatNumber } from '#contract/format-number.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { kitCopy } from '#admin/kit/kit.copy.ts'

/** A moment in Vietnam, to the minute; a dash for none. */
export const momentText = (moment: string | null): string =>
  moment === null ? kitCopy.time.none : formatMoment(moment)

export const vnd = (amount: number) => `${formatNumber(amount)} đ`
