import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCsv } from '#tests/support/read-csv.ts'
import { csvLine, csvMoment } from './csv.rules.ts'

test('text is quoted where it must be, and its lines end in one way', () => {
  expect(csvLine(['thường', 'phẩy, và', 'nháy "kép"', 'hai\ndòng', 'về\rđầu', 'cả\r\nhai', ''])).toBe(
    'thường,"phẩy, và","nháy ""kép""","hai\ndòng","về\nđầu","cả\nhai",\r\n',
  )
})

test.each([
  '=1+1',
  '+84912',
  '-2',
  '@SUM(A1)',
  '\t=1',
  '\n=1',
  '  =1',
  '\u00a0=1',
  '＝1',
  '＋1',
  '－1',
  '＠x',
])('text that a spreadsheet would run (%j) is marked as text', (text) => {
  const [[cell]] = readCsv(csvLine([text])) as [[string]]
  expect(cell).toBe(`'${text}`)
})

test.each([
  '0912345678',
  '84912345678',
  '0011000000001',
  '123456789',
  '123456789012345678901',
  '00123',
  '١٢٣',
  '1.1E+10',
  '1E500',
  '12e34',
  '1.234.567',
  '1,234',
  '.5',
  '(5)',
  '5%',
  '$5',
  '5 đ',
  '５',
  '½',
  ' 12',
  '1 2',
  '2026-11-20',
  '2026-11-20 08:25:00',
  '2026-11-20T08:25:00Z',
  '1/2',
  '12:30',
  '8 PM',
  '8:25 SA',
  '1 a',
  'MAR1',
  'mar12',
  '5 May',
  'September 5, 2026',
  'Thg 1',
  '1 tháng 1',
  'TRUE',
  'false',
  '#REF!',
  '#N/A',
  "'5",
])('text that a spreadsheet would read as something else (%j) is marked as text', (text) => {
  expect(readCsv(csvLine([text]))).toEqual([[`'${text}`]])
})

test.each([
  'TCX7K2QF9XAMM',
  'FT24123456789',
  'linh1',
  'a12345',
  'e1234',
  'TRUE1',
  'MARY1',
  '12 Quý',
  '#1 team',
  '7K2Q-9XAM-MTCX',
  'Nạp 50,000',
  'NAP 0912345678',
  'tháng',
  '12345678',
  '0',
  '7',
  '…',
  '50k',
])('other text (%j) stays as it is', (text) => {
  expect(readCsv(csvLine([text]))).toEqual([[text]])
})

test('amounts stay numbers, negative ones too, as long as no spreadsheet shortens them', () => {
  expect(csvLine([-50_000, 0, 99_999_999_999])).toBe('-50000,0,99999999999\r\n')
  expect(csvLine([100_000_000_000, -9_000_000_000_000_000])).toBe("'100000000000,'-9000000000000000\r\n")
})

test('moments are text', () => {
  expect(csvLine([csvMoment('2026-11-20T17:30:00.000Z'), csvMoment(null)])).toBe("'2026-11-21 00:30:00,\r\n")
})

/** Those that mean something to CSV or to a spreadsheet, and all others. The library's own unit of all costs seconds. */
const anyCharacter = fc.oneof(
  fc.constantFrom(...'=+-@＝＋－＠\'",;\t\r\n '),
  fc
    .nat(0x10ffff)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point)),
)

test('whatever the text, it comes back whole without the mark, and no cell begins like a formula', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.string({ unit: anyCharacter }), { minLength: 1 }), { minLength: 1 }),
      (rows) => {
        const read = readCsv(rows.map(csvLine).join(''))
        const text = read.map((cells) => cells.map((cell) => cell.replace(/^'/, '')))
        expect(text).toEqual(rows.map((cells) => cells.map((cell) => cell.replace(/\r\n?/g, '\n'))))
        for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+\-@]/)
      },
    ),
  )
})
