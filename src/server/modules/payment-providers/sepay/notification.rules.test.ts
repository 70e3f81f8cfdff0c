import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTrialEvent } from '../bank-list.rules.ts'
import { readSepay } from './notification.rules.ts'

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

function bytes(body: unknown): Uint8Array {
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

function parseWith(change: Record<string, unknown>) {
  return readSepay(bytes({ ...sample, ...change }))
}

function eventWith(change: Record<string, unknown>) {
  const read = parseWith(change)
  if (!read.ok) throw new Error(`refused: ${read.field}`)
  return read.events[0]!.event
}

describe('a notification is read', () => {
  test('into the words all providers share', () => {
    expect(readSepay(bytes(sample))).toEqual({
      ok: true,
      events: [
        {
          kind: 'movement',
          event: {
            provider: 'sepay',
            providerEventId: '92704',
            direction: 'in',
            amountVnd: 10_000,
            accountNumber: '1017588888',
            bankRef: 'FT24012345678',
            memo: 'NGUYEN VAN A chuyen tien',
            fullText: '',
            code: null,
            bookedAt: new Date('2024-07-02T04:08:33Z'),
          },
        },
      ],
    })
  })

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

  test.each([0, '0'])('and told to be the trial call when its number is %j', (id) => {
    expect(isTrialEvent(eventWith({ id }))).toBe(true)
  })
})

describe('a notification is refused', () => {
  test.each<[string, unknown[]]>([
    ['id', [null, undefined, '', -1, 1.5, 2 ** 53, 'a b', 'x'.repeat(65), {}]],
    [
      'transferAmount',
      ['10000', 0, -1, 0.5, 10_000.5, 10_000_000_000_001, 1e300, null, undefined, [10_000], true],
    ],
    ['transferType', ['IN', 'credit', '', null, undefined]],
    ['accountNumber', ['', ' ', 1017588888, null, undefined, 'x'.repeat(65), '10\u000017']],
    ['transactionDate', ['2024-07-02', '2024-07-02T11:08:33Z', '2024-07-02 11:08:33 ', '', 1719893313, null]],
    ['transactionDate', ['2024-02-30 11:08:33', '2023-02-29 11:08:33', '2024-13-01 11:08:33']],
    ['transactionDate', ['2024-07-02 24:00:00', '2024-07-02 11:60:00', '02/07/2024 11:08:33', undefined]],
    ['content', [1, {}, ['TCX7K2QF9XAMM']]],
    ['code', [1, false]],
    ['referenceCode', [24012345678]],
    ['description', [{}]],
  ])('for a wrong %s', (field, values) => {
    for (const value of values) expect(parseWith({ [field]: value })).toEqual({ ok: false, field })
  })

  test.each(['NaN', 'Infinity', '1e400', '-0'])('for the amount %s', (figure) => {
    const text = JSON.stringify(sample).replace('"transferAmount":10000', `"transferAmount":${figure}`)
    expect(readSepay(bytes(text)).ok).toBe(false)
  })

  test.each(['', '{', 'id=92704&transferAmount=10000', '{"id":1}}'])('when it is not JSON: %j', (text) => {
    expect(readSepay(bytes(text))).toEqual({ ok: false, field: '' })
  })

  test('when it is not UTF-8', () => {
    const raw = bytes(sample)
    raw[raw.indexOf(0x4e)] = 0xff
    expect(readSepay(raw)).toEqual({ ok: false, field: '' })
  })

  test.each(['null', '[]', '"text"', '1', 'true'])('when it is JSON but no object: %s', (text) => {
    expect(readSepay(bytes(text))).toEqual({ ok: false, field: '' })
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
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes), change.map(bytes)), (raw) => {
      expect(readSepay(raw).ok).toBe(false)
    }),
  )
  fc.assert(
    fc.property(figure, (transferAmount) => {
      const parsed = parseWith({ transferAmount })
      const isAmount =
        Number.isSafeInteger(transferAmount) && Number(transferAmount) > 0 && Number(transferAmount) <= 1e13
      expect(parsed.ok).toBe(isAmount)
    }),
  )
})
