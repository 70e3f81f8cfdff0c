import { describe, expect, test } from 'vitest'
import { afterFault, isTooLate, isAddress, smtpFault, smtpOptions } from './mail.rules.ts'

const passing = { isPermanent: false, note: 'ETIMEDOUT' }
const refused = { isPermanent: true, note: 'EENVELOPE 550' }

describe('a letter that did not go', () => {
  test('is tried again after a minute, then twice as long each time, at most an hour', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 20].map((attempt) =>
      afterFault(passing, { attempt, ageSeconds: 0, usefulMinutes: null }, 0),
    )
    expect(delays).toEqual(
      [60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600].map((delaySeconds) => ({
        outcome: 'retry',
        delaySeconds,
      })),
    )
  })

  test('comes back up to a tenth later, not together with all the others', () => {
    const tried = { attempt: 1, ageSeconds: 0, usefulMinutes: null }
    expect(afterFault(passing, tried, 1)).toEqual({ outcome: 'retry', delaySeconds: 66 })
  })

  test('is given up when the next try would come after a day, or when it is refused for good', () => {
    const old = { attempt: 30, ageSeconds: 23 * 3_600, usefulMinutes: null }
    expect(afterFault(passing, old, 0)).toEqual({ outcome: 'give-up' })
    expect(afterFault(passing, { ...old, ageSeconds: 22 * 3_600 }, 0).outcome).toBe('retry')
    expect(afterFault(refused, { attempt: 1, ageSeconds: 0, usefulMinutes: null }, 0)).toEqual({
      outcome: 'give-up',
    })
  })

  test('is given up when what it brings would be over by then', () => {
    expect(afterFault(passing, { attempt: 1, ageSeconds: 0, usefulMinutes: 10 }, 0).outcome).toBe('retry')
    expect(afterFault(passing, { attempt: 4, ageSeconds: 420, usefulMinutes: 10 }, 0).outcome).toBe('give-up')
    expect(isTooLate({ ageSeconds: 600, usefulMinutes: 10 })).toBe(true)
    expect(isTooLate({ ageSeconds: 599, usefulMinutes: 10 })).toBe(false)
    expect(isTooLate({ ageSeconds: 86_399, usefulMinutes: null })).toBe(false)
  })
})

const server = { host: 'mail.thu.test', port: 587, isSecure: false, login: null }

describe('the way to the mail server', () => {
  test('elsewhere it is TLS or nothing, with its certificate checked', () => {
    expect(smtpOptions(server)).toMatchObject({
      secure: false,
      requireTLS: true,
      tls: { rejectUnauthorized: true },
    })
    expect(smtpOptions({ ...server, port: 465, isSecure: true })).toMatchObject({
      secure: true,
      tls: { rejectUnauthorized: true },
    })
  })

  test.each(['127.0.0.1', 'localhost', '[::1]'])('on this machine (%s) it may be in clear', (host) => {
    expect(smtpOptions({ ...server, host }).requireTLS).toBe(false)
  })

  test.each(['127.0.0.1.thu.test', 'localhost.thu.test', '10.0.0.1'])('%s is not this machine', (host) => {
    expect(smtpOptions({ ...server, host }).requireTLS).toBe(true)
  })
})

describe('an address', () => {
  test.each(['tuan@thu.test', 'tuan.hoang+game@thu.test', 'tuấn@thư.test'])('%s is one', (address) => {
    expect(isAddress(address)).toBe(true)
  })

  test.each([
    'tuan@thu.test\r\nBcc: kexau@thu.test',
    'tuan@thu.test\nRCPT TO:<kexau@thu.test>',
    'tuan@thu.test, kexau@thu.test',
    'Tuan <tuan@thu.test>',
    '"tuan"@thu.test',
    'nhom:tuan@thu.test;',
    'tuan@thu.test\0',
    'tuan',
    '',
    `${'a'.repeat(250)}@thu.test`,
  ])('%j is none', (address) => {
    expect(isAddress(address)).toBe(false)
  })
})

describe('a refusal of the mail server', () => {
  test('is for good when it is about this recipient or this letter, and by a 5xx', () => {
    const of = (command: string, responseCode: number) =>
      smtpFault({ code: 'EENVELOPE', command, responseCode, permanent: responseCode >= 500 }).isPermanent
    expect([of('RCPT TO', 550), of('DATA', 554)]).toEqual([true, true])
    expect([of('RCPT TO', 450), of('DATA', 451), of('MAIL FROM', 550), of('AUTH PLAIN', 535)]).toEqual([
      false,
      false,
      false,
      false,
    ])
  })

  test('is noted by its codes, never by its text, which quotes the address', () => {
    const error = Object.assign(new Error('550 5.1.1 <tuan@thu.test>: unknown'), {
      code: 'EENVELOPE',
      responseCode: 550,
      command: 'RCPT TO',
      permanent: true,
    })
    expect(smtpFault(error).note).toBe('EENVELOPE 550 RCPT TO')
  })
})
