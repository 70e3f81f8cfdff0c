/** `1234567` → `1,234,567` (spec §9: comma thousand separators). */
export function formatNumber(value: number | bigint): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

const VIETNAM_OFFSET_MS = 7 * 60 * 60 * 1000

/**
 * A moment as players read it in Vietnam, `21/11/2026 08:25`, on pages, in refusals and in mails. Without Intl, since
 * server and browser must produce the same text whatever language data the phone has. Vietnam has no summer time.
 */
export function formatMoment(moment: string): string {
  const text = inVietnam(moment)
  return text && `${formatDay(moment)} ${text.slice(11, 16)}`
}

/** From when until when, within a sentence; null: there is no end. */
export const formatSpan = (start: string, end: string | null): string =>
  end === null ? `từ ${formatMoment(start)}` : `từ ${formatMoment(start)} đến ${formatMoment(end)}`

export function formatDay(moment: string): string {
  const text = inVietnam(moment)
  return text && `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)}`
}

/** The day in Vietnam, `2026-11-26`, as date fields have it. */
export const vietnamDayOf = (time_ms: number): string =>
  inVietnam(new Date(time_ms).toISOString()).slice(0, 10)

function inVietnam(moment: string): string {
  const time_ms = Date.parse(moment)
  return Number.isNaN(time_ms) ? '' : new Date(time_ms + VIETNAM_OFFSET_MS).toISOString()
}

/** The value of a date field with its time, which has no time zone, as a moment in Vietnam. */
export const momentOfField = (text: string) => `${text}:00+07:00`

/** A moment as the value of such a field, in Vietnam's time zone wherever the reader is. */
export const fieldOfMoment = (moment: string) => inVietnam(moment).slice(0, 16)
