import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { write, utils, type BookType } from '@e965/xlsx'
import type { StatementFile } from '#contract/operator/daily-closes.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { ACB, VIETCOMBANK } from '#tests/support/payment-keys.ts'
import { aNotification, deliver, openAccounts } from '#tests/support/bank.ts'
import { aDay } from '#tests/support/close-days.ts'
import { vietnamTime } from '#tests/support/signed-notifications.ts'
import { aReceipt, formOf, partsOf } from '#tests/support/uploads.ts'
import { closeDay } from '../daily-close.service.ts'

// No provider lists these accounts: what an operator gives is all there is to compare with.
const portal = useTestApp()
beforeAll(() => openAccounts(portal))
beforeEach(() => portal.db.deleteFrom('rate_limit').execute())
const { cashier, support } = useOperators(portal, { cashier: 'cashier', support: 'support' })

const PATH = '/api/operator/daily-closes'

/** A transfer that a notification told. */
async function told(noon: Date, amount: number, ref: string, account = VIETCOMBANK.number) {
  const { status } = await deliver(
    portal,
    aNotification({
      transferAmount: amount,
      referenceCode: ref,
      accountNumber: account,
      transactionDate: vietnamTime(noon),
      content: `chuyen tien ${ref}`,
    }),
  )
  expect(status).toBe(200)
}

async function closesOf(day: string, account = VIETCOMBANK.number) {
  const filter = encodeURIComponent(JSON.stringify({ day, account_number: account }))
  const { body } = await portal.call('GET', `${PATH}?filter=${filter}`, { token: cashier.token })
  return body as { id: string; status: string; revision: number; differences: string[] }[]
}

const closeOf = async (day: string, account?: string) => {
  const [close] = await closesOf(day, account)
  return close ?? { id: '0', status: 'none', revision: 0, differences: [] }
}

type Row = (string | number | null)[]

const dayFirst = (day: string) => day.split('-').toReversed().join('/')

const HEADINGS: Row = ['Ngày giao dịch', 'Số tham chiếu', 'Ghi nợ', 'Ghi có', 'Số dư', 'Nội dung']

function aFile(rows: Row[], bookType: BookType = 'xlsx', above: Row[] = []): Buffer {
  const sheet = utils.aoa_to_sheet([['SAO KÊ TÀI KHOẢN'], ...above, HEADINGS, ...rows])
  const book = utils.book_new(sheet, 'Sao ke')
  return write(book, { type: 'buffer', bookType }) as Buffer
}

/** A text as spreadsheets save one, with their marks between the cells. */
const aText = (rows: Row[], mark: string) =>
  [['SAO KÊ TÀI KHOẢN'], HEADINGS, ...rows]
    .map((row) => row.map((cell) => cell ?? '').join(mark))
    .join('\r\n')

/** The forms in which a bank gives the same table. */
const KINDS = {
  xlsx: (rows: Row[]) => aFile(rows, 'xlsx'),
  xls: (rows: Row[]) => aFile(rows, 'xls'),
  csv: (rows: Row[]) => aFile(rows, 'csv'),
  html: (rows: Row[]) => aFile(rows, 'html'),
  'unicode-text': (rows: Row[]) => Buffer.from(`\ufeff${aText(rows, '\t')}`, 'utf16le'),
  semicolons: (rows: Row[]) => Buffer.from(`\ufeff${aText(rows, ';')}`),
  decomposed: (rows: Row[]) => Buffer.from(aText(rows, '\t').normalize('NFD')),
}

const inRow = (day: string, amount: Row[number], ref: string): Row => [
  dayFirst(day),
  ref,
  '',
  amount,
  '',
  'nap',
]

type Sending = { file?: Buffer; fields?: Record<string, string>; token?: string; key?: string }

const send =
  (path: string, name: string) =>
  (id: string, { file, fields = {}, token = cashier.token, key }: Sending) => {
    const files = file ? [{ name, value: file, filename: 'sao-ke', type: 'application/octet-stream' }] : []
    return portal.call('POST', `${PATH}/${id}/${path}`, {
      token,
      ...formOf([...partsOf(fields), ...files]),
      ...(key === undefined ? {} : { key }),
    })
  }

const readFile = send('statement-file/read', 'statement')
const takeFile = (id: string, { fields, ...sending }: Sending) =>
  send('statement-file', 'statement')(id, { ...sending, fields: { reason: 'Tệp của ngân hàng', ...fields } })
const giveFigures = (id: string, { fields, ...sending }: Sending) =>
  send('figures', 'picture')(id, { ...sending, fields: { reason: 'Xem trong ứng dụng', ...fields } })

const aPicture = () => aReceipt().jpeg().toBuffer()

describe('a day without a list of a provider', () => {
  test('is empty without money, rings nobody, and is listed as such', async () => {
    const { day } = aDay()
    await closeDay(portal.deps, day)
    expect(await closeOf(day)).toMatchObject({ status: 'empty', differences: [] })
    const { body } = await portal.call('GET', '/api/operator/alarms', { token: cashier.token })
    expect(body.map(({ name }: { name: string }) => name)).not.toContain('uncompared-closes')
    for (const [status, isListed] of [
      ['empty', true],
      ['not-compared', false],
    ] as const) {
      const filter = encodeURIComponent(JSON.stringify({ day, status, account_number: VIETCOMBANK.number }))
      const listed = await portal.call('GET', `${PATH}?filter=${filter}`, { token: cashier.token })
      expect(listed.body).toHaveLength(isListed ? 1 : 0)
    }
  })

  test('waits to be compared once money has come', async () => {
    const { day, noon } = aDay()
    await told(noon, 50_000, 'FT-A')
    await closeDay(portal.deps, day)
    expect((await closeOf(day)).status).toBe('not-compared')
  })
})

describe('a statement file', () => {
  test.each(['xlsx', 'xls', 'csv', 'html', 'unicode-text', 'semicolons', 'decomposed'] as const)(
    'as %s is shown with its columns and days, and makes the days that agree green',
    async (kind) => {
      const { day, noon } = aDay()
      await told(noon, 50_000, `FT-${kind}-1`)
      await told(noon, 70_000, `FT-${kind}-2`)
      await closeDay(portal.deps, day)
      const before = await closeOf(day)
      const file = KINDS[kind]([inRow(day, 50_000, `FT-${kind}-1`), inRow(day, '70,000', `FT-${kind}-2`)])
      const read = await readFile(before.id, { file })
      expect(read.status).toBe(200)
      expect(read.body as StatementFile).toMatchObject({
        columns: { date: 0, reference: 1, debit: 2, credit: 3, memo: 5 },
        days: [{ day, in_count: 2, in_vnd: 120_000, out_count: 0, arrived_count: 2, arrived_vnd: 120_000 }],
        unreadable: 0,
      })
      expect((await closeOf(day)).status).toBe('not-compared')
      const taken = await takeFile(before.id, { file })
      expect(taken).toMatchObject({ status: 200, body: { status: 'green', days: 1 } })
      const detail = await portal.call('GET', `${PATH}/${taken.body.id}`, { token: cashier.token })
      expect(detail.body).toMatchObject({
        rows: [],
        statements: [
          { provider: 'file', given_by: { username: cashier.username }, has_rows: true, has_picture: false },
        ],
      })
    },
  )

  test('names the rows that we do not have, those that the bank does not list, by reference', async () => {
    const { day, noon } = aDay()
    for (const ref of ['FT-B1', 'FT-B2', 'FT-B3']) await told(noon, 50_000, ref)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    // The second of three equal amounts is missing at the bank, and one of another amount is missing here.
    const rows = [inRow(day, 50_000, 'FT-B1'), inRow(day, 50_000, 'FT-B3'), inRow(day, 9_000, 'FT-B9')]
    const taken = await takeFile(id, { file: aFile(rows) })
    expect(taken.body.status).toBe('red')
    const { body } = await portal.call('GET', `${PATH}/${taken.body.id}`, { token: cashier.token })
    const second = await portal.db
      .selectFrom('bank_transaction')
      .select('id')
      .where('bank_ref', '=', 'FT-B2')
      .executeTakeFirstOrThrow()
    expect(body.rows).toEqual([
      expect.objectContaining({
        kind: 'not-listed',
        found: 1,
        first: [expect.objectContaining({ bank_transfer_id: second.id, our_vnd: 50_000, bank_vnd: null })],
      }),
      expect.objectContaining({
        kind: 'not-ours',
        found: 1,
        first: [expect.objectContaining({ listed_id: '5', our_vnd: null, bank_vnd: 9_000 })],
      }),
    ])
  })

  test('pairs rows without a known reference by amount, each once', async () => {
    const { day, noon } = aDay()
    for (const ref of ['FT-C1', 'FT-C2']) await told(noon, 30_000, ref)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const three = [1, 2, 3].map((n) => inRow(day, 30_000, `khac ${n}`))
    const taken = await takeFile(id, { file: aFile(three) })
    expect(taken.body.status).toBe('red')
    const { body } = await portal.call('GET', `${PATH}/${taken.body.id}`, { token: cashier.token })
    expect(body.rows).toMatchObject([{ kind: 'not-ours', found: 1 }])
    // The right file in its place: the days are compared with it from then on.
    const again = await takeFile(taken.body.id, { file: aFile(three.slice(1)) })
    expect(again.body.status).toBe('green')
  })

  test('closes each of its days that is over, also one that it covers without a row', async () => {
    const { day, noon } = aDay()
    const before = new Date(noon.getTime() - 86_400_000)
    await told(noon, 40_000, 'FT-D1')
    await told(before, 60_000, 'FT-D2')
    const dayBefore = before.toISOString().slice(0, 10)
    await closeDay(portal.deps, day)
    await closeDay(portal.deps, dayBefore)
    const { id } = await closeOf(day)
    const period: Row[] = [[`Từ ngày ${dayFirst(dayBefore)} đến ngày ${dayFirst(day)}`]]
    const taken = await takeFile(id, { file: aFile([inRow(day, 40_000, 'FT-D1')], 'xlsx', period) })
    expect(taken.body).toMatchObject({ status: 'green', days: 2 })
    expect(await closeOf(dayBefore)).toMatchObject({ status: 'red', differences: ['bank-less'] })
  })

  test('with rows that cannot be read makes no day green', async () => {
    const { day, noon } = aDay()
    await told(noon, 40_000, 'FT-E1')
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const file = aFile([inRow(day, 40_000, 'FT-E1'), inRow(day, 'năm mươi', 'FT-E2')])
    expect((await readFile(id, { file })).body).toMatchObject({ unreadable: 1, unreadable_rows: [4] })
    expect((await takeFile(id, { file })).body.status).toBe('red')
  })

  test('whose headings say nothing is read by the columns that the operator chose', async () => {
    const { day, noon } = aDay()
    await told(noon, 40_000, 'FT-F1')
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const file = write(
      utils.book_new(
        utils.aoa_to_sheet([
          ['A', 'B', 'C'],
          ['FT-F1', '40.000', dayFirst(day)],
        ]),
        'S',
      ),
      { type: 'buffer', bookType: 'xlsx' },
    ) as Buffer
    expect((await readFile(id, { file })).body).toMatchObject({ columns: {}, days: [] })
    expect((await takeFile(id, { file })).body).toMatchObject({
      code: 'VALIDATION',
      errors: { date: [expect.any(String)] },
    })
    const fields = { date: '2', amount: '1', reference: '0', credit: '', debit: '', memo: '' }
    expect((await readFile(id, { file, fields })).body).toMatchObject({ days: [{ day, in_vnd: 40_000 }] })
    expect((await takeFile(id, { file, fields })).body.status).toBe('green')
  })

  test.each([
    [
      'of another account',
      (day: string) => aFile([inRow(day, 1, 'x')], 'xlsx', [['Số tài khoản', ACB.number]]),
      /tài khoản/,
    ],
    ['of other days', () => aFile([inRow('2020-01-02', 1, 'x')]), /không có ngày/],
    ['that is none', () => Buffer.from([0x50, 0x4b, 3, 4, 9, 9, 9]), /Không đọc được tệp/],
    ['of years', (day: string) => aFile([inRow('2020-01-02', 1, 'x'), inRow(day, 1, 'y')]), /92 ngày/],
  ])('%s is refused with its reason, and nothing changes', async (_what, made, message) => {
    const { day, noon } = aDay()
    await told(noon, 50_000, `FT-${day}`)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const refused = await takeFile(id, { file: made(day) })
    expect(refused).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
    expect(refused.body.errors.statement[0]).toMatch(message)
    expect(await closesOf(day)).toMatchObject([{ id, status: 'not-compared' }])
  })

  test('is taken once for its key, and refused with another file under the same key', async () => {
    const { day, noon } = aDay()
    await told(noon, 50_000, `FT-K${day}`)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const sending = { file: aFile([inRow(day, 50_000, 'K')]), key: `tep-${day}` }
    const first = await takeFile(id, sending)
    expect((await takeFile(id, sending)).body).toEqual(first.body)
    const other = await takeFile(id, { ...sending, file: aFile([inRow(day, 60_000, 'K')]) })
    expect(other.body.code).toBe('KEY_REUSED')
    const given = portal.db
      .selectFrom('given_statement')
      .select('id')
      .where('account_number', '=', VIETCOMBANK.number)
    const days = portal.db.selectFrom('bank_statement_day').select('given_id').where('given_id', 'in', given)
    expect((await days.where('day', '=', new Date(`${day}T00:00:00`)).execute()).length).toBe(1)
  })
})

describe('figures that an operator read in the app of the bank', () => {
  test('are compared like a statement, with the picture that shows them', async () => {
    const { day, noon } = aDay()
    await told(noon, 50_000, `FT-G${day}`)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const right = { in_count: '1', in_vnd: '50000', out_count: '0', out_vnd: '0' }
    const without = await giveFigures(id, { fields: right })
    expect(without).toMatchObject({ status: 422, body: { errors: { picture: [expect.any(String)] } } })
    const wrong = await giveFigures(id, { fields: { ...right, in_vnd: '5000O' }, file: await aPicture() })
    expect(wrong).toMatchObject({ status: 422, body: { errors: { in_vnd: [expect.any(String)] } } })
    const given = await giveFigures(id, { fields: right, file: await aPicture() })
    expect(given).toMatchObject({ status: 200, body: { status: 'green' } })
    const { body } = await portal.call('GET', `${PATH}/${given.body.id}`, { token: cashier.token })
    expect(body.statements).toMatchObject([
      { provider: 'hand', given_by: { username: cashier.username }, has_picture: true, has_rows: false },
    ])
    const picture = await portal.call('GET', `${PATH}/${given.body.id}/picture`, { token: support.token })
    expect(picture).toMatchObject({ status: 200, headers: { 'content-type': 'image/jpeg' } })
  })

  test('that are lower than those of a file do not take its place', async () => {
    const { day, noon } = aDay()
    await told(noon, 50_000, `FT-H${day}`)
    await closeDay(portal.deps, day)
    const { id } = await closeOf(day)
    const file = aFile([inRow(day, 50_000, 'H1'), inRow(day, 80_000, 'H2')])
    const red = await takeFile(id, { file })
    expect(red.body.status).toBe('red')
    const fields = { in_count: '1', in_vnd: '50000', out_count: '0', out_vnd: '0' }
    const given = await giveFigures(red.body.id, { fields, file: await aPicture() })
    expect(given.body.status).toBe('red')
  })
})
