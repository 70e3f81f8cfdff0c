import { type Good, goodsInWords } from '../deliveries.ts'
import { formatMoment, formatNumber, formatSpan } from '../format.ts'

// What a programme grants, its sentence and its bar follow from the functions below: the server decides by them, pages show what
// they say.

/** VND that are missing to a step; 0: it is reached. */
export const missingTo = (at: number, recharged: number): number => Math.max(0, at - recharged)

/** The first step that is not reached. */
export const nextStep = <Step extends { at: number }>(
  steps: readonly Step[],
  recharged: number,
): Step | undefined => steps.find(({ at }) => missingTo(at, recharged) > 0)

/**
 * How much of the bar is filled, from 0 to 1. Steps stand at equal distances on it, whatever their amounts: the first ones can be
 * told apart on a phone although the last is a hundred times as high.
 */
export function filledShare(steps: readonly { at: number }[], recharged: number): number {
  const reached = steps.filter(({ at }) => missingTo(at, recharged) === 0).length
  const next = steps[reached]
  if (next === undefined) return steps.length === 0 ? 0 : 1
  const from = steps[reached - 1]?.at ?? 0
  return (reached + (recharged - from) / (next.at - from)) / steps.length
}

type Terms = {
  starts_at: string
  ends_at: string
  claims_until: string
  /** How many players may take each step. */
  claims_max: number
  steps: readonly { at: number; goods: readonly Good[] }[]
}

/** The terms as a player reads them. */
export function milestoneSentence({ starts_at, ends_at, claims_until, claims_max, steps }: Terms): string {
  const words = steps.map(({ at, goods }) => `${formatNumber(at)} VND nhận ${goodsInWords(goods)}`)
  return (
    `Nạp đủ ${words.join('; ')}. Tính tổng tiền đã cộng ${formatSpan(starts_at, ends_at)}, ` +
    `nhận quà đến ${formatMoment(claims_until)}, mỗi mốc một lần và cho ${formatNumber(claims_max)} người nhận đầu tiên. ` +
    'Khoản nạp bị thu hồi không được tính; quà đã nhận không bị lấy lại.'
  )
}
