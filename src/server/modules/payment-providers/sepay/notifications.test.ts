import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTrialEvent } from '../notification.rules.ts'
import { hmacHex } from '../provider-call.ts'
import {
  signSepay,
  verifyApiKey,
  verifySepaySignature,
  type SepaySignatureInput,
  readSepay,
} from './notifications.ts'
import { sepay } from './vendor.ts'

const secret = 'test-sepay-secret'
const timestamp = '1719893313'

const body =
  '{"id":92704,"gateway":"Vietcombank","transactionDate":"2024-07-02 11:08:33","accountNumber":"1017588888","subAccount":"",' +
  '"code":null,"content":"NGUYEN VAN A chuyen tien","transferType":"in","transferAmount":10000,"accumulated":105010000,' +
  '"referenceCode":"FT24012345678"}'

const signature = 'sha256=1b809a738dd04770761074624178c0b8ad58b6f917d18bb8ebfb3d0223ad3950'

// Made elsewhere: our own signer refuses an empty secret.
const emptySecretSignature = 'sha256=ba21058b2c4dc66239561e3312cda2087346bc16f70c328e8b6b199bba0b2282'

function verify(change: Partial<SepaySignatureInput> = {}) {
  const right = { secrets: [secret], timestamp, signature, raw: bytes(body), toleranceSeconds: 300 }
  return verifySepaySignature({ ...right, now: new Date(Number(timestamp) * 1000), ...change })
}

describe('a signature', () => {
  test('is the one known for these bytes', () => {
    expect(signSepay(secret, timestamp, bytes(body))).toBe(signature)
    expect(verify()).toBe('valid')
  })

  test('may be written in upper case', () => {
    expect(verify({ signature: `sha256=${signature.slice(7).toUpperCase()}` })).toBe('valid')
  })

  test('is right under the new secret and under the old one, whichever is named first', () => {
    expect(verify({ secrets: ['new', secret] })).toBe('valid')
    expect(verify({ secrets: [secret, 'new'] })).toBe('valid')
  })

  test.each([
    ['another secret', { secrets: ['new', 'old'] }],
    ['a secret with a blank behind it', { secrets: [`${secret} `] }],
    ['no secret at all', { secrets: [] }],
    ['another time', { timestamp: '1719893314' }],
    ['no time', { timestamp: undefined }],
    ['an empty time', { timestamp: '' }],
    ['a time with a sign', { timestamp: `+${timestamp}` }],
    ['a time with a fraction', { timestamp: `${timestamp}.0` }],
    ['a time with a blank', { timestamp: ` ${timestamp}` }],
    ['no signature', { signature: undefined }],
    ['an empty signature', { signature: '' }],
    ['no prefix', { signature: signature.slice(7) }],
    ['another prefix', { signature: signature.replace('sha256', 'sha512') }],
    ['a prefix in capitals', { signature: signature.replace('sha256', 'SHA256') }],
    ['a digit too few', { signature: signature.slice(0, -1) }],
    ['a digit too many', { signature: `${signature}0` }],
    ['a line end', { signature: `${signature}\n` }],
    ['a letter that is no digit', { signature: `${signature.slice(0, -1)}g` }],
    ['two signatures', { signature: `${signature},${signature}` }],
  ])('with %s is bad', (_what, change) => {
    expect(verify(change)).toBe('bad')
  })

  test.each([
    `+${timestamp}`,
    `${timestamp}.0`,
    ` ${timestamp}`,
    `${timestamp}e0`,
    '0x66835a11',
    '9'.repeat(13),
  ])('over a time not written in figures is bad, though it fits: %s', (time) => {
    expect(verify({ timestamp: time, signature: signSepay(secret, time, bytes(body)) })).toBe('bad')
  })

  test('made with the empty secret opens nothing, whatever is configured', () => {
    expect(verify({ secrets: [''], signature: emptySecretSignature })).toBe('bad')
    expect(verify({ secrets: [' '], signature: signSepay(' ', timestamp, bytes(body)) })).toBe('bad')
    expect(() => signSepay('', timestamp, bytes(body))).toThrow(RangeError)
  })

  test('covers every bit of the body', () => {
    const raw = bytes(body)
    for (let at = 0; at < raw.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const altered = Uint8Array.from(raw, (value, place) => (place === at ? value ^ (1 << bit) : value))
        expect(verify({ raw: altered })).toBe('bad')
      }
    }
  })

  test('covers the bytes, not their meaning: the body written out again does not match', () => {
    for (const raw of [JSON.stringify(JSON.parse(body), null, 1), `${body}\n`, ` ${body}`]) {
      expect(verify({ raw: bytes(raw) })).toBe('bad')
    }
    expect(verify({ raw: bytes(JSON.stringify(JSON.parse(body))) })).toBe('valid')
  })

  test('cannot be moved along by shifting figures from the time into the body', () => {
    expect(verify({ timestamp: timestamp.slice(0, -1), raw: bytes(`${timestamp.slice(-1)}.${body}`) })).toBe(
      'bad',
    )
  })

  test.each([
    [0, 'valid'],
    [300, 'valid'],
    [-300, 'valid'],
    [300.001, 'stale'],
    [-300.001, 'stale'],
    [86_400, 'stale'],
    [-86_400, 'stale'],
  ])('read %d seconds after its time is %s', (seconds, expected) => {
    expect(verify({ now: new Date(Number(timestamp) * 1000 + seconds * 1000) })).toBe(expected)
  })

  test('that is wrong is bad, not stale, at any time', () => {
    expect(verify({ secrets: ['new'], now: new Date(0) })).toBe('bad')
  })

  test('of any body is found right', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.nat(), (raw, anySecret, seconds) => {
        fc.pre(anySecret.trim() !== '')
        const time = String(seconds)
        const made = signSepay(anySecret, time, raw)
        const now = new Date(seconds * 1000)
        expect(verify({ secrets: [anySecret], timestamp: time, signature: made, raw, now })).toBe('valid')
      }),
    )
  })
})

describe('an API key', () => {
  test.each(['Apikey k-new', 'Apikey k-old', 'apikey k-new'])('is accepted: %s', (header) => {
    expect(verifyApiKey(header, ['k-new', 'k-old'])).toBe(true)
  })

  test.each([
    [undefined, ['k']],
    ['', ['k']],
    ['k', ['k']],
    ['Bearer k', ['k']],
    ['Apikey', ['k']],
    ['Apikey ', ['']],
    ['Apikey  k', ['k']],
    ['Apikey k ', ['k']],
    ['Apikey k, Apikey k', ['k']],
    ['Apikey K', ['k']],
    ['Apikey kk', ['k']],
    ['Apikey k', []],
    ['Apikey k', ['']],
    ['Apikey undefined', []],
  ])('is refused: %j against %j', (header, keys) => {
    expect(verifyApiKey(header, keys)).toBe(false)
  })
})

describe('SePay’s notifications', () => {
  const now = new Date(1_795_143_600_000)
  const TIMESTAMP = String(now.getTime() / 1000)
  const RAW = Buffer.from('{"id":1}')

  const reader = sepay.openNotices(
    sepay.env.parse({ SEPAY_WEBHOOK_SECRET: 'the-webhook-secret', SEPAY_API_KEY: 'the-api-key' }),
  )

  const verifyWith = (headers: Record<string, string>) => reader?.verify({ raw: RAW, headers }, now)

  const signed = (secret: string) => ({
    'x-sepay-timestamp': TIMESTAMP,
    'x-sepay-signature': signSepay(secret, TIMESTAMP, RAW),
  })

  describe('with a secret and an API key', () => {
    test('either is taken alone', () => {
      expect(verifyWith(signed('the-webhook-secret'))).toBe('valid')
      expect(verifyWith({ authorization: 'Apikey the-api-key' })).toBe('valid')
    })

    test('the right API key does not help a wrong signature', () => {
      expect(verifyWith({ ...signed('another-secret'), authorization: 'Apikey the-api-key' })).toBe('bad')
    })

    test('a wrong API key is refused', () => {
      expect(verifyWith({ authorization: 'Apikey another-key' })).toBe('bad')
    })
  })

  test('nothing is signed with a secret that is not set', () => {
    expect(() => signSepay('', TIMESTAMP, RAW)).toThrow('an empty secret signs nothing')
    expect(() => hmacHex('sha256', '', 'text')).toThrow('an empty secret signs nothing')
  })
})

const sample = {
  id: 92704,
  gateway: 'Vietcombank',
  transactionDate: '2024-07-02 11:08:33',
  accountNumber: '1017588888',
  subAccount: '',
  code: null,
  content: 'NGUYEN VAN A chuyen tien',
  transferType: 'in',
  transferAmount: 10000,
  accumulated: 105010000,
  referenceCode: 'FT24012345678',
}

function bytes(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

const factWith = (change: Record<string, unknown>) => readSepay(bytes({ ...sample, ...change }))[0]!

function eventWith(change: Record<string, unknown>) {
  const fact = factWith(change)
  expect(fact.kind).toBe('movement')
  return fact.event
}

const EVENT = {
  provider: 'sepay',
  providerEventId: '92704',
  direction: 'in',
  amountVnd: 10_000,
  accountNumber: '1017588888',
  virtualAccount: null,
  bankRef: 'FT24012345678',
  memo: 'NGUYEN VAN A chuyen tien',
  fullText: '',
  code: null,
  bookedAt: new Date('2024-07-02T04:08:33Z'),
  payerAccount: null,
}

describe('a notification is read', () => {
  test('into the fields that all providers share', () => {
    expect(readSepay(bytes(sample))).toEqual([{ kind: 'movement', event: EVENT }])
  })

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'the number of the QR beside that of the account',
      { subAccount: 'VCB0011ABC004' },
      { virtualAccount: 'VCB0011ABC004' },
    ],
    ['one number twice', { subAccount: '1017588888' }, { virtualAccount: null }],
    [
      'the number of the QR alone',
      { accountNumber: '', subAccount: 'VA1' },
      { accountNumber: 'VA1', virtualAccount: null },
    ],
    ['an account in figures', { accountNumber: 1017588888 }, { accountNumber: '1017588888' }],
    ['capitals', { transferType: ' IN ' }, {}],
    [
      'a time without seconds',
      { transactionDate: '2024-07-02 11:08' },
      { bookedAt: new Date('2024-07-02T04:08:00Z') },
    ],
    ['a time with its zone', { transactionDate: '2024-07-02T04:08:33Z' }, {}],
    ['a Vietnamese date', { transactionDate: '02/07/2024 11:08:33' }, {}],
    ['a time that no calendar has', { transactionDate: '2024-02-30 11:08:33' }, { bookedAt: null }],
    ['no time', { transactionDate: undefined }, { bookedAt: null }],
    ['a memo in figures', { content: 1017 }, { memo: '1017' }],
    ['a memo that is a list', { content: ['TCX7K2QF9XAMM'] }, { memo: '["TCX7K2QF9XAMM"]' }],
    ['a reference in figures', { referenceCode: 24012345678 }, { bankRef: '24012345678' }],
    ['a reference without end', { referenceCode: 'x'.repeat(201) }, { bankRef: 'x'.repeat(200) }],
    ['a code in figures', { code: 12 }, { code: '12' }],
  ])('with %s', (_what, change, read) => {
    expect(eventWith(change)).toEqual({ ...EVENT, ...read })
  })

  test.each(['10000', '10,000', '10.000,00', '10,000.00', ' 10 000 đ', '10000.00 VND', '+10000', '10000.0'])(
    'with its amount written %s',
    (transferAmount) => {
      expect(eventWith({ transferAmount }).amountVnd).toBe(10_000)
    },
  )

  test.each(['10000.0', '1e4', '10000.000'])('with its amount in the figures %s', (figures) => {
    const text = JSON.stringify(sample).replace('"transferAmount":10000', `"transferAmount":${figures}`)
    expect(readSepay(bytes(text))[0]).toMatchObject({ kind: 'movement', event: { amountVnd: 10_000 } })
  })

  test.each(['1.250.000', '1,250,000', '1 250 000', '1250000.00', '1.250.000đ'])(
    'with millions written %s',
    (transferAmount) => {
      expect(eventWith({ transferAmount }).amountVnd).toBe(1_250_000)
    },
  )

  test('with every text an order code may stand in', () => {
    expect(eventWith({ code: 'TCX7K2QF9XAMM' }).code).toBe('TCX7K2QF9XAMM')
    expect(eventWith({ content: 'nap tcx7k2qf9xamm' }).memo).toBe('nap tcx7k2qf9xamm')
    expect(eventWith({ description: 'BankAPINotify TCX7K2Q F9XAMM' }).fullText).toBe(
      'BankAPINotify TCX7K2Q F9XAMM',
    )
  })

  test('whether its number is a figure or a text, to one and the same id', () => {
    expect(eventWith({ id: '92704' }).providerEventId).toBe(eventWith({ id: 92704 }).providerEventId)
  })

  test.each(['code', 'content', 'referenceCode', 'description'])('without %s', (field) => {
    for (const value of [null, undefined, '']) {
      const { code, bankRef, memo, fullText } = eventWith({ [field]: value })
      const read = { code, content: memo, referenceCode: bankRef, description: fullText }
      expect(read[field as keyof typeof read] || null).toBe(null)
    }
  })

  test('going out as well as coming in', () => {
    expect(eventWith({ transferType: 'out' }).direction).toBe('out')
  })

  test.each([1, 10_000_000_000_000])('of %d VND', (transferAmount) => {
    expect(eventWith({ transferAmount }).amountVnd).toBe(transferAmount)
  })

  test('across midnight and a leap day', () => {
    expect(eventWith({ transactionDate: '2024-02-29 00:30:00' }).bookedAt).toEqual(
      new Date('2024-02-28T17:30:00Z'),
    )
  })

  test('without the character no database text can hold', () => {
    expect(eventWith({ content: 'TCX\u00007K2QF9XAMM' }).memo).toBe('TCX7K2QF9XAMM')
  })

  test.each([0, '0'])('and taken for the trial call when its number is %j', (id) => {
    expect(isTrialEvent(eventWith({ id }))).toBe(true)
  })
})

describe('a notification in another encoding is the same', () => {
  const MEMO = 'Nạp TCX7K2QF9XAMM'
  const marked = { ...sample, content: MEMO }
  const fields = Object.entries(marked).map(([name, value]): [string, string] => [name, String(value ?? '')])
  const multipart = [
    ...fields.map(
      ([name, value]) => `--x1\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    '--x1--\r\n',
  ].join('')

  test.each<[string, Buffer, string?]>([
    ['JSON with a byte order mark', Buffer.from(`\ufeff${JSON.stringify(marked)}`)],
    ['JSON in UTF-16', Buffer.from(`\ufeff${JSON.stringify(marked)}`, 'utf16le')],
    ['a form', Buffer.from(new URLSearchParams(fields).toString()), 'application/x-www-form-urlencoded'],
    ['a form that is called nothing', Buffer.from(new URLSearchParams(fields).toString())],
    ['a form in parts', Buffer.from(multipart), 'multipart/form-data; boundary=x1'],
    ['a list of one', bytes([marked])],
  ])('%s', (_how, raw, contentType) => {
    expect(readSepay(raw, contentType)).toMatchObject([{ kind: 'movement', event: { ...EVENT, memo: MEMO } }])
  })

  test('letters of another charset, which do not hide the code', () => {
    const latin = Buffer.from(JSON.stringify({ ...sample, content: 'Caf\u00e9 TCX7K2QF9XAMM' }), 'latin1')
    expect(readSepay(latin, 'application/json; charset=iso-8859-1')[0]?.event.memo).toBe('Café TCX7K2QF9XAMM')
    expect(readSepay(latin)[0]?.event.memo).toBe('Café TCX7K2QF9XAMM')
  })
})

describe('a notification that cannot be read as a whole is stored with what can', () => {
  test.each<[string, unknown[]]>([
    ['id', [null, undefined, '', -1, 1.5, 'a b', 'x'.repeat(65), {}]],
    [
      'transferAmount',
      [0, -1, 0.5, 10_000.5, 10_000_000_000_001, 1e300, [10_000], true, '10.000', 'mười nghìn'],
    ],
    ['transferType', ['credit', '', null, undefined]],
    ['accountNumber', ['', ' ', null, undefined, 'x'.repeat(65), '10\u000017', {}]],
  ])('for a wrong %s, and may carry money', (field, values) => {
    for (const value of values) {
      const fact = factWith({ [field]: value })
      expect(fact).toMatchObject({ kind: 'unreadable', mayCarryMoney: true, event: { memo: sample.content } })
      expect(fact.event.providerEventId).toMatch(/^unreadable:[0-9a-f]{64}$/)
    }
  })

  test.each<[string, Record<string, unknown>]>([
    ['is going out', { transferType: 'out', transferAmount: 'x' }],
    ['is the trial call', { id: 0, transferType: 'x' }],
    ['names no amount', { transferAmount: null }],
  ])('and carries no money when it %s', (_what, change) => {
    expect(factWith(change)).toMatchObject({ kind: 'unreadable', mayCarryMoney: false })
  })

  test.each(['', '{', '{"id":1}}', 'null', '[]', '"text"', '1', 'true', '\u0000', '[['])(
    'when it is %j',
    (text) => {
      expect(readSepay(bytes(text))).toMatchObject([{ kind: 'unreadable', mayCarryMoney: true }])
    },
  )

  test('one by one in a list, of which the others are read', () => {
    expect(readSepay(bytes([sample, 'nothing', { ...sample, id: 2 }])).map(({ kind }) => kind)).toEqual([
      'movement',
      'unreadable',
      'movement',
    ])
    expect(readSepay(bytes(Array.from({ length: 501 }, () => sample)))).toHaveLength(1)
  })
})

test('no bytes make the reader throw, and what it accepts is whole and positive', () => {
  const figure = fc.oneof(fc.double(), fc.integer(), fc.bigInt().map(Number), fc.string())
  const change = fc.record({
    id: figure,
    transferAmount: figure,
    content: fc.string(),
    transactionDate: fc.string(),
  })
  const types = fc.constantFrom(undefined, 'multipart/form-data; boundary=x', 'text/plain; charset=x')
  fc.assert(
    fc.property(
      fc.oneof(fc.uint8Array().map(Buffer.from), fc.json().map(bytes), change.map(bytes)),
      types,
      (raw, type) => {
        const [fact] = readSepay(raw, type)
        expect(fact?.kind).toBe('unreadable')
      },
    ),
  )
  fc.assert(
    fc.property(figure, (transferAmount) => {
      const { kind, event } = factWith({ transferAmount })
      const isAmount = Number.isSafeInteger(event.amountVnd) && event.amountVnd > 0 && event.amountVnd <= 1e13
      expect(kind === 'movement').toBe(isAmount)
    }),
  )
})
