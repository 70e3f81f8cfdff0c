import { expect, test } from 'vitest'
import { NAMES_AT_ONCE } from '#contract/operator/game/names.ts'
import { pastedCopy, readPasted } from './pasted-names.ts'

const item = (code: string, name: string) => ({ code, name, short: '' })

test.each([
  ['commas', '7,Kiếm gỗ\n8, Kiếm sắt '],
  ['semicolons', '7;Kiếm gỗ\r\n8;Kiếm sắt\r\n'],
  ['a spreadsheet', '7\tKiếm gỗ\n\n8\tKiếm sắt'],
  [
    'a file of the list',
    '\uFEFFMã,Tên,Tên ngắn,Game gọi là,Loại\n7,Kiếm gỗ,,sword,Vật phẩm\n8,Kiếm sắt,,,Vật phẩm',
  ],
])('lines with %s are read', (_, text) => {
  expect(readPasted(text, 'item')).toEqual({
    names: [item('7', 'Kiếm gỗ'), item('8', 'Kiếm sắt')],
    problem: null,
  })
})

test('a name in quotes may have the separator and quotes in it', () => {
  expect(readPasted('9,"Đá ""Hồng"", loại 1"', 'item').names).toEqual([item('9', 'Đá "Hồng", loại 1')])
})

test('a class also has a short name', () => {
  expect(readPasted('7,Song kiếm,S.kiếm', 'class').names).toEqual([
    { code: '7', name: 'Song kiếm', short: 'S.kiếm' },
  ])
})

test.each([
  ['', pastedCopy.noLines],
  ['7,Kiếm gỗ\n8', pastedCopy.noName(2)],
  [',Kiếm gỗ', pastedCopy.noName(1)],
  ['7,Kiếm gỗ\n7,Kiếm sắt', pastedCopy.twice('7')],
  [Array.from({ length: NAMES_AT_ONCE + 1 }, (_, code) => `${code},Tên`).join('\n'), pastedCopy.tooMany],
])('%j is refused', (text, problem) => {
  expect(readPasted(text, 'item').problem).toBe(problem)
})
