import { describe, expect, test } from 'vitest'
import { engineOf, framesIn, pageOf, scrubbed } from './client-errors.rules.ts'

describe('a message is stored without what may name somebody', () => {
  test.each([
    [
      "TypeError: Cannot read properties of undefined (reading 'nguyenvana')",
      'TypeError: Cannot read properties of undefined (reading …)',
    ],
    [
      `SyntaxError: Unexpected token '}', "{"name":"An}, b": 'x" is not valid JSON`,
      'SyntaxError: Unexpected token …, … is not valid JSON',
    ],
    [
      `SyntaxError: JSON Parse error: Unexpected identifier "nguyenvana"`,
      'SyntaxError: JSON Parse error: Unexpected identifier …',
    ],
    [`can't access property "x", player is undefined`, `can't access property …, player is undefined`],
    [
      'TypeError: Failed to fetch dynamically imported module: https://game.vn/static/js/home.page-DXtN-jW.js',
      'TypeError: Failed to fetch dynamically imported module: home.page.js',
    ],
    ['no page at https://game.vn/password/AbCdEf?x=1 for an@thu.vn', 'no page at … for …'],
    ['balance 1250000 of 84912345678', 'balance # of #'],
    [
      'Error: Minified React error #418; visit https://react.dev/errors/418?args[]=Lan for more',
      'Error: Minified React error #418; visit … for more',
    ],
    ['token eyJhbGciOiJIUzI1NiIsInR5cCI6 refused', 'token … refused'],
    ['Người chơi Nguyễn Văn Bình is missing', '… … … … … is missing'],
    [`refused: 'Lan O'Neil of the team`, 'refused: …'],
    ['refused: "An Binh of the team', 'refused: …'],
    ["x is not 'a' and not 'b' here", 'x is not … here'],
    ['', '…'],
  ])('%s', (message, stored) => {
    expect(scrubbed(message)).toBe(stored)
  })

  test('whatever its length', () => {
    expect(scrubbed('a b '.repeat(500))).toHaveLength(500)
  })
})

test('of a place only built files of the sites are left', () => {
  const place = `static/js/portal-DA157ME.js:1:2345
    at Nguyen (chrome-extension://abc/static/x.py:1:2) admin/static/user.page-1_x.js:3:4 ../../etc/passwd:1:1 static/js/../../x.js:1:1`
  expect(framesIn(place)).toEqual(['static/js/portal-DA157ME.js:1:2345', 'admin/static/user.page-1_x.js:3:4'])
  expect(framesIn('static/js/a.js:1:1 '.repeat(9))).toHaveLength(5)
})

test.each([
  ['player', '/home', '/home'],
  ['player', '/post/:id', '/post/:id'],
  ['player', '/post/12?utm=Lan', '/post/:id'],
  ['player', '/password/AbCdEfGh', '/password/:token?'],
  ['player', '/password', '/password/:token?'],
  ['player', '/nguyen-van-an', ''],
  ['console', '/admin', '/'],
  ['console', '/admin/users/12', '/users/:id'],
  ['console', '/admin/tournaments/3/desk', '/tournaments/:id/desk'],
  ['console', '/home', ''],
] as const)('on the site of the %s %s is the page %s', (site, address, page) => {
  expect(pageOf(site, address)).toBe(page)
})

test.each([
  [
    'Mozilla/5.0 (Linux; Android 6.0; SM-G900) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/106.0.0.0 Mobile Safari/537.36',
    'Chrome 106 (Android)',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 15_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Mobile/15E148 Safari/604.1',
    'Safari 15 (iOS)',
  ],
  ['Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox 128'],
  [
    'Mozilla/5.0 (Linux; Android 13) AppleWebKit/537.36 Chrome/120.0.0.0 Mobile Safari/537.36 Zalo android/24',
    'Zalo (Android)',
  ],
  ['Nguyễn Văn An', 'khác'],
])('%s is %s', (userAgent, engine) => {
  expect(engineOf(userAgent)).toBe(engine)
})
