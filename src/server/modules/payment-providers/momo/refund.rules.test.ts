import { describe, expect, test } from 'vitest'
import { readRefund, readRefundQuery } from './outcome.rules.ts'

const asked = { refundOrder: 'HT0001', amountVnd: 20_000 }
const ours = { orderId: 'HT0001', amount: 20_000, transId: 4_088_878_654 }
const refunded = { kind: 'refunded', transId: '4088878654' }

describe('what asking for a refund is answered', () => {
  const read = (resultCode: number, answer: unknown = {}) => readRefund({ answer, resultCode, asked })

  test('a success counts only for the refund that was asked for', () => {
    expect(read(0, ours)).toEqual(refunded)
    for (const change of [{ orderId: 'HT0002' }, { amount: 50_000 }, { transId: 0 }]) {
      expect(read(0, { ...ours, ...change })).toBeUndefined()
    }
  })

  test.each([1080, 1081, 1088, 11, 13, 20, 22, 42, 1001])('%i is a refusal', (resultCode) => {
    expect(read(resultCode)).toEqual({ kind: 'refused', resultCode })
  })

  // 40 and 41 say that an earlier try arrived; the others that MoMo does not know itself.
  test.each([40, 41, 43, 10, 99, 1000, 7000, 7002, 9000, 5555])('%i leaves it open', (resultCode) => {
    expect(read(resultCode)).toEqual({ kind: 'pending', resultCode })
  })
})

describe('what asking about a refund is answered', () => {
  const read = (resultCode: number, answer: unknown = {}) => readRefundQuery({ answer, resultCode, asked })
  const listed = (...rows: object[]) => ({ refundTrans: rows })

  test('its own row in the list decides, whatever else is told', () => {
    expect(
      read(0, listed({ ...ours, orderId: 'HT9', resultCode: 1081 }, { ...ours, resultCode: 0 })),
    ).toEqual(refunded)
    expect(read(0, listed({ ...ours, resultCode: 1081 }))).toEqual({ kind: 'refused', resultCode: 1081 })
    expect(read(0, listed({ ...ours, resultCode: 7002 }))).toEqual({ kind: 'pending', resultCode: 7002 })
    expect(read(0, listed({ ...ours, amount: 1, resultCode: 0 }))).toBeUndefined()
  })

  test('without a list the answer itself decides, when it speaks of this refund', () => {
    expect(read(0, ours)).toEqual(refunded)
    expect(read(0, listed({ ...ours, orderId: 'HT9', resultCode: 0 }))).toBeUndefined()
  })

  test('a question that was turned away says nothing; “not found” does', () => {
    expect(read(13)).toEqual({ kind: 'pending', resultCode: 13 })
    expect(read(40)).toEqual({ kind: 'pending', resultCode: 40 })
    expect(read(42)).toEqual({ kind: 'unknown-refund' })
    expect(read(1081)).toEqual({ kind: 'refused', resultCode: 1081 })
  })
})
