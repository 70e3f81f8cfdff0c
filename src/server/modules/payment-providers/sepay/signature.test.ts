import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signSepay, verifyApiKey, verifySepaySignature } from './signature.ts'
import type { SepaySignatureInput } from './signature.ts'

const secret = 'test-sepay-secret'
const timestamp = '1719893313'
const body =
  '{"id":92704,"gateway":"Vietcombank","transactionDate":"2024-07-02 11:08:33","accountNumber":"1017588888","subAccount":"",' +
  '"code":null,"content":"NGUYEN VAN A chuyen tien","transferType":"in","transferAmount":10000,"accumulated":105010000,' +
  '"referenceCode":"FT24012345678"}'
const signature = 'sha256=1b809a738dd04770761074624178c0b8ad58b6f917d18bb8ebfb3d0223ad3950'
// Made elsewhere: our own signer refuses an empty secret.
const emptySecretSignature = 'sha256=ba21058b2c4dc66239561e3312cda2087346bc16f70c328e8b6b199bba0b2282'
const bytes = (text: string) => new TextEncoder().encode(text)

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
  ])('looked at %d seconds after its time is %s', (seconds, verdict) => {
    expect(verify({ now: new Date(Number(timestamp) * 1000 + seconds * 1000) })).toBe(verdict)
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
