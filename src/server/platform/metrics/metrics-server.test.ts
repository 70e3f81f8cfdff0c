import { describe, expect, test } from 'vitest'
import { requirePrivate } from './metrics-server.ts'

const having =
  (...addresses: string[]) =>
  async () =>
    addresses

describe('metrics', () => {
  test.each(['127.0.0.1', '10.1.2.3', '172.30.77.4', '192.168.1.9', '100.101.1.2', '::1', 'fd00::1'])(
    'are served at %s',
    async (address) => {
      await expect(requirePrivate({ host: address }, having(address))).resolves.toBeUndefined()
    },
  )

  test.each(['203.0.113.5', '172.32.0.1', '2001:db8::5'])(
    'are not served at %s, which strangers reach',
    async (address) => {
      await expect(requirePrivate({ host: '0.0.0.0' }, having('127.0.0.1', address))).rejects.toThrow(
        `METRICS_HOST 0.0.0.0 serves metrics without a password at ${address}`,
      )
    },
  )

  test('are served at a name of this machine, and not at one that nobody has', async () => {
    await expect(requirePrivate({ host: 'localhost' })).resolves.toBeUndefined()
    await expect(requirePrivate({ host: 'nobody.invalid' })).rejects.toThrow(
      /is no address: give 127\.0\.0\.1/,
    )
  })
})
