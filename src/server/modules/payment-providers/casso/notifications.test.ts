import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openCassoNotices } from './notifications.ts'

/** As Casso's samples in five languages have it. */
const KEY = 'mgExMrjj4i7a1p8Cs6LmFbpCd8lbw4sSX4LZXPag7TKazeIogtR90tvWYTkwQbvs'
const SIGNED_AT_MS = 1727948258788
const BODY =
  '{"error":0,"data":{"id":0,"reference":"MA_GIAO_DICH_THU_NGHIEM","description":"giao dich thu nghiem","amount":599000,' +
  '"runningBalance":25000000,"transactionDateTime":"2024-10-03 15:06:37","accountNumber":"88888888","bankName":"VPBank",' +
  '"bankAbbreviation":"VPB","virtualAccountNumber":"","virtualAccountName":"","counterAccountName":"NGUYEN VAN A",' +
  '"counterAccountNumber":"8888888888","counterAccountBankId":"970415","counterAccountBankName":"VietinBank"}}'
const DIGITS =
  'ed0a4bd2e826d5cb69988cdb141e6c1a080e21f3b57eb72cd78192220042b9e7' +
  'dde0868fc667faea8e224900fa7904e7c88dfa098032fb2d6b6996856e8b7ff3'
const HEADER = `t=${SIGNED_AT_MS},v1=${DIGITS}`

type Attempt = {
  body?: string
  headers?: Record<string, string | string[]>
  keys?: string[]
  tokens?: string[]
  laterMs?: number
}

function verify({ body = BODY, headers, keys = [KEY], tokens = [], laterMs = 0 }: Attempt = {}) {
  const reader = openCassoNotices({ webhookKeys: keys, tokens })
  return reader.verify(
    { raw: Buffer.from(body), headers: headers ?? { 'x-casso-signature': HEADER } },
    new Date(SIGNED_AT_MS + laterMs),
  )
}

const mac = (text: string) => createHmac('sha512', KEY).update(`${SIGNED_AT_MS}.${text}`).digest('hex')
const signedAs = (text: string) => ({ 'x-casso-signature': `t=${SIGNED_AT_MS},v1=${mac(text)}` })
const read = (body: string) => openCassoNotices({ webhookKeys: [KEY], tokens: [] }).read(Buffer.from(body))

describe('a signature of Casso', () => {
  test('is the one of its samples, over the body with its names in order', () => {
    expect(verify()).toBe('valid')
    expect(mac(BODY)).not.toBe(DIGITS)
  })

  test('is not the one its JavaScript sample prints, which is of another body or another key', () => {
    const key = 'g3oZ950pJQ4k6REhOPGkx37RsXgWz9QJ9RCAZ7i0yagLF32XQZtemQ6r3JIo4MCr'
    const body =
      '{"error":0,"data":{"id":218897,"reference":"FT24364030863634","description":"hoi lai 100 bao mun dua",' +
      '"amount":16775000,"runningBalance":16775000,"transactionDateTime":"2024-12-23 07:00:00",' +
      '"accountNumber":"123456789","bankName":"MBBank","bankAbbreviation":"MBB","virtualAccountNumber":"",' +
      '"virtualAccountName":"","counterAccountName":"","counterAccountNumber":"","counterAccountBankId":"",' +
      '"counterAccountBankName":""}}'
    const printed =
      '6cec920aa3352341d3710d4ce89de3c73481739bdf240c89a440fb988bfb113f' +
      '87be23dc75ad16982f6fbdb65553b73f4e51e73ed4764928f0401cd4a949a4c8'
    // What its own code makes of its own body, as others have found too.
    const made =
      'b3d9438862f167b4e441451b46adaff01f4aaa0c05fa86df1803b7452616c449' +
      'b9f69837be23b76f79862b346c8bc90a4f1152397a886d4ec24e857cdf6ad08f'
    const laterMs = 1734924830020 - SIGNED_AT_MS
    const signedWith = (digits: string) => ({ 'x-casso-signature': `t=1734924830020,v1=${digits}` })
    expect(verify({ body, keys: [key], headers: signedWith(printed), laterMs })).toBe('bad')
    expect(verify({ body, keys: [key], headers: signedWith(made), laterMs })).toBe('valid')
  })

  test('is right however the body came, and wrong over the body as it came', () => {
    const { data, error } = JSON.parse(BODY) as { data: Record<string, unknown>; error: number }
    const turned = { data: Object.fromEntries(Object.entries(data).toReversed()), error }
    expect(verify({ body: JSON.stringify(turned, null, 2) })).toBe('valid')
    expect(verify({ headers: signedAs(BODY) })).toBe('bad')
  })

  test('is right under the new key and under the old one, and under no other', () => {
    expect(verify({ keys: ['the-new-key', KEY] })).toBe('valid')
    expect(verify({ keys: [KEY, 'the-old-key'] })).toBe('valid')
    expect(verify({ keys: ['the-new-key'] })).toBe('bad')
    expect(verify({ keys: [] })).toBe('bad')
  })

  test.each(['', ' '])(
    'made with a secret that is none opens nothing, though it be configured: %j',
    (key) => {
      const made = createHmac('sha512', key).update(`${SIGNED_AT_MS}.{"data":{}}`).digest('hex')
      const headers = { 'x-casso-signature': `t=${SIGNED_AT_MS},v1=${made}` }
      expect(verify({ body: '{"data":{}}', headers, keys: [key] })).toBe('bad')
    },
  )

  test.each([
    [0, 'valid'],
    [300_000, 'valid'],
    [-300_000, 'valid'],
    [300_001, 'stale'],
    [-300_001, 'stale'],
  ])('read %d ms after its time is %s', (laterMs, expected) => {
    expect(verify({ laterMs })).toBe(expected)
  })

  test.each<[string, string | string[]]>([
    ['no time', `v1=${DIGITS}`],
    ['another time', HEADER.replace('788,', '789,')],
    ['a time with a sign', HEADER.replace('t=', 't=+')],
    ['no digits', `t=${SIGNED_AT_MS},v1=`],
    ['a digit too few', HEADER.slice(0, -1)],
    ['a digit too many', `${HEADER}0`],
    ['a line end', `${HEADER}\n`],
    ['another version', HEADER.replace('v1', 'v0')],
    ['itself twice', `${HEADER}, ${HEADER}`],
    ['two headers', [HEADER, HEADER]],
    ['nothing', ''],
  ])('with %s is bad', (_what, header) => {
    expect(verify({ headers: { 'x-casso-signature': header } })).toBe('bad')
  })

  test.each([
    ['raw, as Node writes it', '{"data":{"a":"Nạp/<b>&\u2028"}}', '{"data":{"a":"Nạp/<b>&\u2028"}}'],
    ['in ASCII, as Python does', '{"data":{"a":"Nạp/😀"}}', '{"data":{"a":"N\\u1ea1p/\\ud83d\\ude00"}}'],
    ['in ASCII with slashes marked, as PHP does', '{"data":{"a":"Nạp/x"}}', '{"data":{"a":"N\\u1ea1p\\/x"}}'],
    ['safe for HTML, as Go does', '{"data":{"a":"Nạp/<b>&"}}', '{"data":{"a":"Nạp/\\u003cb\\u003e\\u0026"}}'],
  ])('is right over text written %s', (_how, body, signed) => {
    expect(verify({ body, headers: signedAs(signed) })).toBe('valid')
  })

  test.each([
    ['nothing', '{"data":{"b":null,"a":1}}', '{"data":{"a":1,"b":null}}'],
    ['lists, in their order', '{"b":[{"d":1,"c":2},3,[2,1]],"a":[]}', '{"a":[],"b":[{"c":2,"d":1},3,[2,1]]}'],
    ['numbers as they were written', '{"b":1.0,"a":1e5}', '{"a":1e5,"b":1.0}'],
    ['longer numbers than a double holds', '{"a":12345678901234567891}', '{"a":12345678901234567891}'],
    ['true and false', '{"b":true,"a":false}', '{"a":false,"b":true}'],
    ['names that mean something to JavaScript', '{"a":1,"__proto__":{"b":2}}', '{"__proto__":{"b":2},"a":1}'],
  ])('accepts %s', (_what, body, signed) => {
    expect(verify({ body, headers: signedAs(signed) })).toBe('valid')
  })

  test.each(['', '{', '\u0000', '['.repeat(30_000), `${'['.repeat(40)}${']'.repeat(40)}`])(
    'is not looked at over what cannot be read (%#)',
    (body) => {
      expect(verify({ body, headers: signedAs(body) })).toBe('unreadable')
    },
  )
})

describe('a token of Casso', () => {
  const withToken = (token: string | string[], tokens: string[]) =>
    verify({ headers: { 'secure-token': token }, tokens })

  test('opens, the new one and the old one', () => {
    expect(withToken('token-new', ['token-new', 'token-old'])).toBe('valid')
    expect(withToken('token-old', ['token-new', 'token-old'])).toBe('valid')
  })

  test.each<[string | string[], string[]]>([
    ['token', ['token-new']],
    ['token-new ', ['token-new']],
    ['TOKEN-NEW', ['token-new']],
    ['', ['token-new']],
    ['', ['']],
    ['token-new', []],
    [['token-new', 'token-new'], ['token-new']],
    [KEY, ['token-new']],
  ])('is refused: %j where there is %j', (token, tokens) => {
    expect(withToken(token, tokens)).toBe('bad')
  })

  test('does not help beside a signature, right or wrong', () => {
    const headers = { 'secure-token': 'token-new', 'x-casso-signature': HEADER }
    expect(verify({ headers, tokens: ['token-new'], keys: [] })).toBe('bad')
    expect(verify({ headers: { ...headers, 'x-casso-signature': '' }, tokens: ['token-new'] })).toBe('bad')
  })
})

const row = {
  id: 7001,
  tid: 'FT24277000001',
  description: 'nap TCX7K2QF9XAMM',
  amount: 50_000,
  cusum_balance: 1_000_000,
  when: '2024-10-03 15:06:37',
  bank_sub_acc_id: '0011000000001',
  subAccId: '0011000000001',
  virtualAccount: null,
}
const list = (...rows: unknown[]) => JSON.stringify({ error: 0, data: rows })
const one = (change: Record<string, unknown>) => {
  const { data } = JSON.parse(BODY) as { data: Record<string, unknown> }
  return JSON.stringify({ error: 0, data: { ...data, id: 7001, ...change } })
}
const eventsIn = read

describe('a signed notification of Casso is read', () => {
  test('into the fields that all providers share', () => {
    expect(eventsIn(one({ description: 'nap TCX7K2QF9XAMM', virtualAccountNumber: null }))).toEqual([
      {
        kind: 'movement',
        event: {
          provider: 'casso',
          providerEventId: '7001',
          direction: 'in',
          amountVnd: 599_000,
          accountNumber: '88888888',
          virtualAccount: null,
          bankRef: 'MA_GIAO_DICH_THU_NGHIEM',
          memo: 'nap TCX7K2QF9XAMM',
          fullText: '',
          code: null,
          bookedAt: new Date('2024-10-03T08:06:37Z'),
          payerAccount: '8888888888',
        },
      },
    ])
  })

  test('with money going out below nothing', () => {
    expect(eventsIn(one({ amount: -599_000 }))).toMatchObject([
      { event: { direction: 'out', amountVnd: 599_000 } },
    ])
  })

  test.each([null, '', ' '])('without a reference: %j', (reference) => {
    expect(eventsIn(one({ reference }))).toMatchObject([{ event: { bankRef: null } }])
  })

  test('with the number of the QR beside that of the account', () => {
    expect(eventsIn(one({ virtualAccountNumber: 'VA0001' }))).toMatchObject([
      { event: { accountNumber: '88888888', virtualAccount: 'VA0001' } },
    ])
  })

  test.each<[string, unknown[]]>([
    ['id', [null, undefined, '', -1, 1.5, 'a b', {}, 'x'.repeat(65)]],
    ['amount', [0, 0.5, '599.000', 10_000_000_000_001, -10_000_000_000_001, true]],
    ['accountNumber', ['', ' ', null, undefined, '88\u000088', 'x'.repeat(65)]],
  ])('unless its %s is wrong: then what can be read is stored', (field, values) => {
    for (const value of values)
      expect(read(one({ [field]: value }))).toMatchObject([{ kind: 'unreadable', mayCarryMoney: true }])
  })

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ amount: '599,000' }, { amountVnd: 599_000 }],
    [{ transactionDateTime: '2024-10-03T15:06:37' }, { bookedAt: new Date('2024-10-03T08:06:37Z') }],
    [{ transactionDateTime: 'hôm qua' }, { bookedAt: null }],
    [{ description: 1 }, { memo: '1' }],
    [{ reference: 'x'.repeat(201) }, { bankRef: 'x'.repeat(200) }],
  ])('whatever the types of %j', (change, fields) => {
    expect(eventsIn(one(change))).toMatchObject([{ kind: 'movement', event: fields }])
  })

  test.each([
    '',
    'null',
    '[]',
    '{"error":0}',
    '{"error":1,"data":null}',
    '{"data":"text"}',
    '{"data":7}',
    '{"data":[]}',
  ])('and is one that nobody can read, and may carry money, when it is %s', (body) => {
    expect(read(body)).toMatchObject([{ kind: 'unreadable', mayCarryMoney: true }])
  })

  test('with the fields of a list in the place of its own', () => {
    expect(eventsIn(JSON.stringify({ error: 0, data: row }))).toEqual([
      { ...eventsIn(list(row))[0], part: undefined },
    ])
  })
})

describe('a list of Casso is read', () => {
  test('row by row, each with its own account', () => {
    const other = { ...row, id: 7002, amount: -20_000, bank_sub_acc_id: null, subAccId: '123456789' }
    expect(eventsIn(list(row, other))).toMatchObject([
      {
        kind: 'movement',
        event: { providerEventId: '7001', accountNumber: '0011000000001', direction: 'in' },
      },
      { kind: 'movement', event: { providerEventId: '7002', accountNumber: '123456789', direction: 'out' } },
    ])
  })

  test.each([null, undefined, '', ' '])('with an account under either name, the other being %j', (none) => {
    const named = [
      { ...row, bank_sub_acc_id: none },
      { ...row, subAccId: none },
    ]
    for (const one of named)
      expect(eventsIn(list(one))).toMatchObject([
        { kind: 'movement', event: { accountNumber: '0011000000001' } },
      ])
  })

  test.each(['virtualAccount', 'virtual_account', 'subAccId'])(
    'with the number of the QR as its %s',
    (name) => {
      expect(eventsIn(list({ ...row, [name]: 'VA0001' }))).toMatchObject([
        { event: { accountNumber: '0011000000001', virtualAccount: 'VA0001' } },
      ])
    },
  )

  test('unless it is longer than any real one', () => {
    expect(eventsIn(list(...Array.from({ length: 500 }, () => ({}))))).toHaveLength(500)
    expect(read(list(...Array.from({ length: 501 }, () => ({}))))).toMatchObject([{ kind: 'unreadable' }])
  })

  test('with each row’s own text, in whatever order its fields were', () => {
    const [first] = eventsIn(list(row))
    const [same] = eventsIn(list(Object.fromEntries(Object.entries(row).toReversed()), { ...row, id: 7002 }))
    expect(first?.part?.equals(same!.part!)).toBe(true)
    expect(JSON.parse(first!.part!.toString())).toEqual(row)
  })

  test.each<[string, unknown, Record<string, unknown>]>([
    ['no amount', { ...row, amount: undefined }, { amountVnd: 0, memo: row.description }],
    ['an amount of nothing', { ...row, amount: 0 }, { amountVnd: 0 }],
    ['no account', { ...row, bank_sub_acc_id: null, subAccId: '' }, { amountVnd: 50_000, accountNumber: '' }],
    ['no id', { ...row, id: null }, { amountVnd: 50_000, accountNumber: '0011000000001' }],
    ['nothing in it', {}, { amountVnd: 0, accountNumber: '', bookedAt: null }],
    ['no fields at all', 'nothing', { amountVnd: 0 }],
    ['another list in it', [row], { amountVnd: 0 }],
  ])('and one with %s does not hold up the others', (_what, bad, guessed) => {
    const [first, second, third] = eventsIn(list(row, bad, { ...row, id: 7003 }))
    expect([first?.kind, third?.kind]).toEqual(['movement', 'movement'])
    expect(second).toMatchObject({ kind: 'unreadable', event: guessed })
    expect(second?.event.providerEventId).toMatch(/^unreadable:[0-9a-f]{64}$/)
  })

  test('and one that cannot be read has the same id when it comes again, and no other’s', () => {
    const id = (bad: unknown) => eventsIn(list(bad))[0]?.event.providerEventId
    const bad = { ...row, amount: 'fifty' }
    expect(id(bad)).toBe(id(Object.fromEntries(Object.entries(bad).toReversed())))
    expect(id(bad)).not.toBe(id({ ...bad, id: 7002 }))
  })
})

test('no bytes make Casso’s reader throw', () => {
  const notice = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(`{"error":0,"data":[${text}]}`)),
    fc.json().map((text) => Buffer.from(`{"error":0,"data":${text}}`)),
  )
  const reader = openCassoNotices({ webhookKeys: [KEY], tokens: ['token-new'] })
  fc.assert(
    fc.property(notice, fc.string(), (bytes, header) => {
      const raw = Buffer.from(bytes)
      for (const headers of [{ 'x-casso-signature': header }, { 'secure-token': header }, {}])
        expect(['bad', 'unreadable']).toContain(reader.verify({ raw, headers }, new Date()))
      expect(() => reader.read(raw)).not.toThrow()
    }),
  )
})
