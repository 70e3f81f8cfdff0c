import { expect, test } from 'vitest'
import { filledShare, milestoneSentence, missingTo, nextStep } from './milestone-rules.ts'

const steps = [{ at: 100_000 }, { at: 500_000 }, { at: 10_000_000 }]

test.for([
  [0, 0],
  [50_000, 1 / 6],
  [100_000, 1 / 3],
  [300_000, 1 / 2],
  [499_999, 2 / 3 - 1 / 1_200_000],
  [10_000_000, 1],
  [99_000_000, 1],
] as const)('with %d VND the bar is filled to %d', ([recharged, share]) => {
  expect(filledShare(steps, recharged)).toBeCloseTo(share, 9)
})

test('the next step is the first that is not reached, and says what is missing', () => {
  expect(nextStep(steps, 99_999)).toEqual({ at: 100_000 })
  expect(nextStep(steps, 100_000)).toEqual({ at: 500_000 })
  expect(nextStep(steps, 10_000_000)).toBeUndefined()
  expect([missingTo(100_000, 99_999), missingTo(100_000, 100_000), missingTo(100_000, 200_000)]).toEqual([
    1, 0, 0,
  ])
})

test('the bar never goes back while more is recharged, and a step is marked exactly when the server gives it', () => {
  let last = 0
  for (let recharged = 0; recharged <= 600_000; recharged += 1_000) {
    const share = filledShare(steps, recharged)
    expect(share).toBeGreaterThanOrEqual(last)
    for (const [index, { at }] of steps.entries())
      expect(share >= (index + 1) / steps.length - 1e-12).toBe(missingTo(at, recharged) === 0)
    last = share
  }
})

test('the sentence names every step, the time, the last moment and what becomes of reversals', () => {
  expect(
    milestoneSentence({
      starts_at: '2026-11-30T17:00:00Z',
      ends_at: '2026-12-31T17:00:00Z',
      claims_max: 1_000,
      claims_until: '2027-01-03T17:00:00Z',
      steps: [
        { at: 100_000, goods: [{ kind: 'luong', quantity: 500 }] },
        {
          at: 500_000,
          goods: [
            { kind: 'luong', quantity: 3_000 },
            { kind: 'yen', quantity: 20_000 },
          ],
        },
      ],
    }),
  ).toBe(
    'Nạp đủ 100,000 VND nhận 500 lượng; 500,000 VND nhận 3,000 lượng và 20,000 yên. Tính tổng tiền đã cộng từ 01/12/2026 00:00 đến 01/01/2027 00:00, nhận quà đến 04/01/2027 00:00, mỗi mốc một lần và cho 1,000 người nhận đầu tiên. Khoản nạp bị thu hồi không được tính; quà đã nhận không bị lấy lại.',
  )
})
