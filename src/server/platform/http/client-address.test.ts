import { expect, test } from 'vitest'
import { clientKey } from './client-address.ts'

test.each([
  ['113.161.7.8', '113.161.7.8'],
  ['::ffff:113.161.7.8', '113.161.7.8'],
  ['::ffff:71a1:708', '113.161.7.8'],
  ['0:0:0:0:0:FFFF:113.161.7.8', '113.161.7.8'],
  ['64:ff9b::113.161.7.8', '64:ff9b:0:0::/64'],
  ['2405:4800:0102:00ab:1:2:3:4', '2405:4800:102:ab::/64'],
  ['2405:4800:102:ab::9', '2405:4800:102:ab::/64'],
  ['2405:4800::9', '2405:4800:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['ai đó', 'unknown'],
  ['', 'unknown'],
])('the client behind %s is counted as %s', (address, counted) => {
  expect(clientKey(address)).toBe(counted)
})
