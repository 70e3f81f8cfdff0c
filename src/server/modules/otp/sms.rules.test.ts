import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { phone as phoneField } from '#contract/fields.ts'
import {
  CODES_PER_DAY,
  isCodeRequest,
  isLate,
  isTooEarly,
  maskMsisdn,
  mayMakeCode,
  normaliseText,
  PREFIX_CODES_PER_DAY,
  prefixOf,
  reachedPercent,
  repliesOf,
  vietnameseMobile,
  waitBeforeNext,
} from './sms.rules.ts'

describe('a text', () => {
  test.each([
    'THN OTP',
    'thn otp',
    '  Thn   oTp  ',
    'THN\nOTP',
    'THN\u00a0OTP',
    'thn ótp',
    'THN O\u0302TP',
    'ＴＨＮ ＯＴＰ',
    'THN\u200b OTP',
  ])('requests a code: %j', (text) => {
    expect(isCodeRequest(text)).toBe(true)
  })

  test.each(['', 'THN', 'OTP', 'THNOTP', 'THN OTP 1', 'X THN OTP', 'THN 0TP', 'OTP THN'])(
    'requests no code: %j',
    (text) => {
      expect(isCodeRequest(text)).toBe(false)
    },
  )

  test('is read without marks, in capitals', () => {
    expect(normaliseText(' đổi  mật\tkhẩu ')).toBe('DOI MAT KHAU')
  })

  test('requests a code in whatever case, with whatever marks and blanks it is typed', () => {
    const blank = fc.stringMatching(/^[ \t\n\u00a0]{1,3}$/)
    const letter = (one: string) =>
      fc
        .tuple(
          fc.constantFrom(one, one.toLowerCase()),
          fc.constantFrom('', '\u0300', '\u0301', '\u0302', '\u0323'),
        )
        .map((parts) => parts.join(''))
    const word = (text: string) => fc.tuple(...[...text].map(letter)).map((letters) => letters.join(''))
    fc.assert(
      fc.property(fc.tuple(blank, word('THN'), blank, word('OTP'), blank), (parts) => {
        expect(isCodeRequest(parts.join(''))).toBe(true)
      }),
    )
  })
})

describe('a sender', () => {
  const national = fc
    .tuple(fc.constantFrom(...'35789'), fc.integer({ min: 0, max: 99_999_999 }))
    .map(([first, rest]) => first + String(rest).padStart(8, '0'))

  test('is one phone, however its number is written, and the one that forms know', () => {
    fc.assert(
      fc.property(national, fc.constantFrom('0', '84', '+84'), (number, prefix) => {
        const canonical = `84${number}`
        expect(vietnameseMobile(prefix + number)).toBe(canonical)
        expect(vietnameseMobile(canonical)).toBe(canonical)
        expect(phoneField.safeParse(canonical).success).toBe(true)
      }),
    )
  })

  test('two numbers are never one phone', () => {
    fc.assert(
      fc.property(national, national, (one, other) => {
        fc.pre(one !== other)
        expect(vietnameseMobile(`0${one}`)).not.toBe(vietnameseMobile(`+84${other}`))
      }),
    )
  })

  test('that is no Vietnamese mobile number is none, and nothing else is one', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\+?\d{1,14}$/)), (text) => {
        const isMobile = /^(\+?84|0)[35789]\d{8}$/.test(text.trim())
        expect(vietnameseMobile(text) !== null).toBe(isMobile)
      }),
      { numRuns: 1_000 },
    )
  })

  test.each([
    ['84901234567', '8490****567'],
    ['+12025550123', '+120****123'],
    ['7039', '****'],
  ])('%s is %s in logs', (msisdn, masked) => {
    expect(maskMsisdn(msisdn)).toBe(masked)
  })

  test('belongs to the block of a million that its first five digits name', () => {
    expect(prefixOf('84901234567')).toBe('84901')
  })
})

describe('the limits of a phone', () => {
  test.each<[string, number[], number]>([
    ['nothing requested yet', [], 0],
    ['a code just now', [0], 60],
    ['a code half a second short of a minute ago', [59.5], 1],
    ['a code a minute ago', [60], 0],
    ['five within the hour', [100, 200, 300, 400, 500], 3_100],
    ['five, the first an hour ago', [100, 200, 300, 400, 3_600], 0],
    ['ten within the day', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((hours) => hours * 3_600), 50_400],
    ['both the minute and the hour', [10, 70, 130, 190, 3_590], 50],
  ])('%s', (_what, ages, wait) => {
    expect(waitBeforeNext(ages)).toBe(wait)
  })

  test('a phone that waits as long as it has to gets a code', () => {
    const ages = fc.array(fc.double({ min: 0, max: 86_400, noNaN: true }), { maxLength: 10 })
    fc.assert(
      fc.property(ages, (unsorted) => {
        const sorted = unsorted.toSorted((one, other) => one - other)
        const wait = waitBeforeNext(sorted)
        expect(waitBeforeNext(sorted.map((age) => age + wait))).toBe(0)
      }),
    )
  })
})

test('a day ends at its ceiling, for all and for numbers that begin alike', () => {
  expect(mayMakeCode({ ofPrefix: PREFIX_CODES_PER_DAY - 1, ofAll: CODES_PER_DAY - 1 })).toBe(true)
  expect(mayMakeCode({ ofPrefix: PREFIX_CODES_PER_DAY, ofAll: 0 })).toBe(false)
  expect(mayMakeCode({ ofPrefix: 0, ofAll: CODES_PER_DAY })).toBe(false)
  expect([1, 15_999, 16_000, 16_001, 20_000, 20_001].map(reachedPercent)).toEqual([
    null,
    null,
    80,
    null,
    100,
    null,
  ])
})

test('a message is late 10 minutes after it was received, and too early 5 minutes before', () => {
  const now = new Date('2026-11-20T10:00:00+07:00')
  const off = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  expect([-600, -601].map((seconds) => isLate(off(seconds), now))).toEqual([false, true])
  expect([300, 301].map((seconds) => isTooEarly(off(seconds), now))).toEqual([false, true])
})

test('every reply is one message on any phone', () => {
  const seconds = [1, 60, 61, 3_600, 3_601, 86_400]
  for (const siteName of ['Tinh Hoa Ninja', 'Đảo Ninja', 'Ẩ'.repeat(200), '忍者', '']) {
    const { code, help, late, closed, tooOften } = repliesOf(siteName)
    for (const reply of [code('012345'), help, late, closed, ...seconds.map(tooOften)]) {
      expect(reply).toMatch(/^[\x20-\x7e]{1,160}$/)
    }
  }
  const { code, tooOften } = repliesOf('Đảo Ninja')
  expect(code('012345')).toMatch(/^Ma OTP Dao Ninja cua ban la 012345,/)
  const waits = seconds.map(tooOften)
  expect(waits.map((reply) => /sau (.*)\.$/.exec(reply)?.[1])).toEqual([
    '1 giay',
    '60 giay',
    '2 phut',
    '60 phut',
    '2 gio',
    '24 gio',
  ])
})
