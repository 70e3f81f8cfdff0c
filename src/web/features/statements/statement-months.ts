import { formatDay } from '#contract/format.ts'

/** One month of a statement, by Vietnam's clock, with its lines in the order they came. */
export type Month<Line> = { name: string; lines: Line[] }

/** The lines month by month; a statement sorted by amount has no months. */
export function monthsOf<Line extends { created_at: string }>(lines: readonly Line[]): Month<Line>[] {
  const months: Month<Line>[] = []
  for (const line of lines) {
    const name = formatDay(line.created_at).slice(3)
    const last = months.at(-1)
    if (last?.name === name) last.lines.push(line)
    else months.push({ name, lines: [line] })
  }
  return months
}
