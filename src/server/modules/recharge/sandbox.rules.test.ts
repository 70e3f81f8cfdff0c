import { describe, expect, test } from 'vitest'
import { readerOf } from '#tests/support/payment-keys.ts'
import { orderCodesOf } from './order-code.rules.ts'
import { sandboxNotification } from './sandbox.service.ts'

const CODE = 'TCX7K2QF9XAMM'
const sepay = readerOf('sepay', { SEPAY_API_KEY: 'a key of SePay' })

describe('what the sandbox sends', () => {
  test.each([1, 2, 3])('reads like a transfer on channel %d, with one code in it', (channel) => {
    for (const serial of [1, 2 ** 48 - 2]) {
      const notification = sandboxNotification({
        order: { code: CODE, channel, accountNumber: '0011000000001' },
        amount: 50_000,
        now: new Date('2026-11-20T17:30:00.500Z'),
        serial,
      })
      const [event] = sepay!.read(Buffer.from(JSON.stringify(notification)))
      expect(event).toMatchObject({
        kind: 'movement',
        event: {
          direction: 'in',
          amountVnd: 50_000,
          accountNumber: '0011000000001',
          providerEventId: String(serial),
          bookedAt: new Date('2026-11-20T17:30:00Z'),
        },
      })
      expect(notification.transactionDate).toBe('2026-11-21 00:30:00')
      expect(event?.kind === 'movement' && orderCodesOf(event.event)).toEqual([CODE])
      expect(notification.content).not.toBe(CODE)
    }
  })
})
