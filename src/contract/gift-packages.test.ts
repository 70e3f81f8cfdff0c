import { expect, test } from 'vitest'
import { findGiftPackage, GIFT_PACKAGES } from './gift-packages.ts'

test.each([
  [9_999, 2_999, 9_999_999, null],
  [19_999, 5_999, 19_999_999, null],
  [49_999, 15_999, 39_999_999, 3],
  [99_999, 35_000, 99_999_999, 7],
])('the package of %i TCoin brings what it shows', (id, luong, yen, companionDays) => {
  const bought = findGiftPackage(id)!
  expect(bought.amount).toBe(id)
  expect(bought.items.map(({ good }) => good)).toEqual([
    { kind: 'luong', quantity: luong },
    { kind: 'yen', quantity: yen },
    { kind: 'item', code: 'pet', quantity: 1 },
    ...(companionDays === null
      ? []
      : [{ kind: 'item', code: 'companion', quantity: 1, days: companionDays }]),
  ])
  expect(
    bought.items.map(({ name, quantity }) => (quantity === undefined ? name : `${quantity} ${name}`)),
  ).toEqual([
    `${luong} Lượng`,
    `${yen} Yên`,
    'Thú cưng',
    ...(companionDays === null ? [] : [`Bạn đồng hành ${companionDays} ngày`]),
  ])
})

test('there are four packages, and nothing else is one', () => {
  expect(GIFT_PACKAGES.map(({ id }) => id)).toEqual([9_999, 19_999, 49_999, 99_999])
  expect(new Set(GIFT_PACKAGES.map(({ title }) => title)).size).toBe(4)
  for (const id of [0, 1, 9_998, 10_000, -9_999, 9_999.5, Number.NaN])
    expect(findGiftPackage(id)).toBeUndefined()
})
