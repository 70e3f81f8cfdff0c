import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transaction } from '#contract/transactions.ts'
import { csvLine } from '#server/platform/values/csv.rules.ts'
import { CSV_HEADINGS, transactionCells } from './export.service.ts'
import { readCsv } from './testing/read-csv.ts'

test('text is quoted where it must be', () => {
  expect(csvLine(['thường', 'phẩy, và', 'nháy "kép"', 'hai\ndòng', 'về\rđầu', ''])).toBe(
    'thường,"phẩy, và","nháy ""kép""","hai\ndòng","về\rđầu",\r\n',
  )
})

test.each(['=1+1', '+84912', '-2', '@SUM(A1)', '\t=1', '\r=1', '  =1', '＝1', '＋1', '－1', '＠x'])(
  'text that a spreadsheet would run (%j) is marked as text',
  (text) => {
    const [[cell]] = readCsv(csvLine([text])) as [[string]]
    expect(cell).toBe(`'${text}`)
  },
)

test('numbers stay numbers, negative ones too', () => {
  expect(csvLine([-50_000, 0, 9_000_000_000_000_000])).toBe('-50000,0,9000000000000000\r\n')
})

/** Those that mean something to CSV or to a spreadsheet, and all others. The library's own unit of all costs seconds. */
const anyCharacter = fc.oneof(
  fc.constantFrom(...'=+-@＝＋－＠\'",;\t\r\n '),
  fc
    .nat(0x10ffff)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point)),
)

test('whatever the text, it comes back whole, and no cell begins like a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), { minLength: 1 }),
      (rows) => {
        const read = readCsv(rows.map(csvLine).join(''))
        expect(read).toHaveLength(rows.length)
        for (const [index, cells] of rows.entries()) {
          expect(read[index]).toHaveLength(cells.length)
          for (const [place, cell] of cells.entries()) {
            expect([cell, `'${cell}`]).toContain(read[index]![place])
            expect(read[index]![place]).not.toMatch(/^[=+\-@]/)
          }
        }
      },
    ),
  )
})

const transaction: Transaction = {
  id: '7',
  created_at: '2026-11-20T17:30:00.000Z',
  type: 'transfer_out',
  amount: -50_000,
  balance_after: 30_000,
  description: 'Chuyển TCoin cho LinhKunai',
  counterparty: 'LinhKunai',
  status: 'completed',
  reference: '7',
}

test('a line says what the page says, in Vietnam time', () => {
  const line = csvLine(transactionCells(transaction))
  expect(line).toBe(
    '2026-11-21 00:30:00,Chuyển TCoin,-50000,30000,Chuyển TCoin cho LinhKunai,LinhKunai,Hoàn tất,7\r\n',
  )
  expect(transactionCells(transaction)).toHaveLength(CSV_HEADINGS.length)
  const { counterparty: _, ...alone } = { ...transaction, type: 'gift', status: 'pending' } as const
  expect(csvLine(transactionCells(alone))).toContain(
    ',Quà tân thủ,-50000,30000,Chuyển TCoin cho LinhKunai,,Đang giao,7',
  )
})
