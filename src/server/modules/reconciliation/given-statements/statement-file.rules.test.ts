import { describe, expect, test } from 'vitest'
import { invariant } from '#server/platform/values/errors.ts'
import {
  areEnough,
  type Cells,
  daysOf,
  namesOtherAccount,
  readAmount,
  readDay,
  readRows,
  recognise,
} from './statement-file.rules.ts'

/** A table as Vietcombank gives it: lines above, two languages in one heading, the document's number below the day. */
const VIETCOMBANK: Cells = [
  ['NGÂN HÀNG TMCP NGOẠI THƯƠNG VIỆT NAM'],
  ['Số tài khoản / Account No.', '0011 0012 34567'],
  ['Từ / From: 01/11/2026  Đến / To: 04/11/2026'],
  [],
  [
    'STT\nNo.',
    'Ngày giao dịch\nTNX Date/ Số CT/ Doc No',
    'Ghi nợ\nDebit',
    'Ghi có\nCredit',
    'Số dư\nBalance',
    'Nội dung chi tiết\nTransactions in detail',
  ],
  ['', '', 'Số dư đầu kỳ', '', '2,308,471', ''],
  [1, '02/11/2026\n5243.65937', '', '50,000', '2,358,471', 'MBVCB.1.TCX7K2QF9XAMM.CT tu 0351000'],
  [2, '02/11/2026\n9920.28', 7_000, '', '2,351,471', 'Phi dich vu'],
  [3, '03/11/2026\n5272.37452', '0', '1,250,000', '3,601,471', 'chuyen tien'],
  ['', 'Tổng / Total', '7,000', '1,300,000', '', ''],
]

/** A table as ACB gives it, as a CSV of texts. */
const ACB: Cells = [
  ['BẢNG SAO KÊ GIAO DỊCH'],
  ['Ngày hiệu lực', 'Ngày giao dịch', 'Số GD', 'Diễn giải', 'Tiền rút ra', 'Tiền gửi vào', 'Số dư'],
  ['02-11-2026', '02-11-2026', 'FT1', 'nap', '', '50.000', '50.000'],
  ['02-11-2026', '02-11-2026', 'FT2', 'rut', '20.000', '', '30.000'],
]

/** A wallet's history: one signed column, the time in English form. */
const WALLET: Cells = [
  ['Transaction ID', 'Time', 'Amount', 'Description'],
  ['4088878653', '2026-11-02 10:11:12', '+50,000 VND', 'nap'],
  ['4088878654', '2026-11-02 11:11:12', '-20,000 VND', 'rut'],
]

function rowsOf(cells: Cells) {
  const { row, columns } = recognise(cells)
  invariant(areEnough(columns), 'the columns were recognised')
  return readRows(cells, row, columns)
}

describe('the headings of a statement', () => {
  test.each([
    ['Vietcombank', VIETCOMBANK, 4, { date: 1, debit: 2, credit: 3, memo: 5 }],
    ['ACB', ACB, 1, { date: 0, reference: 2, memo: 3, debit: 4, credit: 5 }],
    ['a wallet', WALLET, 0, { reference: 0, date: 1, amount: 2, memo: 3 }],
  ])('of %s are recognised', (_bank, cells, row, columns) => {
    expect(recognise(cells)).toEqual({ row, columns })
  })

  test('are the row with the most texts where nothing is recognised, and an operator chooses the columns', () => {
    const cells: Cells = [['Sao kê'], ['Một', 'Hai', 'Ba'], [1, 2, 3]]
    expect(recognise(cells)).toEqual({ row: 1, columns: {} })
    expect(recognise([])).toEqual({ row: 0, columns: {} })
  })

  test('are recognised in decomposed letters and in capitals', () => {
    const cells: Cells = [
      ['NGÀY GIAO DỊCH', 'SỐ TIỀN GHI CÓ', 'SỐ TIỀN GHI NỢ'].map((text) => text.normalize('NFD')),
    ]
    expect(recognise(cells).columns).toEqual({ date: 0, credit: 1, debit: 2 })
  })
})

describe('an amount', () => {
  test.each([
    ['1,250,000', 1_250_000],
    ['1.250.000', 1_250_000],
    ['1 250 000', 1_250_000],
    ['1.250.000,00', 1_250_000],
    ['1,250,000.00', 1_250_000],
    ['50000', 50_000],
    ['+50,000 VND', 50_000],
    ['50.000đ', 50_000],
    ['-50.000', -50_000],
    ['(50,000)', -50_000],
    ['−50,000', -50_000],
    [50_000, 50_000],
    [-50_000, -50_000],
    ['0', 0],
  ])('%j is %d', (cell, amount) => expect(readAmount(cell)).toBe(amount))

  test.each([[''], [null], [undefined], ['-'], ['  ']])('%j is empty', (cell) =>
    expect(readAmount(cell)).toBeNull(),
  )

  test.each([
    ['abc'],
    ['1,25'],
    ['50,000.50'],
    [0.5],
    ['1,250.000'],
    ['(50,000'],
    ['1e5'],
    ['99999999999999999999'],
  ])('%j is none', (cell) => expect(readAmount(cell)).toBeUndefined())
})

describe('a day', () => {
  test.each([
    ['02/11/2026', '2026-11-02'],
    ['2/11/2026 10:11:12', '2026-11-02'],
    ['02-11-26', '2026-11-02'],
    ['02.11.2026\n5243.65937', '2026-11-02'],
    ['2026-11-02T10:11:12', '2026-11-02'],
    [46_328, '2026-11-02'],
    [46_328.99, '2026-11-02'],
  ])('%j is %s', (cell, day) => expect(readDay(cell)).toBe(day))

  test.each([['31/02/2026'], ['13/13/2026'], ['Tổng'], [''], [null], [5], ['5243.65937']])(
    '%j is none',
    (cell) => expect(readDay(cell)).toBeUndefined(),
  )
})

describe('the rows below the headings', () => {
  test('are movements, without the sums and notes of the bank', () => {
    const { rows, unreadable } = rowsOf(VIETCOMBANK)
    expect(rows).toEqual([
      {
        row: 7,
        day: '2026-11-02',
        direction: 'in',
        amount: 50_000,
        reference: null,
        memo: 'MBVCB.1.TCX7K2QF9XAMM.CT tu 0351000',
      },
      { row: 8, day: '2026-11-02', direction: 'out', amount: 7_000, reference: null, memo: 'Phi dich vu' },
      { row: 9, day: '2026-11-03', direction: 'in', amount: 1_250_000, reference: null, memo: 'chuyen tien' },
    ])
    expect(unreadable).toEqual([])
    expect(rowsOf(WALLET).rows.map(({ direction, amount }) => [direction, amount])).toEqual([
      ['in', 50_000],
      ['out', 20_000],
    ])
  })

  test('are counted where a day has no amount, two amounts, or one that cannot be read', () => {
    const cells: Cells = [
      ...ACB,
      ['03-11-2026', '', 'FT3', '', '', '', ''],
      ['03-11-2026', '', 'FT4', '', '5.000', '6.000', ''],
      ['03-11-2026', '', 'FT5', '', '', '12,5', ''],
      ['hôm qua', '', 'FT6', '', '', '9.000', ''],
    ]
    expect(rowsOf(cells)).toMatchObject({
      rows: [{ reference: 'FT1' }, { reference: 'FT2' }],
      unreadable: [5, 6, 7, 8],
    })
  })
})

describe('the days of a file', () => {
  test('are those of the period that it names, also those without a row', () => {
    const { row } = recognise(VIETCOMBANK)
    const sums = daysOf(VIETCOMBANK, row, rowsOf(VIETCOMBANK)).map(({ rows: _rows, ...day }) => day)
    const none = { in_count: 0, in_vnd: 0, out_count: 0, out_vnd: 0 }
    expect(sums).toEqual([
      { day: '2026-11-01', ...none },
      { day: '2026-11-02', in_count: 1, in_vnd: 50_000, out_count: 1, out_vnd: 7_000 },
      { day: '2026-11-03', in_count: 1, in_vnd: 1_250_000, out_count: 0, out_vnd: 0 },
      { day: '2026-11-04', ...none },
    ])
  })

  test('go from the first row to the last where no period is named, and end soon after a quarter', () => {
    expect(daysOf(WALLET, 0, rowsOf(WALLET)).map(({ day }) => day)).toEqual(['2026-11-02'])
    expect(daysOf(WALLET, 0, { rows: [], unreadable: [] })).toEqual([])
    const long: Cells = [['Từ 01/01/2020 đến 01/01/2026'], ...WALLET]
    expect(daysOf(long, 1, rowsOf(long))).toHaveLength(93)
  })
})

test('a file of another account of ours is recognised by the lines above its table', () => {
  const accounts = { own: '99887766', others: ['99887766', '0011001234567'] }
  expect(namesOtherAccount(VIETCOMBANK, 4, accounts)).toBe('0011001234567')
  expect(namesOtherAccount(VIETCOMBANK, 4, { ...accounts, own: '0011001234567' })).toBeUndefined()
  expect(namesOtherAccount(WALLET, 0, accounts)).toBeUndefined()
})
