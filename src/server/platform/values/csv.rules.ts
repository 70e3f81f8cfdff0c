import { vietnamClock } from './vietnam-time.rules.ts'

/** Without this mark spreadsheets read Vietnamese as gibberish. */
export const BYTE_ORDER_MARK = '\ufeff'

/** Before text that a spreadsheet would change. Excel and LibreOffice keep it as a letter, Gnumeric takes it as "this is text". */
const TEXT_MARK = "'"

/** A cell that begins with one of these is a formula for a spreadsheet; those of East Asia become these (`normalize`). */
const FORMULA_START = /^[=+\-@]/

/** What is neither a number nor a date and yet becomes something else: truth values, and errors such as #REF!. */
const VALUE_WORD = /^(?:true|false|#[a-z0-9/]+[!?]?)$/iu

/** Letters that numbers, amounts, times and dates have in English and Vietnamese; the longer of two that begin alike first. */
const NUMBER_WORDS = new RegExp(
  [
    'january|february|march|april|june|july|august|september|october|november|december',
    'jan|feb|mar|apr|may|jun|jul|aug|sept|sep|oct|nov|dec',
    'monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|sat|sun',
    'tháng|thg|ngày|năm|thứ|vnđ|vnd|usd|đ',
    String.raw`(?<=[\p{N}\s.])(?:am|pm|sa|ch|a|p|e|t|z)`,
  ].join('|'),
  'giu',
)

/** Shown and saved by every spreadsheet as it stands: Excel shortens longer ones in a narrow column. */
const PLAIN_NUMBER = /^(?:0|[1-9]\d{0,7})$/u

/** Excel saves a longer number as 1.23E+11. */
const DIGITS_MAX = 11

export type Cell = string | number | null

/**
 * One line of RFC 4180 that a spreadsheet opens and saves as it was. Numbers stay numbers; text that it would run or would read as
 * a number, a date or a truth value is marked as text.
 */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** A moment in Vietnam: `2026-11-20 08:25:00`. */
export const csvMoment = (moment: string | null): Cell =>
  moment === null ? null : vietnamClock(new Date(moment))

function csvCell(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') {
    const digits = String(cell)
    return Math.abs(cell) < 10 ** DIGITS_MAX ? digits : TEXT_MARK + digits
  }
  // Other ends of lines are changed by LibreOffice, and end the row in Gnumeric.
  const lines = cell.replace(/\r\n?/g, '\n')
  const text = isKept(lines) ? lines : TEXT_MARK + lines
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Whether a spreadsheet leaves this text as it is; where programs differ, whether all do. */
function isKept(text: string): boolean {
  if (text.startsWith(TEXT_MARK)) return false
  const plain = text.normalize('NFKC').trim()
  if (FORMULA_START.test(plain) || VALUE_WORD.test(plain)) return false
  return PLAIN_NUMBER.test(text) || !/\p{N}/u.test(plain) || /\p{L}/u.test(plain.replace(NUMBER_WORDS, ''))
}
