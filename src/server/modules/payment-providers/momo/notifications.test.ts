import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRefund, readRefundQuery } from './gateway.client.ts'
import { type MomoKeys, openMomoNotices } from './notifications.ts'
import { momoKeysOf } from './vendor.ts'

const KEYS: MomoKeys = {
  partnerCode: 'MOMO',
  credentials: [{ accessKey: 'test-access-key', secret: 'test-secret-key' }],
}

const SIGNATURE = 'c07f9f6a51e7ed1894131a94bcab29274735a5302d6644596ada114426e93828'

const FIELDS = {
  partnerCode: 'MOMO',
  orderId: 'TC20261120A7K2QF',
  requestId: 'TC20261120A7K2QF',
  amount: 50_000,
  orderInfo: 'Nap TCoin TC20261120A7K2QF',
  orderType: 'momo_wallet',
  transId: 4_088_878_653,
  resultCode: 0,
  message: 'Successful.',
  payType: 'qr',
  responseTime: 1_721_720_663_942,
  extraData: '',
}

type Fields = Record<string, unknown>
const bodyOf = (fields: Fields, signature: unknown = SIGNATURE) => JSON.stringify({ ...fields, signature })

const mac = (text: string, secret = 'test-secret-key') =>
  createHmac('sha256', secret).update(text).digest('hex')

function verify(body: string, keys: MomoKeys = KEYS) {
  return openMomoNotices(keys).verify({ raw: Buffer.from(body), headers: {} }, new Date())
}

/** MoMo's order of the fields, written down once more. */
const textOf = (fields: Record<string, string>, accessKey = 'test-access-key') =>
  `accessKey=${accessKey}&amount=${fields.amount}&extraData=${fields.extraData}&message=${fields.message}` +
  `&orderId=${fields.orderId}&orderInfo=${fields.orderInfo}&orderType=${fields.orderType}` +
  `&partnerCode=${fields.partnerCode}&payType=${fields.payType}&requestId=${fields.requestId}` +
  `&responseTime=${fields.responseTime}&resultCode=${fields.resultCode}&transId=${fields.transId}`

const texts = Object.fromEntries(Object.entries(FIELDS).map(([name, value]) => [name, String(value)]))

describe('a signature of MoMo', () => {
  test('is the one known for these fields', () => {
    expect(verify(bodyOf(FIELDS))).toBe('valid')
    expect(mac(textOf(texts))).toBe(SIGNATURE)
  })

  test('does not depend on the order they come in, nor on what is not signed', () => {
    const turned = Object.fromEntries(Object.entries(FIELDS).toReversed())
    expect(verify(bodyOf({ ...turned, storeId: 'S1', promotionInfo: null }))).toBe('valid')
  })

  test.each(Object.keys(FIELDS))('covers %s', (name) => {
    const value = (FIELDS as Fields)[name]
    const altered = typeof value === 'number' ? value + 1 : `${String(value)}1`
    expect(verify(bodyOf({ ...FIELDS, [name]: altered }))).toBe('bad')
    const { [name]: _, ...without } = FIELDS as Fields
    expect(verify(bodyOf(without))).toBe(value === '' ? 'valid' : 'bad')
  })

  test.each<[string, Record<string, string>]>([
    ['with a fraction', { amount: '50000.0', responseTime: '1721720663942.000' }],
    ['with an exponent', { amount: '5e4', transId: '4.088878653E9' }],
    ['longer than a double holds', { transId: '9223372036854775807' }],
  ])('is made over numbers as they were written: %s', (_how, change) => {
    const written = { ...texts, ...change }
    const body = bodyOf(FIELDS, mac(textOf(written))).replace(
      /"(amount|transId|responseTime)":\d+/g,
      (_all, name: string) => `"${name}":${written[name]}`,
    )
    expect(verify(body)).toBe('valid')
    expect(verify(bodyOf(FIELDS, mac(textOf(written))))).toBe('bad')
  })

  test('is made over letters with marks as they are', () => {
    const change = { message: 'Thành công.', orderInfo: 'Nạp TCoin & quà=1' }
    expect(verify(bodyOf({ ...FIELDS, ...change }, mac(textOf({ ...texts, ...change }))))).toBe('valid')
  })

  test('for another partner is bad, though the secret be ours', () => {
    const other = bodyOf({ ...FIELDS, partnerCode: 'OTHER' }, mac(textOf({ ...texts, partnerCode: 'OTHER' })))
    expect(verify(other)).toBe('bad')
    expect(verify(other, { ...KEYS, partnerCode: 'OTHER' })).toBe('valid')
  })

  test('is right under the new credentials and under the old ones, and not under a mixture', () => {
    const other = { accessKey: 'other-access', secret: 'other-secret' }
    const [ours] = KEYS.credentials
    expect(verify(bodyOf(FIELDS), { ...KEYS, credentials: [other, ours!] })).toBe('valid')
    expect(verify(bodyOf(FIELDS), { ...KEYS, credentials: [ours!, other] })).toBe('valid')
    for (const credentials of [
      [other],
      [],
      [{ ...ours!, accessKey: 'other-access' }],
      [{ ...ours!, secret: 'other-secret' }],
    ])
      expect(verify(bodyOf(FIELDS), { ...KEYS, credentials })).toBe('bad')
  })

  test('made with the empty secret opens nothing, whatever is configured', () => {
    const credentials = [{ accessKey: 'test-access-key', secret: '' }]
    expect(verify(bodyOf(FIELDS, mac(textOf(texts), '')), { ...KEYS, credentials })).toBe('bad')
  })

  test.each([
    ['no signature', bodyOf(FIELDS, null)],
    ['an empty one', bodyOf(FIELDS, '')],
    ['a digit too few', bodyOf(FIELDS, SIGNATURE.slice(0, -1))],
    ['a digit too many', bodyOf(FIELDS, `${SIGNATURE}0`)],
    ['one that is no text', bodyOf(FIELDS, 7)],
    [
      'a field that is an object',
      bodyOf({ ...FIELDS, extraData: {} }, mac(textOf({ ...texts, extraData: '[object Object]' }))),
    ],
    ['a field that is a list', bodyOf({ ...FIELDS, extraData: [] })],
    [
      'a field that is true',
      bodyOf({ ...FIELDS, extraData: true }, mac(textOf({ ...texts, extraData: 'true' }))),
    ],
    ['a list', '[]'],
  ])('with %s is bad', (_what, body) => {
    expect(verify(body)).toBe('bad')
  })

  test.each(['', '{', 'partnerCode=MOMO'])('is not looked for in what is no JSON: %j', (body) => {
    expect(verify(body)).toBe('unreadable')
  })
})

const read = (change: Fields = {}) =>
  openMomoNotices(KEYS).read(Buffer.from(JSON.stringify({ ...FIELDS, ...change })))

describe('a notification of MoMo is read', () => {
  test('into the fields that all providers share', () => {
    expect(read()).toEqual([
      {
        kind: 'movement',
        event: {
          provider: 'momo',
          providerEventId: '4088878653',
          direction: 'in',
          amountVnd: 50_000,
          accountNumber: 'MOMO',
          virtualAccount: null,
          bankRef: '4088878653',
          memo: 'Nap TCoin TC20261120A7K2QF',
          fullText: 'TC20261120A7K2QF',
          code: 'TC20261120A7K2QF',
          bookedAt: new Date(1_721_720_663_942),
          payerAccount: null,
        },
      },
    ])
  })

  test('in the shape MoMo’s documents print', () => {
    expect(
      read({
        partnerCode: 'MOMOT5BZ20231213_TEST',
        orderId: 'Order_1721720620078',
        requestId: 'Request_1721720620078',
        amount: 1000,
        message: 'Thành công.',
      }),
    ).toMatchObject([{ kind: 'movement' }])
  })

  test.each([
    [9000, 'authorised'],
    [1000, 'pending'],
    [7000, 'pending'],
    [7002, 'pending'],
    ...[98, 99, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1017, 1026, 4001, 4002, 4100].map(
      (code): [number, string] => [code, 'payment-failed'],
    ),
    ...[10, 11, 12, 13, 20, 21, 22, 40, 41, 42, 43, 45, 47, 1080, -1, 8888].map((code): [number, string] => [
      code,
      'unknown-result',
    ]),
  ])('and with result %d is no money: %s', (resultCode, reason) => {
    expect(read({ resultCode })).toMatchObject([{ kind: 'no-money', reason }])
  })

  test('and no result takes the id of another, nor that of the success that may follow', () => {
    const idOf = (change: Fields) => read(change)[0]?.event.providerEventId
    const ids = [0, 9000, 1000, 1006].map((resultCode) => idOf({ resultCode }))
    expect(new Set(ids).size).toBe(4)
    expect(idOf({ resultCode: 1006, transId: 0 })).not.toBe(
      idOf({ resultCode: 1006, transId: 0, orderId: 'TC20261120A7K2QG' }),
    )
  })

  test('with a transaction’s number longer than a double holds', () => {
    const raw = JSON.stringify(FIELDS).replace('4088878653', '9223372036854775807')
    expect(openMomoNotices(KEYS).read(Buffer.from(raw))).toMatchObject([
      { event: { providerEventId: '9223372036854775807' } },
    ])
  })

  test.each<[string, unknown[]]>([
    ['amount', [0, -1, 0.5, '50.000', 10_000_000_000_001]],
    ['transId', [null, 0, '', -1, 1.5]],
    ['resultCode', [null, 'x', 0.5]],
  ])('unless its %s is wrong: then it may carry money', (field, values) => {
    for (const value of values)
      expect(read({ [field]: value })).toMatchObject([{ kind: 'unreadable', mayCarryMoney: true }])
  })

  test.each<[Fields, Record<string, unknown>]>([
    [{ amount: '50000', resultCode: '0' }, { amountVnd: 50_000 }],
    [{ orderId: null }, { code: null }],
    [{ requestId: null }, { fullText: '' }],
    [{ responseTime: 1_721_720_663 }, { bookedAt: null }],
    [{ responseTime: '1721720663942' }, { bookedAt: new Date(1_721_720_663_942) }],
    [{ orderInfo: 7 }, { memo: '7' }],
  ])('whatever the types of %j', (change, fields) => {
    expect(read(change)).toMatchObject([{ kind: 'movement', event: fields }])
  })
})

test('no bytes make MoMo’s reader throw', () => {
  const notice = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(bodyOf({ ...FIELDS, amount: text }))),
  )
  const reader = openMomoNotices(KEYS)
  fc.assert(
    fc.property(notice, (bytes) => {
      const raw = Buffer.from(bytes)
      expect(['bad', 'unreadable']).toContain(reader.verify({ raw, headers: {} }, new Date()))
      expect(() => reader.read(raw)).not.toThrow()
    }),
  )
})

describe('the keys of MoMo', () => {
  const secrets = { MOMO_PARTNER_CODE: 'MOMONINJA', MOMO_SECRET_KEY: ['secret-new', 'secret-old'] }

  test('are pairs in the order they are given, or secrets that share one access key', () => {
    expect(momoKeysOf({ ...secrets, MOMO_ACCESS_KEY: ['access-new', 'access-old'] })).toEqual({
      partnerCode: 'MOMONINJA',
      credentials: [
        { accessKey: 'access-new', secret: 'secret-new' },
        { accessKey: 'access-old', secret: 'secret-old' },
      ],
    })
    expect(momoKeysOf({ ...secrets, MOMO_ACCESS_KEY: ['the-only-one'] })?.credentials).toEqual([
      { accessKey: 'the-only-one', secret: 'secret-new' },
      { accessKey: 'the-only-one', secret: 'secret-old' },
    ])
  })

  test('are none unless all three are given', () => {
    expect(momoKeysOf({ ...secrets, MOMO_ACCESS_KEY: undefined })).toBeNull()
  })
})

const requested = { refundOrder: 'HT0001', amountVnd: 20_000 }
const ours = { orderId: 'HT0001', amount: 20_000, transId: 4_088_878_654 }
const refunded = { kind: 'refunded', transId: '4088878654' }

describe('the answer to the request for a refund', () => {
  const read = (resultCode: number, answer: unknown = {}) => readRefund({ answer, resultCode, requested })

  test('a success counts only for the requested refund', () => {
    expect(read(0, ours)).toEqual(refunded)
    for (const change of [{ orderId: 'HT0002' }, { amount: 50_000 }, { transId: 0 }]) {
      expect(read(0, { ...ours, ...change })).toBeUndefined()
    }
  })

  test.each([1080, 1081, 1088, 11, 13, 20, 22, 42, 1001])('%i is a refusal', (resultCode) => {
    expect(read(resultCode)).toEqual({ kind: 'refused', resultCode })
  })

  // 40 and 41 say that an earlier try arrived; the others that MoMo does not know itself.
  test.each([40, 41, 43, 10, 99, 1000, 7000, 7002, 9000, 5555])('%i leaves it open', (resultCode) => {
    expect(read(resultCode)).toEqual({ kind: 'pending', resultCode })
  })
})

describe('the answer to the query of a refund', () => {
  const read = (resultCode: number, answer: unknown = {}) =>
    readRefundQuery({ answer, resultCode, requested })
  const listed = (...rows: object[]) => ({ refundTrans: rows })

  test('its own row in the list decides, whatever else is in the answer', () => {
    expect(
      read(0, listed({ ...ours, orderId: 'HT9', resultCode: 1081 }, { ...ours, resultCode: 0 })),
    ).toEqual(refunded)
    expect(read(0, listed({ ...ours, resultCode: 1081 }))).toEqual({ kind: 'refused', resultCode: 1081 })
    expect(read(0, listed({ ...ours, resultCode: 7002 }))).toEqual({ kind: 'pending', resultCode: 7002 })
    expect(read(0, listed({ ...ours, amount: 1, resultCode: 0 }))).toBeUndefined()
  })

  test('without a list the answer itself decides, when it is about this refund', () => {
    expect(read(0, ours)).toEqual(refunded)
    expect(read(0, listed({ ...ours, orderId: 'HT9', resultCode: 0 }))).toBeUndefined()
  })

  test('a query that was refused decides nothing; “not found” does', () => {
    expect(read(13)).toEqual({ kind: 'pending', resultCode: 13 })
    expect(read(40)).toEqual({ kind: 'pending', resultCode: 40 })
    expect(read(42)).toEqual({ kind: 'unknown-refund' })
    expect(read(1081)).toEqual({ kind: 'refused', resultCode: 1081 })
  })
})
