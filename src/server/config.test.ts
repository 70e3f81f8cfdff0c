import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const base = { DEMO: '1' }
const from = { MAIL_FROM: 'Tinh Hoa Ninja <khong-tra-loi@ninja.test>' }

describe('the mail server of the environment', () => {
  test('is none unless one is given: letters then become files', () => {
    expect(readConfig(base)).toMatchObject({ smtp: null, mailFrom: null })
  })

  test('is read with its login, its usual port and its sender', () => {
    expect(
      readConfig({ ...base, ...from, SMTP_URL: 'smtp://ninja:m%40t%2Fkhau@mail.ninja.test' }),
    ).toMatchObject({
      smtp: {
        host: 'mail.ninja.test',
        port: 587,
        isSecure: false,
        login: { user: 'ninja', pass: 'm@t/khau' },
      },
      mailFrom: { name: 'Tinh Hoa Ninja', address: 'khong-tra-loi@ninja.test' },
    })
    expect(
      readConfig({ ...base, SMTP_URL: 'smtps://mail.ninja.test', MAIL_FROM: 'khong-tra-loi@ninja.test' }),
    ).toMatchObject({
      smtp: { port: 465, isSecure: true, login: null },
      mailFrom: { name: null, address: 'khong-tra-loi@ninja.test' },
    })
  })

  test.each([
    ['another protocol', { ...from, SMTP_URL: 'http://mail.ninja.test' }, /SMTP_URL/],
    ['no address at all', { ...from, SMTP_URL: 'mail.ninja.test' }, /SMTP_URL/],
    [
      'options in the address',
      { ...from, SMTP_URL: 'smtp://mail.ninja.test?tls.rejectUnauthorized=false' },
      /SMTP_URL/,
    ],
    ['no sender', { SMTP_URL: 'smtp://mail.ninja.test' }, /MAIL_FROM/],
    ['a sender that is none', { MAIL_FROM: 'Tinh Hoa Ninja' }, /MAIL_FROM/],
    ['a sender on two lines', { MAIL_FROM: 'Ninja\r\nBcc: b@ninja.test <a@ninja.test>' }, /MAIL_FROM/],
  ])('stops the start with %s', (_, environment, problem) => {
    expect(() => readConfig({ ...base, ...environment })).toThrow(problem)
  })
})
