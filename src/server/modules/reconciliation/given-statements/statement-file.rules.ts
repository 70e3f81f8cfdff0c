import {
  type StatementColumn,
  STATEMENT_COLUMNS,
  type StatementColumns,
} from '#contract/operator/daily-closes.ts'
import type { Cell } from '#server/platform/values/csv.rules.ts'
import { vietnamDayBounds } from '#server/platform/values/vietnam-time.rules.ts'

// How a bank's statement file is read: which row has the headings, which column is what, and what each row moves. Banks of
// Vietnam write two languages into one heading, amounts with commas or points, days first, and lines around the table.

/** As the spreadsheet holds them: a number is an amount or Excel's count of days, never a text of digits. */
export type Cells = readonly (readonly Cell[])[]

/** The words of a heading, without marks, in the order in which they are tried. */
const HEADINGS: Record<StatementColumn, RegExp> = {
  credit: /ghi co|tien vao|gui vao|(?:phat sinh|ps|so tien) co|^co$|credit|deposit|money in/,
  debit: /ghi no|tien ra|rut ra|(?:phat sinh|ps|so tien) no|^no$|debit|withdraw|money out/,
  amount: /^so tien(?! (ghi|vao|ra|co|no))|gia tri giao dich|^amount|transaction amount/,
  date: /ngay|thoi gian|date|time/,
  reference:
    /tham chieu|so gd|so giao dich|ma giao dich|ma gd|so ct|so but toan|reference|ref\b|doc no|transaction id|trans\.? ?no/,
  memo: /noi dung|dien giai|mo ta|chi tiet|description|detail|remark|memo|narrative/,
}

const textOf = (cell: Cell | undefined): string =>
  String(cell ?? '')
    .replace(/\s+/g, ' ')
    .trim()

const heading = (cell: Cell | undefined): string =>
  typeof cell === 'string'
    ? textOf(cell).normalize('NFD').replace(/\p{M}/gu, '').replace(/đ/gi, 'd').toLowerCase()
    : ''

/** Which columns a row names, if it is the row of headings. */
function columnsOf(row: readonly Cell[]): Partial<StatementColumns> {
  const found: Partial<StatementColumns> = {}
  for (const [index, cell] of row.entries()) {
    const words = heading(cell)
    if (words === '' || words.length > 80 || /so du|balance/.test(words)) continue
    const column = STATEMENT_COLUMNS.find((name) => found[name] === undefined && HEADINGS[name].test(words))
    if (column !== undefined) found[column] = index
  }
  return found
}

/** Whether a row can be read with these columns: it has a day, and an amount in one column or in one of two. */
export const areEnough = (columns: Partial<StatementColumns>): columns is StatementColumns =>
  columns.date !== undefined && (columns.credit !== undefined || columns.amount !== undefined)

const HEADING_ROWS_MAX = 60

/**
 * The row of headings and the columns that it names. Where no row names enough of them, the row with the most texts: an
 * operator says then which column is what.
 */
export function recognise(cells: Cells): { row: number; columns: Partial<StatementColumns> } {
  const candidates = cells.slice(0, HEADING_ROWS_MAX).map((ofRow, row) => ({
    row,
    columns: columnsOf(ofRow),
    texts: ofRow.filter((cell) => heading(cell) !== '').length,
  }))
  const named = (columns: Partial<StatementColumns>) => (areEnough(columns) ? Object.keys(columns).length : 0)
  const [best] = candidates.toSorted(
    (a, b) => named(b.columns) - named(a.columns) || b.texts - a.texts || a.row - b.row,
  )
  return { row: best?.row ?? 0, columns: best && areEnough(best.columns) ? best.columns : {} }
}

const CURRENCY = /vnd|vnđ|đồng|đ|₫/gi

/**
 * A whole amount of VND, negative for what leaves: `1,000,000`, `1.000.000,00`, `(50,000)`, `+50000 VND`. Null for an empty
 * cell, undefined for what is no amount.
 */
export function readAmount(cell: Cell | undefined): number | null | undefined {
  if (typeof cell === 'number') return Number.isSafeInteger(cell) ? cell : undefined
  const text = textOf(cell).replace(CURRENCY, '').replace(/\s/g, '')
  if (text === '' || /^[-–—]$/.test(text)) return null
  const parts =
    /^(?<open>\()?(?<sign>[+\-−])?(?<digits>\d+|\d{1,3}(?:(?<mark>[.,'’])\d{3})(?:\k<mark>\d{3})*)(?:[.,]0{1,2})?(?<close>\))?$/.exec(
      text,
    )?.groups
  if (!parts || (parts.open === undefined) !== (parts.close === undefined)) return undefined
  const amount = Number(parts.digits?.replace(/\D/g, ''))
  if (!Number.isSafeInteger(amount)) return undefined
  return parts.open !== undefined || /[-−]/.test(parts.sign ?? '') ? 0 - amount : amount
}

/** The day on which Excel counts zero, in days before 1970. */
const EXCEL_EPOCH_DAYS = 25_569
const DAY_MS = 86_400_000

/** A day on the calendar: `29/11/2026 10:11:12`, `2026-11-29`, Excel's number. Banks of Vietnam write the day first. */
export function readDay(cell: Cell | undefined): string | undefined {
  if (typeof cell === 'number') {
    const isDay = cell > 30_000 && cell < 80_000
    return isDay
      ? new Date(Math.floor(cell - EXCEL_EPOCH_DAYS) * DAY_MS).toISOString().slice(0, 10)
      : undefined
  }
  const text = textOf(cell)
  const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text)
  const dayFirst = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?!\d)/.exec(text)
  const [year, month, date] = iso
    ? [iso[1], iso[2], iso[3]]
    : [dayFirst?.[3]?.padStart(4, '20'), dayFirst?.[2], dayFirst?.[1]]
  const day = [year, month?.padStart(2, '0'), date?.padStart(2, '0')].join('-')
  return vietnamDayBounds(day) && day
}

/** A movement that a row of the file tells; `row` counts as the spreadsheet does, from one. */
export type FileRow = {
  row: number
  day: string
  direction: 'in' | 'out'
  amount: number
  reference: string | null
  memo: string | null
}

export type ReadFile = {
  rows: FileRow[]
  /** Rows that seem to move something and could not be read, as the spreadsheet counts them. */
  unreadable: number[]
}

/** What the row moves: in the column of one direction, or in one signed column. */
function movementOf(row: readonly Cell[], columns: StatementColumns): number | null | undefined {
  if (columns.credit === undefined) return readAmount(row[columns.amount as number])
  const credit = readAmount(row[columns.credit])
  const debit = columns.debit === undefined ? null : readAmount(row[columns.debit])
  if (credit === undefined || debit === undefined) return undefined
  if (credit && debit) return undefined
  return credit || (debit ? 0 - Math.abs(debit) : null)
}

/** Reads the rows below the headings. A row without a day is a sum or a note of the bank unless it has a reference. */
export function readRows(cells: Cells, headingRow: number, columns: StatementColumns): ReadFile {
  const rows: FileRow[] = []
  const unreadable: number[] = []
  for (const [index, row] of cells.entries()) {
    if (index <= headingRow || row.every((cell) => textOf(cell) === '')) continue
    const day = readDay(row[columns.date])
    const amount = movementOf(row, columns)
    const reference = columns.reference === undefined ? '' : textOf(row[columns.reference])
    const memo = columns.memo === undefined ? '' : textOf(row[columns.memo])
    if (day !== undefined && amount) {
      const direction = amount > 0 ? 'in' : 'out'
      const texts = { reference: reference || null, memo: memo || null }
      rows.push({ row: index + 1, day, direction, amount: Math.abs(amount), ...texts })
    } else if (day !== undefined || (amount && reference !== '')) unreadable.push(index + 1)
  }
  return { rows, unreadable }
}

/** A quarter. Each day of a file is compared by itself. */
export const FILE_DAYS_MAX = 92

export type DayOfFile = {
  day: string
  rows: FileRow[]
  in_count: number
  in_vnd: number
  out_count: number
  out_vnd: number
}

/** The days that a line above the table names as its period: `Từ ngày 01/11/2026 đến ngày 30/11/2026`. */
function periodOf(cells: Cells, headingRow: number): string[] {
  for (const row of cells.slice(0, headingRow)) {
    const words = row.map((cell) => textOf(cell)).join(' ')
    const days = [...words.matchAll(/\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/g)].map(([text]) => readDay(text))
    const [first, last] = days
    if (days.length === 2 && first !== undefined && last !== undefined && first <= last) return [first, last]
  }
  return []
}

/** Every day that the file covers: of the period that it names and between its rows, also those without a row. */
export function daysOf(cells: Cells, headingRow: number, { rows }: ReadFile): DayOfFile[] {
  const named = [...rows.map(({ day }) => day), ...periodOf(cells, headingRow)].toSorted()
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const days: DayOfFile[] = []
  const last = Date.parse(named.at(-1) ?? '')
  for (let at = Date.parse(named[0] ?? ''); at <= last && days.length <= FILE_DAYS_MAX; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const ofDay = byDay.get(day) ?? []
    const sums = { in_count: 0, in_vnd: 0, out_count: 0, out_vnd: 0 }
    for (const { direction, amount } of ofDay) {
      sums[`${direction}_count`] += 1
      sums[`${direction}_vnd`] += amount
    }
    days.push({ day, rows: ofDay, ...sums })
  }
  return days
}

/** Whether the lines above the table name one of these other accounts and not this one: then it is the wrong file. */
export function namesOtherAccount(
  cells: Cells,
  headingRow: number,
  { own, others }: { own: string; others: readonly string[] },
) {
  const above = cells
    .slice(0, headingRow)
    .flat()
    .map((cell) => String(cell ?? '').replace(/[\s.-]/g, ''))
  const isNamed = (account: string) => above.some((text) => text.includes(account))
  return isNamed(own) ? undefined : others.find(isNamed)
}
