import { describe, expect, test } from 'vitest'
import { isAddress, smtpFault, smtpOptions } from './mail-transport.rules.ts'

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
