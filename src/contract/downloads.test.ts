import { expect, test } from 'vitest'
import { detectDevice } from './downloads.ts'

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15'

test.each([
  ['Mozilla/5.0 (Linux; Android 13; SM-A155F) AppleWebKit/537.36 Chrome/130.0 Mobile', 5, 'android'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15', 5, 'ios'],
  [MAC, 5, 'ios'],
  [MAC, 0, 'pc'],
  ['Nokia6300/2.0 (05.00) Profile/MIDP-2.0 Configuration/CLDC-1.1', 0, 'java'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0', 0, 'pc'],
])('%s with %i touch points is %s', (userAgent, touchPoints, device) => {
  expect(detectDevice(userAgent, touchPoints)).toBe(device)
})
