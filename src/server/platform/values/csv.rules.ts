import { vietnamClock } from './vietnam-time.rules.ts'

/** Without this mark spreadsheets read Vietnamese as gibberish. */
export const BYTE_ORDER_MARK = '\ufeff'

/** A cell that begins with one of these is a formula for a spreadsheet; the wide forms of East Asia included. */
const FORMULA_START = /^\s*[=+\-@\t\r＝＋－＠]/

export type Cell = string | number | null

/** One line of RFC 4180. Numbers stay numbers; text that a spreadsheet would run is marked as text. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A moment in Vietnam, as every spreadsheet reads one: `2026-11-20 08:25:00`. */
export const csvMoment = (moment: string | null): Cell =>
  moment === null ? null : vietnamClock(new Date(moment))

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
