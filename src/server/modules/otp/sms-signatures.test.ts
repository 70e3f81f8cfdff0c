import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isSignedByEsms, isSignedByOnepay, signSms, verifySms } from './sms-signatures.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('the portal’s own signature', () => {
  const secret = 'sms-demo-secret'
  const timestamp = '1795143600'
  const raw = bytes(
    '{"message_id":"mo-0001","short_code":"7039","msisdn":"84901234567","text":"THN OTP",' +
      '"received_at":"2026-11-20T10:00:00+07:00","operator":"VIETTEL"}',
  )
  const signature = 'v1=bc6359af1a5e6eced84fb6f17ac5a3d234ad32eee9815a9eaeccb619ff17f790'
  const verify = (change: Partial<Parameters<typeof verifySms>[0]> = {}) =>
    verifySms({ secrets: [secret], timestamp, signature, raw, now: new Date(1_795_143_600_000), ...change })

  test('is the one known for these bytes', () => {
    expect(signSms(secret, timestamp, raw)).toBe(signature)
    expect(verify()).toBe('valid')
    expect(verify({ secrets: ['new', secret] })).toBe('valid')
  })

  test.each<[string, Parameters<typeof verify>[0], string]>([
    ['another secret', { secrets: ['another'] }, 'bad'],
    ['no secret', { secrets: [] }, 'bad'],
    ['another time', { timestamp: '1795143601' }, 'bad'],
    ['no time', { timestamp: undefined }, 'bad'],
    ['no signature', { signature: undefined }, 'bad'],
    ['the prefix of another endpoint', { signature: signature.replace('v1=', 'sha256=') }, 'bad'],
    ['another body', { raw: bytes('{}') }, 'bad'],
    ['a clock 300 s on', { now: new Date(1_795_143_900_000) }, 'valid'],
    ['a clock 301 s on', { now: new Date(1_795_143_901_000) }, 'stale'],
    ['a clock 301 s behind', { now: new Date(1_795_143_299_000) }, 'stale'],
  ])('with %s', (_what, change, result) => {
    expect(verify(change)).toBe(result)
  })
})

describe('eSMS’s signature', () => {
  const secrets = ['17417a0d20114d36a902e49cad0e97f3']
  const given = {
    cpid: 'abcdef',
    smsid: '1234',
    content: 'xyz',
    sign: '3bce677365c1c8e8539bc6bcb76ad828',
  }

  test('is the one of the provider’s own page', () => {
    expect(isSignedByEsms(secrets, given)).toBe(true)
    expect(isSignedByEsms(secrets, { ...given, sign: given.sign.toUpperCase() })).toBe(true)
    expect(isSignedByEsms(['new', ...secrets], given)).toBe(true)
  })

  test('covers every value but the sender', () => {
    for (const name of ['cpid', 'smsid', 'content', 'receiverTime', 'sign']) {
      expect(isSignedByEsms(secrets, { ...given, [name]: 'changed' }), name).toBe(false)
    }
    expect(isSignedByEsms(secrets, { ...given, sign: '' })).toBe(false)
  })

  test('made with no secret opens nothing', () => {
    const sign = createHash('md5').update('abcdef1234xyz').digest('hex')
    expect(isSignedByEsms([], { ...given, sign })).toBe(false)
    expect(isSignedByEsms([''], { ...given, sign })).toBe(false)
  })
})

describe('1pay’s signature', () => {
  const secrets = ['secret_demo']
  const given = {
    access_key: 'ak_demo',
    command: 'THN',
    mo_message: 'THN OTP',
    msisdn: '84901234567',
    request_id: 'f3a1c9d2',
    request_time: '2026-11-20T10:00:00Z',
    short_code: '7039',
    signature: '2dc9651aab2898c982437c9e901d63cc44a6e593140c8c7b9860b381f76edf39',
  }

  test('is the one known for these values', () => {
    expect(isSignedByOnepay(secrets, given)).toBe(true)
    expect(isSignedByOnepay(['new', ...secrets], given)).toBe(true)
  })

  test('covers every value', () => {
    for (const name of Object.keys(given)) {
      expect(isSignedByOnepay(secrets, { ...given, [name]: 'changed' }), name).toBe(false)
      const { [name as 'msisdn']: _, ...without } = given
      expect(isSignedByOnepay(secrets, without), `without ${name}`).toBe(false)
    }
    expect(isSignedByOnepay(['another'], given)).toBe(false)
    expect(isSignedByOnepay([], given)).toBe(false)
  })
})
