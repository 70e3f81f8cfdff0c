import { timingSafeEqual } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { NEW_AND_OLD, NEW_AND_OLD_KEYS, readerOf } from '#tests/support/payment-keys.ts'
import { sign, fieldsOf, type Sender } from '#tests/support/signed-notifications.ts'

// Modules that other files of this worker have imported have nothing replaced; those of this one are not for them.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) }
})
const compare = vi.mocked(timingSafeEqual)
beforeEach(() => {
  compare.mockClear()
})

const environment = { ...NEW_AND_OLD_KEYS, SEPAY_API_KEY: NEW_AND_OLD }
const now = new Date(1_795_143_600_000)
const transfer = {
  id: 7001,
  amount: 50_000,
  account: '0011000000001',
  memo: 'TCX7K2QF9XAMM',
  ref: 'FT1',
  bookedAt: now,
  direction: 'in' as const,
}

function verify(provider: Sender, secret: string) {
  const { headers, body } = sign({ provider, fields: fieldsOf(provider, transfer), at: now, secret })
  const reader = readerOf(provider === 'casso-token' ? 'casso' : provider, environment)
  return reader?.verify({ raw: Buffer.from(body), headers }, now)
}

/** How many bytes were compared, each time. */
const compared = () => compare.mock.calls.map(([one, other]) => [one.byteLength, other.byteLength])

describe.each<[Sender, number]>([
  ['sepay', 32],
  ['casso', 64],
  ['casso-token', 32],
  ['payos', 32],
  ['momo', 32],
])('the proof of %s', (provider, bytes) => {
  test('security row 22: is compared whole and in constant time, with every secret, right or wrong', () => {
    const both = [
      [bytes, bytes],
      [bytes, bytes],
    ]
    for (const [secret, expected] of [
      ['the-new-secret', 'valid'],
      ['the-old-secret', 'valid'],
      ['the-new-secreT', 'bad'],
      ['another-secret', 'bad'],
    ] as const) {
      compare.mockClear()
      expect(verify(provider, secret)).toBe(expected)
      // A body of plain ASCII is the same in all of Casso's forms.
      expect(compared()).toEqual(both)
    }
  })
})

test('security row 22: the key of SePay’s plain mode is compared in constant time, whatever its length', () => {
  for (const key of ['the-new-secret', 'x', 'x'.repeat(500)]) {
    compare.mockClear()
    const headers = { authorization: `Apikey ${key}` }
    readerOf('sepay', environment)?.verify({ raw: Buffer.from('{}'), headers }, now)
    expect(compared()).toEqual([
      [32, 32],
      [32, 32],
    ])
  }
})
