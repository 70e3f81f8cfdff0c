import { expect, test } from 'vitest'
import { whyNotTaken } from './catalogue.ts'

const catalogue = { items: [{ code: 'pet', name: 'Thú cưng', max: 3 }], max: { luong: 1_000, yen: 2_000 } }
const pets = (quantity: number) => ({ kind: 'item', code: 'pet', quantity }) as const

test.for([
  [[{ kind: 'luong', quantity: 1_000 }, pets(3)], null],
  [[{ kind: 'luong', quantity: 1_001 }], 'Mỗi lần game nhận tối đa 1,000 lượng'],
  [[{ kind: 'yen', quantity: 2_001 }], 'Mỗi lần game nhận tối đa 2,000 yên'],
  [[pets(4)], 'Mỗi lần game nhận tối đa 3 Thú cưng'],
  // Two lines of one good are one quantity of it.
  [[pets(2), pets(2)], 'Mỗi lần game nhận tối đa 3 Thú cưng'],
  [[{ kind: 'item', code: 'thu-cung', quantity: 1 }], 'Game không có vật phẩm “thu-cung”'],
  // A code counts exactly as the game writes it.
  [[{ kind: 'item', code: 'Pet', quantity: 1 }], 'Game không có vật phẩm “Pet”'],
] as const)('goods %j: %s', ([goods, why]) => {
  expect(whyNotTaken(catalogue, goods)).toBe(why)
})
