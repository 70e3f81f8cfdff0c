import type { PlannedPrice } from '#contract/operator/planned-prices.ts'

type Span = { starts_at: string; ends_at: string | null }

/** Whether two plans touch each other's time; one without an end lasts for good. */
export const overlaps = (one: Span, other: Span): boolean =>
  Date.parse(one.starts_at) < endOf(other) && Date.parse(other.starts_at) < endOf(one)

const endOf = ({ ends_at }: Span): number => (ends_at === null ? Infinity : Date.parse(ends_at))

/** The text of a setting without what a plan does to it for some time. */
export function lastingText(present: string, open: readonly PlannedPrice[]): string {
  return open.find(({ state }) => state === 'active')?.before ?? present
}
