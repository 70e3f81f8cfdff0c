/** Without this mark spreadsheets read Vietnamese as gibberish. */
export const BYTE_ORDER_MARK = '\ufeff'

/** What a spreadsheet would run as a formula when a cell begins with it, the wide forms of East Asia included. */
const FORMULA_START = /^\s*[=+\-@\t\r＝＋－＠]/

/** One line of RFC 4180. Numbers stay numbers; text that a spreadsheet would run is marked as text. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const text = FORMULA_START.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
