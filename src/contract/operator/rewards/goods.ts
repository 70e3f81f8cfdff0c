import * as z from 'zod/mini'
import type { Good } from '../../deliveries.ts'
import { formatNumber } from '../../format.ts'
import { parseJson } from '../fields.ts'

// Goods that cost nothing, as operators write them: `100 lượng + 20,000 yên + 1 thu-cung 7 ngày`.

/** Of one reward. */
export const GOODS_MAX = 5
const QUANTITY_MAX = 100_000_000
const DAYS_MAX = 365

const whole = (words: string, max: number) =>
  z
    .int(`${words} phải là số nguyên`)
    .check(z.gte(1, `${words} từ 1 trở lên`), z.lte(max, `${words} tối đa ${formatNumber(max)}`))

const GOOD_INCOMPLETE = 'Mỗi món cần loại và số lượng'

const rewardGood = z
  .strictObject({
    kind: z.enum(['luong', 'yen', 'item'], GOOD_INCOMPLETE),
    code: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,60}$/, 'Mã vật phẩm không hợp lệ'))),
    quantity: whole('Số lượng', QUANTITY_MAX),
    days: z.optional(whole('Số ngày', DAYS_MAX)),
  })
  .check(
    z.refine(
      ({ kind, code, days }) =>
        kind === 'item' ? code !== undefined : code === undefined && days === undefined,
      'Vật phẩm cần mã; lượng và yên chỉ có số lượng',
    ),
  )

export const rewardGoods = z
  .array(rewardGood)
  .check(
    z.minLength(1, 'Hãy nhập ít nhất một món quà'),
    z.maxLength(GOODS_MAX, `Mỗi lần tặng tối đa ${GOODS_MAX} món`),
  )

export const CALENDAR_DAYS = 31

const calendarSchema = z.array(rewardGoods).check(z.length(CALENDAR_DAYS))

/** The goods of each day of a month, the first day first; null for any other text. */
export function readCalendar(text: string): Good[][] | null {
  const read = z.safeParse(calendarSchema, parseJson(text))
  return read.success ? (read.data as Good[][]) : null
}

const UNITS = { lượng: 'luong', luong: 'luong', yên: 'yen', yen: 'yen' } as const

/** Null where the text is not goods. */
export function goodsIn(text: string): Good[] | null {
  const goods = text.split('+').map(goodIn)
  return goods.every((good) => good !== null) && z.safeParse(rewardGoods, goods).success
    ? (goods as Good[])
    : null
}

function goodIn(text: string): Good | null {
  const match = /^([\d.,]+)\s+(\S+?)(?:\s+(\d{1,3})\s+ngày)?$/u.exec(text.normalize('NFC').trim())
  if (match === null) return null
  const [, amount = '', what = '', days] = match
  const quantity = Number(amount.replace(/[.,]/g, ''))
  const kind = UNITS[what.toLowerCase() as keyof typeof UNITS] as 'luong' | 'yen' | undefined
  if (kind !== undefined) return days === undefined ? { kind, quantity } : null
  return { kind: 'item', code: what, quantity, ...(days === undefined ? {} : { days: Number(days) }) }
}

/** Goods as `goodsIn` reads them. */
export const goodsAsTyped = (goods: readonly Good[]): string =>
  goods
    .map(({ kind, code = '', quantity: many, days }) => {
      const what = kind === 'luong' ? 'lượng' : kind === 'yen' ? 'yên' : code
      return `${formatNumber(many)} ${what}${days === undefined ? '' : ` ${days} ngày`}`
    })
    .join(' + ')

/**
 * A calendar as it is typed, `1-6: 50 lượng` on each line: the same goods on the days from one to the other. The text of a
 * calendar that does not name every day once is read as null.
 */
export function calendarIn(text: string): Good[][] | null {
  const days: (Good[] | undefined)[] = Array.from({ length: CALENDAR_DAYS }, () => undefined)
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const match = /^\s*(\d{1,2})(?:\s*[-–]\s*(\d{1,2}))?\s*:(.*)$/u.exec(line)
    const goods = goodsIn(match?.[3] ?? '')
    const [from, to] = [Number(match?.[1]), Number(match?.[2] ?? match?.[1])]
    if (goods === null || !(from >= 1 && from <= to && to <= CALENDAR_DAYS)) return null
    for (let day = from; day <= to; day++) {
      if (days[day - 1] !== undefined) return null
      days[day - 1] = goods
    }
  }
  return days.every((goods) => goods !== undefined) ? (days as Good[][]) : null
}

/** A calendar as `calendarIn` reads it, days that follow each other with the same goods on one line. */
export function calendarAsTyped(calendar: readonly (readonly Good[])[]): string {
  const lines: { from: number; to: number; goods: string }[] = []
  for (const [index, goods] of calendar.entries()) {
    const typed = goodsAsTyped(goods)
    const last = lines.at(-1)
    if (last?.goods === typed) last.to = index + 1
    else lines.push({ from: index + 1, to: index + 1, goods: typed })
  }
  return lines.map(({ from, to, goods }) => `${from === to ? from : `${from}-${to}`}: ${goods}`).join('\n')
}
