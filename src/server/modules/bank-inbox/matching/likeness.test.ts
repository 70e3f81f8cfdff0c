import { describe, expect, test } from 'vitest'
import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import { isSameContent, likenessOf, type KnownReport } from './likeness.ts'

const BOOKED = Date.parse('2026-11-20T03:00:00Z')
const at = (seconds: number) => new Date(BOOKED + seconds * 1_000)

const ONE = 'TCX7K2QF9XAMM'
const OTHER = 'TCXABCDEFGHJD'

const event: BankEvent = {
  provider: 'sepay',
  providerEventId: '2',
  direction: 'in',
  amountVnd: 50_000,
  accountNumber: '0011000000001',
  virtualAccount: null,
  bankRef: '0001',
  memo: `nap ${ONE}`,
  fullText: '',
  code: null,
  bookedAt: at(0),
  payerAccount: '1027000000001',
}

const known = (change: Partial<KnownReport> = {}): KnownReport => ({ ...event, transferId: '7', ...change })

type Case = [what: string, change: Partial<KnownReport>, one: string, two: string]

describe('a notification under a known reference', () => {
  // What it is when one provider sends both, and when two do.
  test.each<Case>([
    ['with everything alike', {}, 'same', 'same'],
    ['without a time', { bookedAt: null }, 'doubt', 'same'],
    ['without a payer', { payerAccount: null }, 'same', 'same'],
    ['whose known memo was erased', { memo: '' }, 'doubt', 'same'],
    ['a second later', { bookedAt: at(-1) }, 'doubt', 'same'],
    ['within the minute', { bookedAt: at(60) }, 'doubt', 'same'],
    ['after more than a minute', { bookedAt: at(-61) }, 'another', 'same'],
    ['after more than ten minutes', { bookedAt: at(-601) }, 'another', 'same'],
    ['after a day', { bookedAt: at(-86_401) }, 'another', 'doubt'],
    ['booked by the day', { bookedAt: new Date('2026-11-19T17:00:00Z') }, 'doubt', 'same'],
    ['of another payer', { payerAccount: '2834000000002' }, 'another', 'doubt'],
    [
      'of another payer on another day',
      { payerAccount: '2834000000002', bookedAt: at(90_000) },
      'another',
      'another',
    ],
    ['of a payer that is masked', { payerAccount: 'xxxxxx0001' }, 'same', 'same'],
    ['of a payer in few figures', { payerAccount: '0002' }, 'same', 'same'],
    ['with another memo', { memo: 'chuyen tien' }, 'doubt', 'doubt'],
    ['with words of a bank around the memo', { memo: `MBVCB.32.NAP ${ONE}.CT tu 1027` }, 'same', 'same'],
    ['with a memo that was cut', { memo: 'nap TCX7K2' }, 'same', 'same'],
    ['with the code of another order', { memo: OTHER }, 'another', 'another'],
    ['of another amount', { amountVnd: 50_001 }, 'doubt', 'doubt'],
    ['of another amount and time', { amountVnd: 60_000, bookedAt: at(-3_600) }, 'another', 'doubt'],
  ])('%s', (_what, change, ofOne, ofTwo) => {
    const found = (provider: string) => {
      const likeness = likenessOf(event, [known({ ...change, provider })], [{ code: ONE }])
      return likeness === null ? 'another' : likeness.isCertain ? 'same' : 'doubt'
    }
    expect([found('sepay'), found('casso')]).toEqual([ofOne, ofTwo])
  })

  test('is no other transfer by a code that no order has', () => {
    expect(likenessOf(event, [known({ memo: OTHER })], [])).toMatchObject({ isCertain: false })
  })

  test('is the one of several that is certain', () => {
    const reports = [known({ memo: 'chuyen tien', transferId: '6' }), known({ provider: 'casso' })]
    expect(likenessOf(event, reports, [{ code: ONE }])).toEqual({ transferId: '7', isCertain: true })
    expect(likenessOf(event, [], [{ code: ONE }])).toBeNull()
  })
})

describe('an event under a known id', () => {
  test.each<[string, Partial<BankEvent>]>([
    ['in small letters and loose marks', { memo: `Náp ${ONE.toLowerCase()}` }],
    ['without a reference', { bankRef: null }],
    ['without a memo', { memo: '' }],
    ['without a time', { bookedAt: null }],
    ['with its virtual account too', { virtualAccount: 'VA01' }],
    [
      'with the virtual account in the place of the account',
      { accountNumber: 'VA01', virtualAccount: event.accountNumber },
    ],
    ['with a line of the bank', { fullText: 'BankAPINotify' }],
  ])('is the known one %s', (_what, change) => {
    expect(isSameContent(event, { ...event, ...change }, false)).toBe(true)
  })

  test.each<[string, Partial<BankEvent>]>([
    ['another amount', { amountVnd: 50_001 }],
    ['another direction', { direction: 'out' }],
    ['another reference', { bankRef: '0002' }],
    ['another memo', { memo: `nap ${OTHER}` }],
    ['another code', { code: OTHER }],
    ['another account', { accountNumber: '0011000000002' }],
    ['another second', { bookedAt: at(1) }],
  ])('is another one with %s', (_what, change) => {
    expect(isSameContent({ ...event, code: ONE }, { ...event, code: ONE, ...change }, false)).toBe(false)
  })

  test('of a list may be booked at another time', () => {
    expect(isSameContent(event, { ...event, bookedAt: at(-60) }, true)).toBe(true)
  })
})
