import { expect, test } from 'vitest'
import { type Screen, screens } from '#admin/screens.ts'
import { matchPlaces, placesOf } from './places.ts'
import { settingPlaces } from './setting-places.ts'

const all = [...placesOf(Object.values<Screen>(screens), () => true), ...settingPlaces]
const found = (typed: string) => matchPlaces(all, typed).map(({ kind, title }) => `${kind} ${title}`)

test.each([
  ['khuyen mai', 'screen Khuyến mãi', 'act Lập khuyến mãi'],
  ['KHUYẾN  mãi', 'screen Khuyến mãi', 'act Lập khuyến mãi'],
  ['khuyến mãi'.normalize('NFD'), 'screen Khuyến mãi', 'act Lập khuyến mãi'],
  ['lap khuyen', 'act Lập khuyến mãi'],
  ['khóa tài khoản', 'act Khóa tài khoản'],
  ['bao tri', 'screen Bảo trì', 'act Đóng một phần của cổng để bảo trì'],
  ['giftcode', 'screen Mã quà', 'act Tạo đợt mã quà'],
  ['dieu chinh', 'act Điều chỉnh số dư'],
  ['tai khoan nhan momo', 'setting Tài khoản nhận MoMo'],
])('by “%s” the search box finds %s', (typed, ...expected) => {
  expect(found(typed)).toEqual(expect.arrayContaining(expected))
})

test('what has the typed words in its title comes before what is only called so, and not everything is shown', () => {
  expect(found('khuyen mai').slice(0, 2)).toEqual(['screen Khuyến mãi', 'act Lập khuyến mãi'])
  expect(found('khuyen mai').at(-1)).toBe('act Lập ngân sách')
  expect(found('t').length).toBe(8)
})

test.each(['', '  ', '!', 'khuyen zzz', 'huyen mai'])('by “%s” nothing is found', (typed) => {
  expect(found(typed)).toEqual([])
})

test('an act is offered with its own permission only, and a screen about one thing never', () => {
  const titles = placesOf(Object.values<Screen>(screens), (permission) => permission !== 'users.ban').map(
    ({ title }) => title,
  )
  expect(titles).not.toContain('Khóa tài khoản')
  expect(titles).toContain('Điều chỉnh số dư')
  expect(titles).not.toContain('Khoản chuyển')
})
