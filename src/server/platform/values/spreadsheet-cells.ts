import { read, utils } from '@e965/xlsx'
import type { Cell } from './csv.rules.ts'

const BINARY = [
  [0x50, 0x4b], // XLSX: a ZIP archive
  [0xd0, 0xcf], // XLS
]

/** A text file's characters: Excel writes “Unicode text” in UTF-16, older programs of banks the code page of Vietnam. */
function textOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1258').decode(bytes)
  }
}

const cellOf = (value: unknown): Cell =>
  typeof value === 'string' || typeof value === 'number'
    ? value
    : value === null || value === undefined
      ? null
      : String(value)

/** The cells of the longest sheet of a spreadsheet, or of a CSV file whatever parts its cells; at most one row more than `rowsMax`. */
export function readCells(bytes: Uint8Array, rowsMax: number): Cell[][] {
  const isBinary = BINARY.some((start) => start.every((byte, index) => bytes[index] === byte))
  // `raw`: a text of digits in a CSV stays a text, as `01/02/2026` does. Of an XLSX a date stays Excel's number.
  const options = { raw: true, sheetRows: rowsMax + 1, cellFormula: false, cellHTML: false, cellText: false }
  const book = isBinary
    ? read(bytes, { ...options, type: 'array', dense: true })
    : read(textOf(bytes), { ...options, type: 'string', dense: true })
  const sheets = book.SheetNames.map((name) => book.Sheets[name])
  // The table is in the sheet with the most rows; others hold notes of the bank.
  const rows = sheets.map((sheet) =>
    sheet === undefined
      ? []
      : utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: true, blankrows: true, defval: null }),
  )
  const [longest = []] = rows.toSorted((a, b) => b.length - a.length)
  return longest.map((row) => Array.from(row, cellOf))
}
