import { expect, test } from 'vitest'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { priceNow, readApplied, textOf } from './game-record.rules.ts'

const id = '7f0d3c1e-58a4-4b7e-9d2f-1c6a90b4e8d5'
const goods = [{ kind: 'luong' as const, quantity: 3_300 }]
const nothing = { account: null, characterId: null, goods: null, at: null }

test.each([
  [id, { id, ...nothing }],
  [` ${id.toUpperCase()}\t`, { id, ...nothing }],
  [JSON.stringify({ id }), { id, ...nothing }],
  [
    JSON.stringify({
      id,
      status: 'applied',
      account: 'hoangtuan',
      character_id: '1',
      goods,
      at: '2026-11-22',
      more: 1,
    }),
    { id, account: 'hoangtuan', characterId: '1', goods, at: '2026-11-22' },
  ],
  [JSON.stringify({ id, status: 'refused' }), null],
  [JSON.stringify({ id, goods: 'three' }), null],
  ['{"id":', null],
  ['', null],
  ['id', null],
  [`{"id":"${id}","account":"${'a'.repeat(30_000)}"}`, null],
])('a line of the game’s record %#', (line, read) => {
  expect(readApplied(line)).toEqual(read)
})

test('goods have the price at which the same goods are sold now', () => {
  const terms = { exchangeRate: 30, exchangeBonusPercent: 10, exchangeAmounts: [10_000, 50_000] }
  expect(priceNow(goods, terms)).toBe(10_000)
  expect(priceNow([{ kind: 'luong', quantity: 3_000 }], terms)).toBe(null)
  for (const { amount, items } of GIFT_PACKAGES) {
    const given = items.map(({ good }) => good)
    expect(priceNow(given, terms)).toBe(amount)
    expect(priceNow(given.slice(1), terms)).toBe(null)
  }
  expect(textOf([...goods, { kind: 'item', code: 'companion', quantity: 1, days: 3 }])).toBe(
    '3300 luong, 1 companion for 3 days',
  )
})
