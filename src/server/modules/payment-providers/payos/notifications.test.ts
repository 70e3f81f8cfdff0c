import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openPayosNotices } from './notifications.ts'

/** As payOS' own library signs it. */
const KEY = '1a54716c8f0efb2744fb28b6e38b25da7f67a925d98bc1c18bd8faaecadd7675'
const SIGNATURE = '412e915d2871504ed31be63c8f62a149a4410d34c4c42affc9006ef9917eaa03'
const DATA = {
  orderCode: 123,
  amount: 3000,
  description: 'VQRIO123',
  accountNumber: '12345678',
  reference: 'TF230204212323',
  transactionDateTime: '2023-02-04 18:25:00',
  currency: 'VND',
  paymentLinkId: '124c33293c43417ab7879e14c8d9eb18',
  code: '00',
  desc: 'Thành công',
  counterAccountBankId: '',
  counterAccountBankName: '',
  counterAccountName: '',
  counterAccountNumber: '',
  virtualAccountName: '',
  virtualAccountNumber: '',
}

type Data = Record<string, unknown>
const bodyOf = (data: unknown, signature: unknown = SIGNATURE) =>
  JSON.stringify({ code: '00', desc: 'success', success: true, data, signature })

function verify(body: string, checksumKeys: string[] = [KEY]) {
  return openPayosNotices(checksumKeys).verify({ raw: Buffer.from(body), headers: {} }, new Date())
}

const mac = (text: string, key = KEY) => createHmac('sha256', key).update(text).digest('hex')

describe('a signature of payOS', () => {
  test('is the one its library makes', () => {
    expect(verify(bodyOf(DATA))).toBe('valid')
    expect(verify(bodyOf(DATA, SIGNATURE.toUpperCase()))).toBe('valid')
  })

  test('is right with nothing where there was an empty text', () => {
    const minimal = Object.fromEntries(
      Object.entries(DATA).map(([name, value]) => [name, value === '' ? null : value]),
    )
    expect(verify(bodyOf(minimal))).toBe('valid')
    expect(verify(bodyOf({ ...DATA, counterAccountName: 'null', virtualAccountName: 'undefined' }))).toBe(
      'valid',
    )
  })

  test('is right however the data is ordered', () => {
    expect(verify(bodyOf(Object.fromEntries(Object.entries(DATA).toReversed())))).toBe('valid')
  })

  test.each(Object.keys(DATA))('covers %s', (name) => {
    const value = (DATA as Data)[name]
    const altered = typeof value === 'number' ? value + 1 : `${String(value)}1`
    expect(verify(bodyOf({ ...DATA, [name]: altered }))).toBe('bad')
    if (value === '') return
    const { [name]: _, ...without } = DATA as Data
    expect(verify(bodyOf(without))).toBe('bad')
  })

  test('covers whatever is added', () => {
    expect(verify(bodyOf({ ...DATA, more: '' }))).toBe('bad')
  })

  test('is right under the new key and under the old one, and under no other', () => {
    expect(verify(bodyOf(DATA), ['the-new-key', KEY])).toBe('valid')
    expect(verify(bodyOf(DATA), [KEY, 'the-old-key'])).toBe('valid')
    expect(verify(bodyOf(DATA), ['the-new-key'])).toBe('bad')
    expect(verify(bodyOf(DATA), [])).toBe('bad')
    expect(verify(bodyOf(DATA, mac('', '')), [''])).toBe('bad')
  })

  test.each([
    ['numbers as they were written', '{"b":3000.0,"a":1e5}', 'a=1e5&b=3000.0'],
    ['lists, each object in order', '{"a":[{"d":1,"c":"x"}]}', 'a=[{"c":"x","d":1}]'],
    ['true and false', '{"a":true}', 'a=true'],
    ['letters with marks', '{"a":"Thành công"}', 'a=Thành công'],
    ['names that mean something to JavaScript', '{"a":1,"__proto__":2}', '__proto__=2&a=1'],
  ])('accepts %s', (_what, data, signed) => {
    expect(verify(`{"data":${data},"signature":"${mac(signed)}"}`)).toBe('valid')
  })

  test.each([
    ['no signature', bodyOf(DATA, null)],
    ['an empty one', bodyOf(DATA, '')],
    ['one that is no text', bodyOf(DATA, 7)],
    ['a digit too few', bodyOf(DATA, SIGNATURE.slice(0, -1))],
    ['a digit too many', bodyOf(DATA, `${SIGNATURE}0`)],
    ['a list of signatures', bodyOf(DATA, [SIGNATURE])],
    ['no data', `{"signature":"${mac('')}"}`],
    ['data that is a list', `{"data":[],"signature":"${mac('')}"}`],
    ['an object in the data', `{"data":{"a":{}},"signature":"${mac('a=[object Object]')}"}`],
    ['a list', '[]'],
  ])('with %s is bad', (_what, body) => {
    expect(verify(body)).toBe('bad')
  })

  test.each(['', '{', 'data'])('is not looked for in what is no JSON: %j', (body) => {
    expect(verify(body)).toBe('unreadable')
  })
})

const read = (change: Data = {}, around: Data = {}) =>
  openPayosNotices([KEY]).read(
    Buffer.from(JSON.stringify({ code: '00', success: true, data: { ...DATA, ...change }, ...around })),
  )

describe('a notification of payOS is read', () => {
  test('into the fields that all providers share', () => {
    expect(read({ description: 'CSX1 TCX7K2QF9XAMM' })).toEqual([
      {
        kind: 'movement',
        event: {
          provider: 'payos',
          providerEventId: '124c33293c43417ab7879e14c8d9eb18:TF230204212323',
          direction: 'in',
          amountVnd: 3000,
          accountNumber: '12345678',
          virtualAccount: null,
          bankRef: 'TF230204212323',
          memo: 'CSX1 TCX7K2QF9XAMM',
          fullText: '',
          code: null,
          bookedAt: new Date('2023-02-04T11:25:00Z'),
          payerAccount: null,
        },
      },
    ])
  })

  test('by what is signed: the fields around the data decide nothing', () => {
    expect(read({}, { code: '99', success: false })).toMatchObject([{ kind: 'movement' }])
    expect(read({ code: '01' }, { code: '00', success: true })).toMatchObject([
      { kind: 'no-money', reason: 'payment-failed' },
    ])
  })

  test('and a failure does not take the id of the success that may follow', () => {
    const idOf = (change: Data) => read(change)[0]?.event.providerEventId
    expect(idOf({ code: '01' })).not.toBe(idOf({}))
    expect(idOf({ code: '01' })).not.toBe(idOf({ code: '02' }))
    expect(idOf({ reference: 'TF2' })).not.toBe(idOf({}))
    expect(idOf({ reference: null })).toBe('124c33293c43417ab7879e14c8d9eb18:')
  })

  test('with the number of the QR beside that of the account, and the payer’s', () => {
    const change = { virtualAccountNumber: 'CAS0001', counterAccountNumber: '0011000000009' }
    expect(read(change)).toMatchObject([
      { event: { accountNumber: '12345678', virtualAccount: 'CAS0001', payerAccount: '0011000000009' } },
    ])
  })

  test.each<[string, unknown[]]>([
    ['amount', [0, -1, 0.5, '3.000', 10_000_000_000_001]],
    ['paymentLinkId', [null, '', 'a b', {}]],
    ['accountNumber', [null, '', ' ']],
    ['currency', ['USD', 704]],
    ['code', [null, '', {}]],
  ])('unless its %s is wrong: then it may carry money', (field, values) => {
    for (const value of values)
      expect(read({ [field]: value })).toMatchObject([{ kind: 'unreadable', mayCarryMoney: true }])
  })

  test.each<[Data, Record<string, unknown>]>([
    [{ amount: '3000' }, { amountVnd: 3_000 }],
    [{ transactionDateTime: '2023-02-30 18:25:00' }, { bookedAt: null }],
    [{ reference: 7 }, { bankRef: '7', providerEventId: '124c33293c43417ab7879e14c8d9eb18:7' }],
    [{ description: 7 }, { memo: '7' }],
  ])('whatever the types of %j', (change, fields) => {
    expect(read(change)).toMatchObject([{ kind: 'movement', event: fields }])
  })

  test.each(['null', '{}', '{"data":[]}', '{"data":null}'])(
    'and is one that nobody can read when it is %s',
    (body) => {
      expect(openPayosNotices([KEY]).read(Buffer.from(body))).toMatchObject([{ kind: 'unreadable' }])
    },
  )
})

test('no bytes make payOS’ reader throw', () => {
  const notice = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`{"data":${text},"signature":"${SIGNATURE}"}`)),
  )
  const reader = openPayosNotices([KEY])
  fc.assert(
    fc.property(notice, (bytes) => {
      const raw = Buffer.from(bytes)
      expect(['bad', 'unreadable']).toContain(reader.verify({ raw, headers: {} }, new Date()))
      expect(() => reader.read(raw)).not.toThrow()
    }),
  )
})
