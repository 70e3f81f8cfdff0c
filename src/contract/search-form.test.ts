import { expect, test } from 'vitest'
import { beginsWith, holdsWords, patternsOfWords, searchForm } from './search-form.ts'

test.each([
  ['  Đổi   LƯỢNG ', 'doi luong'],
  ['Đổi lượng'.normalize('NFD'), 'doi luong'],
  ['Nạp\u00a0thẻ\u200b', 'nap the'],
  ['ĂÂĐÊÔƠƯ', 'aadeoou'],
  ['50%_\\', '50%_\\'],
])('%j is searched by as %j', (text, form) => expect(searchForm(text)).toBe(form))

test('what means something to LIKE is only itself', () => {
  expect(patternsOfWords('50%  _x')).toEqual(['%50\\%%', '%\\_x%'])
  expect(beginsWith("'0912%")).toBe('0912\\%%')
})

test('a text holds the words in any order, and no other', () => {
  expect(holdsWords('Sự kiện Đổi Lượng', ['luong', 'doi'])).toBe(true)
  expect(holdsWords('Sự kiện Đổi Lượng', ['luong', 'nap'])).toBe(false)
  expect(holdsWords('bất kì', [])).toBe(true)
})
