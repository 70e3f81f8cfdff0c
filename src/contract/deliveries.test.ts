import { expect, test } from 'vitest'
import { GIFT_PACKAGES } from './gift-packages.ts'
import { goodInWords, goodsInWords } from './deliveries.ts'

test('goods are named as players know them', () => {
  expect(goodsInWords([{ kind: 'luong', quantity: 3_300 }])).toBe('3,300 lượng')
  const names: Record<string, string> = { pet: 'thú cưng', companion: 'bạn đồng hành' }
  const goods = GIFT_PACKAGES.at(-1)!.items.map(({ good }) =>
    good.code === undefined ? good : { ...good, name: names[good.code] },
  )
  expect(goodsInWords(goods)).toBe('35,000 lượng, 99,999,999 yên, thú cưng và bạn đồng hành 7 ngày')
  expect(goodInWords({ kind: 'item', code: 'pet', name: 'thú cưng', quantity: 2, days: 3 })).toBe(
    '2 thú cưng 3 ngày',
  )
})

test('goods without a Vietnamese name are shown by the game’s code', () => {
  expect(goodInWords({ kind: 'item', code: 'scroll-9', quantity: 1 })).toBe('vật phẩm scroll-9')
})
