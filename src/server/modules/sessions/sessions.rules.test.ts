import { expect, test } from 'vitest'
import { describeDevice, storedUserAgent } from './sessions.rules.ts'
import { newToken, tokenHashOf } from '#server/platform/values/crypto.ts'

test.each([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome trên Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari trên iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge trên Windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) coc_coc_browser/130.0 Chrome/124.0 Safari/537.36',
    'Cốc Cốc trên Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox trên Linux'],
  ['curl/8.9.1', 'Thiết bị không xác định'],
  ['', 'Thiết bị không xác định'],
])('%s is described as %s', (userAgent, text) => {
  expect(describeDevice(userAgent)).toBe(text)
})

test('of a user agent one bounded line of printable characters is stored', () => {
  expect(storedUserAgent('a\r\nb\0c')).toBe('abc')
  expect(storedUserAgent('x'.repeat(1_000))).toHaveLength(300)
  expect(storedUserAgent(undefined)).toBe('')
})

test('a token has 256 random bits and is found again by its hash only', () => {
  const { token, tokenHash } = newToken()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(newToken().token).not.toBe(token)
  expect(tokenHashOf(token)).toEqual(tokenHash)
  expect(tokenHashOf(`${token} `)).toBeNull()
  expect(tokenHashOf(token.slice(1))).toBeNull()
})
