import { expect, test } from 'vitest'
import { calendarAsTyped, calendarIn, goodsAsTyped, goodsIn, readCalendar } from './goods.ts'

test.for([
  '100 lượng',
  '2,000 yên',
  '1 thu-cung 7 ngày',
  '100 lượng + 2,000 yên + 3 DA_NANG_CAP + 1 thu-cung 30 ngày',
])('%s is read, and written the same', (text) => {
  expect(goodsAsTyped(goodsIn(text) ?? [])).toBe(text)
})

test.for([
  '',
  'lượng',
  '0 lượng',
  '100',
  '100 lượng 7 ngày',
  '1 thu cung',
  '100 lượng +',
  '1 thu-cung 400 ngày',
  '1 lượng + 1 lượng + 1 lượng + 1 lượng + 1 lượng + 1 lượng',
])('“%s” is no goods', (text) => {
  expect(goodsIn(text)).toBeNull()
})

test('letters with marks of their own and other spellings are read too', () => {
  expect(goodsIn(' 1.000 lươ\u0323ng+5 YEN ')).toEqual([
    { kind: 'luong', quantity: 1_000 },
    { kind: 'yen', quantity: 5 },
  ])
})

test('a calendar is written with days that are alike on one line, and read back', () => {
  const typed = '1-6: 50 lượng\n7: 500 lượng + 2,000 yên\n8-30: 60 lượng\n31: 1 thu-cung 7 ngày'
  const calendar = calendarIn(typed)
  expect(calendar).toHaveLength(31)
  expect(calendarAsTyped(calendar ?? [])).toBe(typed)
  expect(readCalendar(JSON.stringify(calendar))).toEqual(calendar)
})

test.for([
  '',
  '1-30: 5 lượng',
  '1-31: 5 lượng\n7: 6 lượng',
  '0-31: 5 lượng',
  '1-32: 5 lượng',
  '31-1: 5 lượng',
  '1-31: 5 vàng khối',
])('“%s” is no calendar', (typed) => {
  expect(calendarIn(typed)).toBeNull()
})

test.for([
  '',
  '[]',
  'null',
  '{',
  JSON.stringify(Array.from({ length: 30 }, () => [{ kind: 'yen', quantity: 1 }])),
])('the text %s is no stored calendar', (text) => {
  expect(readCalendar(text)).toBeNull()
})
