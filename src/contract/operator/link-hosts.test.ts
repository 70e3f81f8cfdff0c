import { describe, expect, test } from 'vitest'
import { carriesAddress, isAllowedHost, isHostList, leadsToProgram, plainHost } from './link-hosts.ts'

describe('the host of an address', () => {
  test.each([
    ['https://zalo.me/g/abc', 'zalo.me'],
    ['https://Tai.Example.com', 'tai.example.com'],
    ['https://m.me?ref=1', 'm.me'],
    ['https://tai.example.com/a/thn-1.4.8.apk?v=2#x', 'tai.example.com'],
    ['https://www.tiktok.com/@ninja', 'www.tiktok.com'],
  ])('%s is %s', (address, host) => expect(plainHost(address)).toBe(host))

  test.each([
    'http://zalo.me/g',
    'https://portal@evil.example/a.apk',
    'https://zalo.me@evil.example/a.apk',
    'https://zalo.me:8443/g',
    'https://zalo.me:443/g',
    'https://1.2.3.4/a.apk',
    'https://0x7f000001/a.apk',
    'https://2130706433/a.apk',
    'https://[::1]/a.apk',
    'https://localhost/a.apk',
    'https://zalo.me./g',
    'https://zаlo.me/g', // Cyrillic а
    'https://xn--zlo-7cd.me/g',
    'https://a.xn--p1ai/g',
    'https://zalo.me\\@evil.example/',
    'https://zalo.me%2fevil.example/',
    'https://zalo。me/g',
    'https://zalo.me/ a',
    'https://zalo.me/"onclick',
    'https:zalo.me/g',
    'https:///zalo.me/g',
    'https://zalo.me\u0000/g',
    'https://-zalo.me/g',
    'javascript:alert(1)',
    'itms-services://?action=download-manifest&url=https://evil.example/a.plist',
    '',
  ])('%s is none that is allowed', (address) => expect(plainHost(address)).toBeNull())
})

test('a host is allowed exactly, and below', () => {
  const allowed = ['zalo.me', 'tai.example.com']
  const found = ['zalo.me', 'chat.zalo.me', 'evilzalo.me', 'zalo.me.evil.com', 'example.com'].map((host) =>
    isAllowedHost(host, allowed),
  )
  expect(found).toEqual([true, true, false, false, false])
})

test('a list holds names of hosts, and no name below which everybody can have one', () => {
  expect(['zalo.me\nfacebook.com', 'zalo.me, m.me', '', 'ninja.pages.dev'].map(isHostList)).toEqual(
    Array.from({ length: 4 }, () => true),
  )
  for (const text of [
    'com',
    'com.vn',
    'pages.dev',
    'bit.ly',
    '*.zalo.me',
    'https://zalo.me',
    'ZALO.me',
    'xn--a.me',
    '1.2.3.4',
  ])
    expect([text, isHostList(text)]).toEqual([text, false])
})

test('links to programs are known by path and query, however encoded', () => {
  for (const address of [
    'https://a.example/thn.apk',
    'http://a.example/THN.APK?x=1',
    'https://a.example/d?file=thn.exe',
    'https://a.example/thn.%61pk',
    'https://a.example/thn%252eapk',
    'https://a.example/#/thn.ipa',
    'https://a.example/thn.zip/download',
    'https://a.example/%zz/thn%2eapk',
  ])
    expect([address, leadsToProgram(address)]).toEqual([address, true])
  for (const address of [
    'https://a.example/',
    'https://a.example/bai-viet',
    'https://a.example/jarvis',
    '/post/1.apk',
  ])
    expect([address, leadsToProgram(address)]).toEqual([address, false])
})

test('an address that carries another is known, however encoded', () => {
  for (const address of [
    'https://l.facebook.com/l.php?u=https%3A%2F%2Fevil.example',
    'https://www.google.com/url?q=https://evil.example/a',
    'https://www.youtube.com/redirect?q=%2F%2Fevil.example',
    'https://zalo.me//evil.example',
    'https://zalo.me/%5C%5Cevil.example',
    'https://zalo.me/%255c%255cevil.example',
    'https://zalo.me/?x=%zz&u=https%3A%2F%2Fevil.example',
    'https://zalo.me/#https:/evil.example',
  ])
    expect([address, carriesAddress(address)]).toEqual([address, true])
  for (const address of ['https://zalo.me/g/abc', 'https://www.youtube.com/watch?v=abc&t=1:30', '/download'])
    expect([address, carriesAddress(address)]).toEqual([address, false])
})
