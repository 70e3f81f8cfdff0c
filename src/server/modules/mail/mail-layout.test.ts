import { describe, expect, test } from 'vitest'
import { type Mail, writeMail } from './mail-layout.ts'

const site = {
  name: 'Tinh Hoa Ninja',
  url: 'https://ninja.test',
  notices: ['Game dành cho người chơi từ 12 tuổi trở lên.', 'Công ty Trúc Lâm'],
}
const letter: Mail = {
  kind: 'password-reset',
  to: 'tuan@thu.test',
  subject: 'Đặt lại mật khẩu của bạn',
  username: 'hoangtuan',
  paragraphs: ['Mở đường dẫn dưới đây để đặt mật khẩu mới.'],
  code: '012345',
  action: { label: 'Đặt mật khẩu mới', url: 'https://ninja.test/password/abc' },
  closing: ['Nếu không phải bạn, hãy bỏ qua thư này.'],
}

describe('a letter', () => {
  test('has the same content as text and as HTML', () => {
    const { subject, text, html } = writeMail(letter, site)
    expect(subject).toBe('Đặt lại mật khẩu của bạn')
    for (const words of [
      'Chào hoangtuan,',
      'Mở đường dẫn dưới đây để đặt mật khẩu mới.',
      '012345',
      'Đặt mật khẩu mới',
      'https://ninja.test/password/abc',
      'Nếu không phải bạn, hãy bỏ qua thư này.',
      'Tinh Hoa Ninja',
      'Game dành cho người chơi từ 12 tuổi trở lên.',
      'Công ty Trúc Lâm',
      'Thư này được gửi tự động, bạn không cần trả lời.',
    ]) {
      expect(text).toContain(words)
      expect(html).toContain(words)
    }
  })

  test('shows markup as text, everywhere', () => {
    const evil = '"><img src=x onerror=alert(1)>\'&'
    const { html } = writeMail(
      {
        ...letter,
        subject: evil,
        username: evil,
        paragraphs: [evil],
        code: evil,
        action: { label: evil, url: `https://ninja.test/${evil}` },
        closing: [evil],
      },
      { name: evil, url: `https://ninja.test/${evil}`, notices: [evil] },
    )
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/href="[^"]*">[^<]*onerror[^<]*=[^<]*"/)
    expect(html.match(/&#60;img src=x onerror=alert\(1\)&#62;&#39;&#38;/g)?.length).toBeGreaterThan(9)
  })

  test('brings nothing from elsewhere: no picture, no style sheet, no script', () => {
    const { html } = writeMail(letter, site)
    expect(html).not.toMatch(/<(img|link|script|iframe|object)\b|url\(|@import|src=/i)
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'https://ninja.test/password/abc',
      'https://ninja.test/password/abc',
      'https://ninja.test',
    ])
  })

  test('has its subject and its greeting on one line', () => {
    const { subject, text } = writeMail(
      { ...letter, subject: 'Mã OTP\r\nBcc: kexau@thu.test', username: 'tuan\r\n\r\nxin chao' },
      site,
    )
    expect(subject).toBe('Mã OTP Bcc: kexau@thu.test')
    expect(text.startsWith('Chào tuan xin chao,\n')).toBe(true)
  })
})
