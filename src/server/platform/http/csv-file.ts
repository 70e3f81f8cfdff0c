import { Readable } from 'node:stream'
import { formatNumber } from '#contract/format.ts'
import { BYTE_ORDER_MARK, csvLine, type Cell } from '../values/csv.rules.ts'

/** Enough that a statement's way to the database does not count, few enough that they take little memory. */
const BATCH_ROWS = 1_000

type CsvFile<Row> = {
  headings: readonly string[]
  cells: (row: Row) => readonly Cell[]
  /**
   * At most so many rows behind the given one, or the first; in an order that gives each row one place, so that each is read
   * once whatever is added meanwhile.
   */
  read: (limit: number, after: Row | undefined) => Promise<Row[]>
  batchRows?: number
}

/**
 * A file for spreadsheets of as many rows as there are, read in batches while it is sent: no batch before the reader has taken
 * the one before it, no connection held while the reader is slow, nothing read for one who has left. It ends with the
 * number of its rows: without that line it has broken off.
 */
export async function csvFile<Row>(file: CsvFile<Row>): Promise<Readable> {
  const { read, batchRows = BATCH_ROWS } = file
  // Before anything is answered, so that what goes wrong at once is still a refusal and not half a file.
  const first = await read(batchRows, undefined)
  return Readable.from(linesOf({ ...file, batchRows, first }), { objectMode: false })
}

type Lines<Row> = Required<CsvFile<Row>> & { first: Row[] }

async function* linesOf<Row>({ headings, cells, read, batchRows, first }: Lines<Row>) {
  yield BYTE_ORDER_MARK + csvLine(headings)
  let sent = 0
  for (let rows = first; rows.length > 0;) {
    yield rows.map((row) => csvLine(cells(row))).join('')
    sent += rows.length
    rows = rows.length < batchRows ? [] : await read(batchRows, rows.at(-1))
  }
  // As wide as the others, for programs that expect it of every line.
  yield csvLine(headings.map((_, column) => (column === 0 ? endOfFile(sent) : null)))
}

const endOfFile = (rows: number): string => `Hết tệp: ${formatNumber(rows)} dòng`
