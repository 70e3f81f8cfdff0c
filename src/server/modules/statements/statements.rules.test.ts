import { describe, expect, test } from 'vitest'
import { type Transaction, TRANSACTION_TYPES } from '#contract/transactions.ts'
import { csvLine } from '#server/platform/values/csv.rules.ts'
import {
  describeEntry,
  KINDS_OF_TYPE,
  toTransaction,
  transactionType,
  type StatementEntry,
  type StatementKind,
} from './statements.rules.ts'
import { CSV_HEADINGS, transactionCells } from './statements.service.ts'

const anEntry: StatementEntry = {
  transferId: '42',
  createdAt: new Date('2026-11-20T17:00:00Z'),
  kind: 'p2p',
  amount: -50_000,
  balanceAfter: 30_000,
  counterparty: 'LinhKunai',
  orderCode: null,
  bonus: null,
  giftCode: null,
  reversesId: null,
  delivery: null,
}

const aDelivery = {
  id: '00000000-0000-4000-8000-000000000001',
  state: 'sending',
  characterName: 'Kage',
  luong: 16_500,
  isUncollected: false,
}

const about = (change: Partial<StatementEntry>) =>
  toTransaction({ ...anEntry, counterparty: null, ...change })

describe('what a player reads about an entry', () => {
  test('a payment to another player', () => {
    expect(toTransaction(anEntry)).toEqual({
      id: '42',
      created_at: '2026-11-20T17:00:00.000Z',
      type: 'transfer_out',
      amount: -50_000,
      balance_after: 30_000,
      description: 'Chuyển TCoin cho LinhKunai',
      counterparty: 'LinhKunai',
      status: 'completed',
      reference: '42',
    })
  })

  test.for<[Partial<StatementEntry>, object]>([
    [
      { kind: 'p2p', amount: 5, counterparty: 'LinhKunai' },
      { type: 'transfer_in', description: 'Nhận TCoin từ LinhKunai', reference: '42' },
    ],
    [
      { kind: 'recharge', amount: 5, orderCode: 'TCX7K2QF9XAMM' },
      { type: 'recharge', description: 'Nạp TCoin theo đơn TCX7K2QF9XAMM', reference: 'TCX7K2QF9XAMM' },
    ],
    [
      { kind: 'recharge', amount: 5 },
      { type: 'recharge', description: 'Nạp TCoin', reference: '42' },
    ],
    [
      { kind: 'activation' },
      { type: 'activation', description: 'Phí kích hoạt tài khoản', status: 'completed' },
    ],
    [
      { kind: 'exchange_hold', delivery: aDelivery },
      {
        type: 'exchange',
        description: 'Đổi 16,500 lượng cho nhân vật Kage',
        status: 'pending',
        reference: aDelivery.id,
      },
    ],
    [{ kind: 'exchange_hold', delivery: { ...aDelivery, state: 'delivered' } }, { status: 'delivered' }],
    [
      { kind: 'exchange_hold', delivery: { ...aDelivery, state: 'delivered', isUncollected: true } },
      { status: 'sent' },
    ],
    [{ kind: 'exchange_hold', delivery: { ...aDelivery, state: 'refunded' } }, { status: 'refunded' }],
    [{ kind: 'exchange_hold', delivery: { ...aDelivery, state: 'parked' } }, { status: 'pending' }],
    [{ kind: 'exchange_hold', delivery: { ...aDelivery, state: 'unknown' } }, { status: 'pending' }],
    [
      { kind: 'exchange_refund', amount: 5, delivery: { ...aDelivery, state: 'refunded' } },
      { type: 'refund', description: 'Hoàn TCoin đổi 16,500 lượng cho nhân vật Kage', status: 'completed' },
    ],
    [
      { kind: 'gift_hold', delivery: { ...aDelivery, luong: 2_999 } },
      { type: 'gift', description: 'Mua quà tân thủ cho nhân vật Kage', status: 'pending' },
    ],
    [
      { kind: 'gift_refund', amount: 5, delivery: { ...aDelivery, state: 'refunded' } },
      { type: 'refund', description: 'Hoàn TCoin mua quà tân thủ cho nhân vật Kage', status: 'completed' },
    ],
    [
      { kind: 'adjustment', amount: 5 },
      { type: 'adjustment', description: 'Điều chỉnh số dư' },
    ],
    [
      { kind: 'reversal', amount: 5, reversesId: '41' },
      { type: 'adjustment', description: 'Hủy giao dịch số 41' },
    ],
    [
      { kind: 'debt', amount: 5 },
      { type: 'adjustment', description: 'Ghi nợ phần TCoin đã dùng của khoản nạp bị thu hồi' },
    ],
    [
      { kind: 'debt_settle', amount: -5 },
      { type: 'adjustment', description: 'Trả nợ TCoin của khoản nạp bị thu hồi' },
    ],
    [
      { kind: 'opening', amount: 5 },
      { type: 'adjustment', description: 'Số dư chuyển sang từ cổng cũ' },
    ],
  ])('%o', ([change, expected]) => {
    expect(about(change)).toMatchObject(expected)
  })

  test('a name is only given where there is another player', () => {
    expect(about({ kind: 'activation' })).not.toHaveProperty('counterparty')
    expect(describeEntry({ ...anEntry, counterparty: null })).toBe('Chuyển TCoin cho người chơi khác')
  })
})

test('a filter and a type agree: every kind is in exactly one type', () => {
  for (const type of TRANSACTION_TYPES) {
    const { kinds, sign }: { kinds: readonly StatementKind[]; sign?: 'in' | 'out' } = KINDS_OF_TYPE[type]
    for (const kind of kinds) {
      expect(transactionType({ kind, amount: sign === 'in' ? 1 : -1 })).toBe(type)
    }
  }
  const kinds = TRANSACTION_TYPES.flatMap((type) => KINDS_OF_TYPE[type].kinds)
  expect(kinds.filter((kind) => kind !== 'p2p')).toHaveLength(new Set(kinds).size - 1)
  expect(kinds.filter((kind) => kind === 'p2p')).toHaveLength(2)
})

test('a line of the file has what the page shows, in Vietnam time', () => {
  const transaction: Transaction = {
    ...toTransaction(anEntry),
    id: '7',
    created_at: '2026-11-20T17:30:00.000Z',
    reference: '7',
  }
  const line = csvLine(transactionCells(transaction))
  expect(line).toBe(
    "'2026-11-21 00:30:00,Chuyển TCoin,-50000,30000,Chuyển TCoin cho LinhKunai,LinhKunai,Hoàn tất,7\r\n",
  )
  expect(transactionCells(transaction)).toHaveLength(CSV_HEADINGS.length)
  const { counterparty: _, ...alone } = { ...transaction, type: 'gift', status: 'pending' } as const
  expect(csvLine(transactionCells(alone))).toContain(
    ',Quà tân thủ,-50000,30000,Chuyển TCoin cho LinhKunai,,Đang giao,7',
  )
})
