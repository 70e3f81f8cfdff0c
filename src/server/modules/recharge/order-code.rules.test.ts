import { randomInt } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quickest } from '#tests/support/timing.ts'
import {
  findOrderCodes,
  isOrderCode,
  makeOrderCode,
  orderCodesOf,
  nearOrderCodes,
} from './order-code.rules.ts'

const ALPHABET = [...'ABCDEFGHJKMNPQRSTUVWXYZ23456789']
const CODE = 'TCX7K2QF9XAMM'

const anyCode = fc.array(fc.nat(30), { minLength: 9, maxLength: 9 }).map((numbers) => {
  const rest = numbers.values()
  return makeOrderCode(() => rest.next().value ?? 0)
})

function swapped(code: string, at: number): string {
  return code.slice(0, at) + code.charAt(at + 1) + code.charAt(at) + code.slice(at + 2)
}

describe('a new code', () => {
  test.each([CODE, 'TCXABCDEFGHJD', 'TCXMNPQRSTUVX'])(
    'is made and checked by the published sum: %s',
    (code) => {
      const indexes = Array.from(code.slice(3, 12), (character) => ALPHABET.indexOf(character)).values()
      expect(makeOrderCode(() => indexes.next().value ?? 0)).toBe(code)
      expect(isOrderCode(code)).toBe(true)
    },
  )

  test('has the shape a memo field takes, uses the whole alphabet and does not come twice', () => {
    const codes = Array.from({ length: 2000 }, () => makeOrderCode(randomInt))
    expect(codes.filter((code) => !/^TCX[ABCDEFGHJKMNPQRSTUVWXYZ2-9]{10}$/.test(code))).toEqual([])
    expect(new Set(codes).size).toBe(codes.length)
    expect(new Set(codes.flatMap((code) => Array.from(code.slice(3, 12)))).size).toBe(31)
  })

  test('takes nine numbers below 31', () => {
    const limits: number[] = []
    makeOrderCode((max) => limits.push(max) % max)
    expect(limits).toEqual([31, 31, 31, 31, 31, 31, 31, 31, 31])
  })

  test.each([31, -1, 0.5, Number.NaN])('is not made from a random source gone astray: %d', (number) => {
    expect(() => makeOrderCode(() => number)).toThrow(RangeError)
  })
})

describe('a spoilt code does not pass', () => {
  test('with any one character replaced', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        const passed = Array.from(code).flatMap((was, at) =>
          [...ALPHABET, 'I', 'L', 'O', '0', '1']
            .filter((character) => character !== was)
            .map((character) => code.slice(0, at) + character + code.slice(at + 1))
            .filter((spoilt) => isOrderCode(spoilt) || findOrderCodes(spoilt).length > 0),
        )
        expect(passed).toEqual([])
      }),
    )
  })

  test('with any two neighbours swapped', () => {
    fc.assert(
      fc.property(anyCode, fc.nat(11), (code, at) => {
        fc.pre(code.charAt(at) !== code.charAt(at + 1))
        expect(isOrderCode(swapped(code, at))).toBe(false)
        expect(findOrderCodes(swapped(code, at))).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('with any one character missing', () => {
    fc.assert(
      fc.property(anyCode, fc.nat(12), (code, at) => {
        expect(findOrderCodes(code.slice(0, at) + code.slice(at + 1))).toEqual([])
      }),
    )
  })

  test.each(['', 'TCX', CODE.toLowerCase(), ` ${CODE}`, `${CODE}M`, 'TCX-K2QF9XAMM'])(
    'as it stands: %j',
    (text) => {
      expect(isOrderCode(text)).toBe(false)
    },
  )
})

describe('the code is found in', () => {
  test.each([
    [
      'Vietcombank to itself',
      `MBVCB.3278907687.${CODE}.CT tu 0011000000009 NGUYEN VAN A toi 0011000000001 CONG TY B`,
    ],
    ['Vietcombank to itself, newer', `MBVCB.15444160238.6218BFTVG2XXXXXX.${CODE}`],
    ['another bank to Vietcombank', `884114.201126.223854.${CODE}`],
    ['another bank, with its own words', `884114.201126.223854.${CODE} chuyen FT24255276428461`],
    ['a MoMo wallet to Vietcombank', `311447.201126.213735.15330734312-0901234567-${CODE}`],
    [
      'Vietcombank to ACB',
      `MBVCB.2427229823.174242.${CODE}.CT tu 1027000000 NGUYEN VAN A toi 2834000000 CONG TY B (ACB) A Chau GD 174242-201126 15:45:46`,
    ],
    ['ACB, short', `${CODE} GD 789604-201126 00:05:38`],
    ['a memo cut into chunks', 'TCX7K2Q F9XAMM'],
    ['small letters', 'tcx7k2qf9xamm'],
    ['blanks, hyphens, underscores and stops', 'T C X-7K2_QF9.XA/MM'],
    ['a broken line', 'TCX7K2QF9\r\nXAMM'],
    ['words glued to both ends', `naptien${CODE}choNguyenVanA`],
    ['letters with marks', 'ťçx̣7ḱ2qf9xámm'],
    ['marks written by themselves', [...CODE].join('\u0301\u0323')],
    ['invisible characters', [...CODE].join('\u200b')],
    ['a memo repeated', `${CODE} ${CODE}`],
    ['a false start before it', `TCX${CODE}`],
    ['a spoilt code before it', `TCX7K2QF9XAMN${CODE}`],
  ])('%s', (_where, text) => {
    expect(findOrderCodes(text)).toEqual([CODE])
  })

  test('a memo with đ for d', () => {
    expect(findOrderCodes('tcxabcđefghjđ', 'TCXABCĐEFGHJĐ')).toEqual(['TCXABCDEFGHJD'])
  })

  test('any of several texts, once', () => {
    expect(findOrderCodes('', CODE.toLowerCase(), `${CODE} GD 789604`)).toEqual([CODE])
  })

  test('any text at all', () => {
    const noise = fc.string({ unit: fc.constantFrom(...' .-_tcxTCX019đạ\n'), maxLength: 60 })
    fc.assert(
      fc.property(anyCode, noise, noise, (code, before, after) => {
        expect(findOrderCodes(before + code + after)).toContain(code)
      }),
    )
  })

  test('whatever an unlucky reader could not be sure of: two codes are both given', () => {
    expect(findOrderCodes(`${CODE} TCXABCDEFGHJD`)).toEqual([CODE, 'TCXABCDEFGHJD'])
    expect(findOrderCodes(CODE, 'TCXABCDEFGHJD')).toEqual([CODE, 'TCXABCDEFGHJD'])
  })
})

describe('no code is found in', () => {
  test.each([
    ['nothing', ''],
    ['a name and a number', 'NGUYEN VAN A chuyen tien 0901234567'],
    ['a code that lost a character', 'TCX7K2QF9XAM'],
    ['a code with two characters swapped', 'TCX7K2QF9AXMM'],
    ['a code of another prefix', 'TCP7K2QF9XAMM'],
    ['letters outside the alphabet', 'TCXIIIIIIIIII'],
  ])('%s', (_where, text) => {
    expect(findOrderCodes(text)).toEqual([])
  })

  test('two texts that only make one up together', () => {
    expect(findOrderCodes('TCX7K2Q', 'F9XAMM')).toEqual([])
  })
})

test.each([
  ['prefixes only', 'TCX'.repeat(22_000)],
  ['codes with a wrong end', 'TCX7K2QF9XAMN'.repeat(5000)],
  ['marks in the worst order', `a${'\u0301\u0316'.repeat(32_000)}`],
  ['letters that fall apart', 'ộ'.repeat(22_000)],
])('64 kB of %s are searched in an instant', async (_what, text) => {
  // A search that grows with the square of the length takes seconds here; a straight one a few milliseconds.
  expect(await quickest(() => expect(findOrderCodes(text)).toEqual([]))).toBeLessThan(400)
})

describe('of a transfer as a provider reports it', () => {
  const reported = { provider: 'sepay', code: null, memo: '', fullText: '' }

  test.each([
    ['the code it believes to have read', { code: 'TCX7K2QF9XAMM' }],
    ['the memo', { memo: 'nap tcx7k2qf9xamm' }],
    ['the whole line', { fullText: 'BankAPINotify TCX7K2Q F9XAMM' }],
  ])('%s is searched', (_name, text) => {
    expect(orderCodesOf({ ...reported, ...text })).toEqual(['TCX7K2QF9XAMM'])
  })

  test('two different codes are both found, and none is none', () => {
    expect(orderCodesOf({ ...reported, memo: 'TCX7K2QF9XAMM', fullText: 'TCXABCDEFGHJD' })).toHaveLength(2)
    expect(orderCodesOf(reported)).toEqual([])
  })
})

describe('near codes', () => {
  test.each([
    ['one character wrong', 'TCX7K2QF9XABM'],
    ['the check character wrong', 'TCX7K2QF9XAMN'],
    ['one of the prefix wrong', 'TXX7K2QF9XAMM'],
    ['one that is not of the alphabet', 'TCX7K2QF9XA0M'],
    ['one missing', 'TCX7K2QF9XMM'],
    ['the last one missing', 'TCX7K2QF9XAM'],
    ['one too many', 'TCX7K2QQF9XAMM'],
    ['two neighbours swapped', 'TCX7K2FQ9XAMM'],
    ['small letters, cut, within a bank’s line', 'MBVCB.3278907687.tcx7k2 qf9xabm.CT tu 0011'],
  ])('a code with %s is found again', (_, text) => {
    expect(nearOrderCodes(text)).toContain(CODE)
  })

  test.each(['', 'chuyen tien', 'TCX', 'TCX7K', 'TCX7K2QF9', 'MBVCB.3278907687.CT tu 0011000000009'])(
    'nothing is near %o',
    (text) => {
      expect(nearOrderCodes(text)).toEqual([])
    },
  )

  test('each answer is a valid code, and there are few of them, also for a text made to have many', async () => {
    const spoilt = () => makeOrderCode(randomInt).replace(/.$/, 'A')
    for (let round = 0; round < 20; round++) {
      const near = nearOrderCodes(spoilt())
      expect(near.every(isOrderCode)).toBe(true)
      expect(near.length).toBeLessThan(60)
    }
    const longest = Array.from({ length: 500 }, spoilt).join(' ')
    const search = () => {
      expect(nearOrderCodes(longest).length).toBeLessThanOrEqual(300)
      expect(nearOrderCodes('TCX'.repeat(10_000)).length).toBeLessThanOrEqual(300)
    }
    expect(await quickest(search)).toBeLessThan(500)
  })
})
