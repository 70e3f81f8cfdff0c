import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideTransfer, transferMessage, type TransferCase } from './transfers.rules.ts'

const plain: TransferCase = {
  amount: 50_000,
  isActivationRequested: false,
  isPayeeActivated: true,
  balance: 1_000_000,
  sentToday: 0,
  activeFee: 20_000,
  transferMin: 1,
  transferDailyLimit: 5_000_000,
  transferOtpLimit: 2_000_000,
}

function decide(change: Partial<TransferCase>) {
  try {
    return decideTransfer({ ...plain, ...change })
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('a transfer', () => {
  test('may take the whole balance, and not one coin more', () => {
    expect(decide({ amount: 50_000, balance: 50_000 })).toMatchObject({ activationFee: null })
    expect(decide({ amount: 50_001, balance: 50_000 })).toBe('INSUFFICIENT_BALANCE')
  })

  test('has how much is missing', () => {
    expect(() => decideTransfer({ ...plain, amount: 1_020_000 })).toThrow(
      'Bạn còn thiếu: 20,000, vui lòng nạp thêm tiền',
    )
  })

  test('has a smallest amount', () => {
    expect(decide({ transferMin: 1_000, amount: 999 })).toBe('VALIDATION')
    expect(decide({ transferMin: 1_000, amount: 1_000 })).toMatchObject({ activationFee: null })
  })

  test('fills the limit of the day to the last coin', () => {
    expect(decide({ amount: 1, sentToday: 4_999_999 })).toMatchObject({ activationFee: null })
    expect(decide({ amount: 2, sentToday: 4_999_999 })).toBe('LIMIT_EXCEEDED')
    expect(decide({ amount: 1, sentToday: 5_000_000 })).toBe('LIMIT_EXCEEDED')
  })

  test('returns what is left of the limit, never below zero', () => {
    const overspent = { ...plain, transferDailyLimit: 1_000, sentToday: 6_000 }
    expect(() => decideTransfer(overspent)).toThrow('hôm nay bạn còn được chuyển 0 TCoin')
  })

  test('above the OTP limit needs a code, but only when there is no other refusal', () => {
    expect(decide({ amount: 2_000_000, balance: 9_000_000 })).toMatchObject({ needsCode: false })
    expect(decide({ amount: 2_000_001, balance: 9_000_000 })).toEqual({
      activationFee: null,
      needsCode: true,
    })
    expect(decide({ amount: 2_000_001, balance: 2_000_000 })).toBe('INSUFFICIENT_BALANCE')
    expect(decide({ amount: 5_000_001, balance: 9_000_000 })).toBe('LIMIT_EXCEEDED')
  })
})

describe('activating the payee', () => {
  const requested = { isActivationRequested: true, isPayeeActivated: false }
  test('takes the fee out of the amount, which must cover it', () => {
    expect(decide({ ...requested, amount: 20_000 })).toMatchObject({ activationFee: 20_000 })
    expect(decide({ ...requested, amount: 19_999 })).toBe('VALIDATION')
  })
  test('changes nothing when they are activated already, or it was not requested', () => {
    expect(decide({ isActivationRequested: true, isPayeeActivated: true, amount: 5 })).toMatchObject({
      activationFee: null,
    })
    expect(decide({ isActivationRequested: false, isPayeeActivated: false, amount: 5 })).toMatchObject({
      activationFee: null,
    })
  })
  test('is free when the fee is 0', () => {
    expect(decide({ ...requested, activeFee: 0, amount: 1 })).toMatchObject({ activationFee: 0 })
  })
})

test('whatever is allowed is covered by the balance, the limits and the smallest amount', () => {
  const coins = fc.integer({ min: 1, max: 10_000 })
  const anyCase = fc.record({
    amount: coins,
    isActivationRequested: fc.boolean(),
    isPayeeActivated: fc.boolean(),
    balance: coins,
    sentToday: fc.integer({ min: 0, max: 10_000 }),
    activeFee: fc.integer({ min: 0, max: 10_000 }),
    transferMin: coins,
    transferDailyLimit: coins,
    transferOtpLimit: coins,
  })
  fc.assert(
    fc.property(anyCase, (one) => {
      const isFeeDue = one.isActivationRequested && !one.isPayeeActivated
      const isFine =
        one.amount <= one.balance &&
        one.amount >= one.transferMin &&
        one.amount + one.sentToday <= one.transferDailyLimit &&
        (!isFeeDue || one.amount >= one.activeFee)
      const decision = decide(one)
      expect(typeof decision === 'object' ? decision.needsCode : null).toBe(
        isFine ? one.amount > one.transferOtpLimit : null,
      )
    }),
    { numRuns: 1_000 },
  )
})

test('messages name the payee, the amount and the fee', () => {
  const sent = { amount: 50_000, payee: 'LinhKunai' }
  expect(transferMessage({ ...sent, activationFee: null })).toBe('Đã chuyển 50,000 TCoin cho LinhKunai')
  expect(transferMessage({ ...sent, activationFee: 20_000 })).toBe(
    'Đã chuyển 50,000 TCoin cho LinhKunai, trong đó 20,000 TCoin là phí kích hoạt tài khoản',
  )
  expect(transferMessage({ ...sent, activationFee: 0 })).toBe(
    'Đã chuyển 50,000 TCoin cho LinhKunai và kích hoạt tài khoản này',
  )
})
