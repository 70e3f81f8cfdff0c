import { expect, test } from 'vitest'
import { dayBefore, dayOf, isDeclaredRobot } from './views.service.ts'

test.each([
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0) Chrome/100 Safari/537.36',
  'Mozilla/5.0 (compatible; coccocbot-web/1.0; +http://help.coccoc.com/searchengine)',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'meta-externalagent/1.1',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (compatible; YandexBot/3.0)',
  'GPTBot/1.2',
  'Mozilla/5.0 (compatible; Baiduspider/2.0)',
  'AhrefsSiteAudit/6.1 crawler',
  'Chrome-Lighthouse',
  'UptimeRobot/2.0',
])('a declared robot is nobody: %s', (agent) => {
  expect(isDeclaredRobot(agent)).toBe(true)
})

test.each([
  undefined,
  '',
  'Mozilla/5.0 (Linux; Android 9; CUBOT_X18_Plus) AppleWebKit/537.36 Chrome/96 Mobile Safari/537.36',
  'Mozilla/5.0 (Linux; Android 13; SM-A145F) AppleWebKit/537.36 Chrome/120 Mobile Safari/537.36 Zalo android/2309',
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 coc_coc_browser/120 Chrome/114 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 [FBAN/FBIOS]',
  'Nokia6300/2.0 (05.00) Profile/MIDP-2.0 Configuration/CLDC-1.1 UCBrowser',
])('a player is counted: %s', (agent) => {
  expect(isDeclaredRobot(agent)).toBe(false)
})

test('days are those of Vietnam', () => {
  expect(dayOf(new Date('2026-11-20T16:59:59Z'))).toBe('2026-11-20')
  expect(dayOf(new Date('2026-11-20T17:00:00Z'))).toBe('2026-11-21')
  expect(dayBefore('2026-03-01')).toBe('2026-02-28')
})
