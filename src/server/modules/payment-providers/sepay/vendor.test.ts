import { describe, expect, test } from 'vitest'
import { hmacHex } from '../provider-call.ts'
import { signSepay } from './signature.ts'
import { sepay } from './vendor.ts'

const now = new Date(1_795_143_600_000)
const TIMESTAMP = String(now.getTime() / 1000)
const RAW = Buffer.from('{"id":1}')
const reader = sepay.openNotices(
  sepay.env.parse({ SEPAY_WEBHOOK_SECRET: 'the-webhook-secret', SEPAY_API_KEY: 'the-api-key' }),
)

const verdictOn = (headers: Record<string, string>) => reader?.verify({ raw: RAW, headers }, now)
const signed = (secret: string) => ({
  'x-sepay-timestamp': TIMESTAMP,
  'x-sepay-signature': signSepay(secret, TIMESTAMP, RAW),
})

describe('with a secret and an API key', () => {
  test('either is taken alone', () => {
    expect(verdictOn(signed('the-webhook-secret'))).toBe('valid')
    expect(verdictOn({ authorization: 'Apikey the-api-key' })).toBe('valid')
  })

  test('the right API key does not help a wrong signature', () => {
    expect(verdictOn({ ...signed('another-secret'), authorization: 'Apikey the-api-key' })).toBe('bad')
  })

  test('a wrong API key is refused', () => {
    expect(verdictOn({ authorization: 'Apikey another-key' })).toBe('bad')
  })
})

test('nothing is signed with a secret that is not set', () => {
  expect(() => signSepay('', TIMESTAMP, RAW)).toThrow('an empty secret signs nothing')
  expect(() => hmacHex('sha256', '', 'text')).toThrow('an empty secret signs nothing')
})
