import { describe, expect, test } from 'vitest'
import type { TransferReason } from '#contract/operator/words.ts'
import type { BankEvent } from '#server/modules/payment-providers/index.ts'
import { orderCodesOf } from '#server/modules/recharge/index.ts'
import { decideMatch } from './matching.rules.ts'
import type { IgnoreReason, MatchInput, OrderToMatch, PaidStatus } from './matching.rules.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const created = Date.parse('2026-11-20T03:00:00Z')
const after = (ms: number) => new Date(created + ms)

const anEvent: BankEvent & { bookedAt: Date } = {
  provider: 'sepay',
  providerEventId: '92704',
  direction: 'in',
  amountVnd: 50_000,
  accountNumber: '0011000000001',
  virtualAccount: null,
  bankRef: 'FT24012345678',
  memo: 'TCX7K2QF9XAMM',
  fullText: '',
  code: null,
  bookedAt: after(5 * MINUTE_MS),
  payerAccount: null,
}
const anOrder: OrderToMatch = {
  code: 'TCX7K2QF9XAMM',
  channel: 2,
  requestId: null,
  status: 'pending',
  amountVnd: 50_000,
  rate: 1,
  accountNumber: '0011000000001',
  createdAt: after(0),
  expiresAt: after(30 * MINUTE_MS),
  userBanned: false,
  userDeleted: false,
  creditedTransfers: 0,
}

type Scene = {
  event?: Partial<BankEvent & { bookedAt: Date }>
  order?: Partial<OrderToMatch>
  input?: Partial<MatchInput>
}

function decide({ event: eventChange, order: orderChange, input }: Scene) {
  const event = { ...anEvent, ...eventChange }
  return decideMatch({
    event,
    isTest: false,
    gateway: null,
    codes: orderCodesOf(event),
    orders: [{ ...anOrder, ...orderChange }],
    receivingAccounts: ['0011000000001', '123456789'],
    likeness: null,
    limits: { minVnd: 10_000, maxVnd: 50_000_000 },
    rate: 1,
    now: after(6 * MINUTE_MS),
    ...input,
  })
}

function paidAfter(ms: number): Scene {
  return { event: { bookedAt: after(ms) }, input: { now: after(ms) } }
}

describe('is credited with what arrived', () => {
  test.each<[string, Scene, number, PaidStatus]>([
    ['the exact amount in time', {}, 50_000, 'paid'],
    ['a memo the bank has mangled', { event: { memo: 'MBVCB.3278.tcx7k2q f9xamm.CT tu' } }, 50_000, 'paid'],
    ['a code only in the full text', { event: { memo: '', fullText: 'GD TCX7K2QF9XAMM' } }, 50_000, 'paid'],
    ['a code the provider has read', { event: { memo: '', code: 'TCX7K2QF9XAMM' } }, 50_000, 'paid'],
    ['less than ordered', { event: { amountVnd: 49_999 } }, 49_999, 'paid_under'],
    ['the least there is', { event: { amountVnd: 10_000 } }, 10_000, 'paid_under'],
    ['more than ordered', { event: { amountVnd: 50_001 } }, 50_001, 'paid_over'],
    ['the most there is', { event: { amountVnd: 50_000_000 } }, 50_000_000, 'paid_over'],
    ['an expired order', { ...paidAfter(HOUR_MS), order: { status: 'expired' } }, 50_000, 'paid'],
    ['an order nobody has marked expired yet', paidAfter(HOUR_MS), 50_000, 'paid'],
    ['three days after the order', paidAfter(72 * HOUR_MS), 50_000, 'paid'],
    ['reported a week after it was paid in time', { input: { now: after(168 * HOUR_MS) } }, 50_000, 'paid'],
    ['booked by the day, at midnight before', { event: { bookedAt: after(-3 * HOUR_MS) } }, 50_000, 'paid'],
    ['booked ahead by the bank', { event: { bookedAt: after(100 * HOUR_MS) } }, 50_000, 'paid'],
    ['a new rate, but paid before the expiry', { input: { rate: 2 } }, 50_000, 'paid'],
    [
      'a new rate and an order marked expired, but paid before the expiry',
      { order: { status: 'expired' }, input: { rate: 2, now: after(HOUR_MS) } },
      50_000,
      'paid',
    ],
    [
      'the exact amount, though the minimum has been raised since',
      { input: { limits: { minVnd: 100_000, maxVnd: 50_000_000 } } },
      50_000,
      'paid',
    ],
    [
      'the exact amount, though the maximum has been lowered since',
      { input: { limits: { minVnd: 10_000, maxVnd: 20_000 } } },
      50_000,
      'paid',
    ],
    ['a bank that gives no reference', { event: { bankRef: null } }, 50_000, 'paid'],
  ])('%s', (_what, scene, amount, orderStatus) => {
    expect(decide(scene)).toEqual({ outcome: 'credit', orderCode: 'TCX7K2QF9XAMM', amount, orderStatus })
  })
})

describe('is left to a person', () => {
  test.each<[string, Scene, TransferReason]>([
    ['no code, though amount and account fit an open order', { event: { memo: 'nap tien' } }, 'no-code'],
    ['a code cut short', { event: { memo: 'TCX7K2QF9XAM' } }, 'no-code'],
    ['a mistyped code', { event: { memo: 'TCX7K2QF9XANM' } }, 'no-code'],
    ['two codes', { event: { memo: 'TCX7K2QF9XAMM TCXABCDEFGHJD' } }, 'two-codes'],
    ['one code in the memo, another in the full text', { event: { fullText: 'TCXABCDEFGHJD' } }, 'two-codes'],
    ['a code no order has, as from another installation', { input: { orders: [] } }, 'unknown-code'],
    ['a code whose order is not among those given', { order: { code: 'TCXABCDEFGHJD' } }, 'unknown-code'],
    ['money on our other account', { event: { accountNumber: '123456789' } }, 'wrong-account'],
    ['an order paid', { order: { status: 'paid' } }, 'order-already-paid'],
    ['an order paid in part', { order: { status: 'paid_under' } }, 'order-already-paid'],
    ['an order paid too much', { order: { status: 'paid_over' } }, 'order-already-paid'],
    [
      'an order with a credit, whatever its status',
      { order: { creditedTransfers: 1 } },
      'order-already-paid',
    ],
    ['an order cancelled', { order: { status: 'cancelled' } }, 'order-cancelled'],
    ['an order a person is looking at', { order: { status: 'review' } }, 'order-in-review'],
    ['a banned player', { order: { userBanned: true } }, 'user-banned'],
    ['a player who has gone', { order: { userDeleted: true } }, 'user-deleted'],
    ['a moment over three days', paidAfter(72 * HOUR_MS + 1), 'too-late'],
    [
      'a late notice with a time before the order was made',
      { event: { bookedAt: after(-1) }, input: { now: after(73 * HOUR_MS) } },
      'too-late',
    ],
    [
      'a late notice with a time still to come',
      { event: { bookedAt: after(80 * HOUR_MS) }, input: { now: after(73 * HOUR_MS) } },
      'too-late',
    ],
    [
      'paid after the expiry, at another rate',
      { event: { bookedAt: after(HOUR_MS) }, input: { rate: 2, now: after(HOUR_MS) } },
      'rate-changed',
    ],
    ['less than the minimum', { event: { amountVnd: 9_999 } }, 'below-minimum'],
    ['more than the maximum', { event: { amountVnd: 50_000_001 } }, 'above-maximum'],
    ['what may be a known transfer', { input: { likeness: { isCertain: false } } }, 'reference-conflict'],
    [
      'what may be a known transfer on an account that is not ours',
      { event: { accountNumber: '0011000000002' }, input: { orders: [], likeness: { isCertain: false } } },
      'reference-conflict',
    ],
    [
      'an account that is not ours, with the code of an order',
      { event: { accountNumber: '0011000000002' } },
      'foreign-account',
    ],
    [
      'an account that is not ours, with two codes',
      {
        event: { accountNumber: '0011000000002', memo: 'TCX7K2QF9XAMM TCXABCDEFGHJD' },
        input: { orders: [] },
      },
      'foreign-account',
    ],
  ])('%s', (_what, scene, reason) => {
    expect(decide(scene)).toEqual({ outcome: 'review', reason })
  })
})

describe('is ignored', () => {
  test.each<[string, Scene, IgnoreReason]>([
    ['the trial call', { input: { isTest: true } }, 'test-ping'],
    ['money going out, a reversal among it', { event: { direction: 'out' } }, 'outgoing'],
    [
      'an account that is not ours',
      { event: { accountNumber: '0011000000002' }, input: { orders: [] } },
      'foreign-account',
    ],
    ['any account, while none is set', { input: { receivingAccounts: [], orders: [] } }, 'foreign-account'],
    ['what is certainly a known transfer', { input: { likeness: { isCertain: true } } }, 'same-transfer'],
  ])('%s', (_what, scene, reason) => {
    expect(decide(scene)).toEqual({ outcome: 'ignore', reason })
  })

  test('even where everything else would call for a credit or a person', () => {
    const doubtful = { memo: '', amountVnd: 1 }
    expect(decide({ event: { ...doubtful, direction: 'out' } })).toMatchObject({ outcome: 'ignore' })
    expect(decide({ event: doubtful, input: { isTest: true } })).toMatchObject({ outcome: 'ignore' })
  })
})

describe('an account with a virtual one on it', () => {
  const VIRTUAL = 'VQRQ00012345'
  const told = { accountNumber: '0011000000009', virtualAccount: VIRTUAL }

  test.each<[string, Scene]>([
    ['the virtual number in its QR', { event: told, order: { accountNumber: VIRTUAL } }],
    ['the main number in its QR', { event: { virtualAccount: VIRTUAL } }],
    [
      'a number that was taken out of the settings',
      { event: told, order: { accountNumber: VIRTUAL }, input: { receivingAccounts: [] } },
    ],
  ])('is that of the order with %s', (_what, scene) => {
    expect(decide(scene)).toMatchObject({ outcome: 'credit', orderCode: 'TCX7K2QF9XAMM' })
  })

  test('is ours by either number, and another one than the order’s', () => {
    expect(decide({ event: { ...told, accountNumber: '123456789' } })).toEqual({
      outcome: 'review',
      reason: 'wrong-account',
    })
    expect(decide({ event: told, input: { receivingAccounts: [VIRTUAL] } })).toEqual({
      outcome: 'review',
      reason: 'wrong-account',
    })
  })
})

describe('a payment at MoMo’s gateway', () => {
  const atGateway = ({ event, order, input }: Scene): Scene => ({
    event: {
      provider: 'momo',
      accountNumber: 'MOMONINJA',
      code: 'TCX7K2QF9XAMM',
      memo: 'Nạp TCoin',
      fullText: 'request-1',
      ...event,
    },
    order: { channel: 1, accountNumber: 'PSP210000000000001', ...order },
    input: { gateway: { requestId: 'request-1' }, receivingAccounts: ['MOMONINJA'], ...input },
  })

  test.each<[string, Scene]>([
    ['without an order', {}],
    ['for the order made by the same request', { order: { requestId: 'request-1' } }],
    ['whose words name another order', { event: { memo: 'TCXABCDEFGHJD' } }],
  ])('is credited to the MoMo order it names, %s', (_what, scene) => {
    expect(decide(atGateway(scene))).toEqual({
      outcome: 'credit',
      orderCode: 'TCX7K2QF9XAMM',
      amount: 50_000,
      orderStatus: 'paid',
    })
  })

  test.each<[string, Scene, TransferReason]>([
    ['with less than was ordered', { event: { amountVnd: 49_999 } }, 'wrong-amount'],
    ['with more than was ordered', { event: { amountVnd: 50_001 } }, 'wrong-amount'],
    ['with less than the minimum', { event: { amountVnd: 9_999 } }, 'wrong-amount'],
    ['for an order of a bank', { order: { channel: 2 } }, 'wrong-account'],
    ['that answers another request', { order: { requestId: 'request-2' } }, 'wrong-request'],
    ['for an order nobody has', { input: { orders: [] } }, 'unknown-code'],
    ['for an order that is not one of ours', { event: { code: 'MM1540456472575' } }, 'unknown-code'],
    ['for a code with something behind it', { event: { code: 'TCX7K2QF9XAMM-1' } }, 'unknown-code'],
    [
      'for nothing, with a code in its words',
      { event: { code: null, memo: 'TCX7K2QF9XAMM' } },
      'unknown-code',
    ],
    ['for an order that is paid', { order: { status: 'paid' } }, 'order-already-paid'],
  ])('waits for a person %s', (_what, scene, reason) => {
    expect(decide(atGateway(scene))).toEqual({ outcome: 'review', reason })
  })
})
