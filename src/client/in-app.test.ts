import { expect, test } from 'vitest'
import { chromeAddress, inAppOf } from './in-app.ts'

const ANDROID = 'Mozilla/5.0 (Linux; Android 13; RMX3630'
const ENGINE = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `${ANDROID}) ${ENGINE} Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 Zalo android/260501901 ZaloTheme/light ZaloLanguage/vi`,
    'Zalo',
  ],
  [`${IPHONE} Mobile/15E148 Zalo iOS/470 ZaloTheme/light ZaloLanguage/vi`, 'Zalo'],
  [
    `${ANDROID} Build/TP1A; wv) ${ENGINE} Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/353.0.0.34.116;]`,
    'Facebook',
  ],
  [`${IPHONE} Mobile/21F79 [FBAN/FBIOS;FBAV/463.1;FBBV/1;FBDV/iPhone12,5;FBMD/iPhone;FBSN/iOS]`, 'Facebook'],
  [
    `${ANDROID} Build/TP1A; wv) ${ENGINE} Version/4.0 Chrome/153.0.8010.36 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/470.0.0.50.109;]`,
    'Messenger',
  ],
  [`${IPHONE} Mobile/21F79 [FBAN/MessengerForiOS;FBAV/463.1;FBDV/iPhone12,5]`, 'Messenger'],
  [`${IPHONE} Mobile/15E148 Instagram 321.0.0.9.115 (iPhone12,1; iOS 17_5; vi_VN)`, 'Instagram'],
  [`${IPHONE} Mobile/15E148 musical_ly_32.5.0 BytedanceWebview/d8a21c`, 'TikTok'],
  [`${ANDROID} Build/TP1A; wv) ${ENGINE} Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36`, ''],
  [`${IPHONE} Mobile/15E148`, ''],
  [`${ANDROID}) ${ENGINE} Chrome/125.0.6422.165 Mobile Safari/537.36`, null],
  [`${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`, null],
  [`${IPHONE} CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1`, null],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0', null],
])('%s', (userAgent, app) => {
  expect(inAppOf(userAgent)).toBe(app)
})

test('a view says so by its brands too, and a site on the home screen is none', () => {
  const reduced = `${ANDROID}) ${ENGINE} Chrome/140.0.0.0 Mobile Safari/537.36`
  expect(inAppOf(reduced, { brands: ['Chromium', 'Android WebView'] })).toBe('')
  expect(inAppOf(reduced, { brands: ['Chromium', 'Google Chrome'] })).toBeNull()
  expect(inAppOf(`${IPHONE} Mobile/15E148`, { isStandalone: true })).toBeNull()
})

test('the address for Chrome leads to the same page, and back to it without Chrome', () => {
  expect(chromeAddress('https://ninja.example/download?a=1')).toBe(
    'intent://ninja.example/download?a=1#Intent;scheme=https;package=com.android.chrome;S.browser_fallback_url=https%3A%2F%2Fninja.example%2Fdownload%3Fa%3D1;end',
  )
})
