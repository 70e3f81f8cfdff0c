import { expect, test } from 'vitest'
import { isPixelPath, pages, paths, patternOf, POST_SEARCH_MAX, postSearch } from './pages.ts'

test('an address is made of its pattern, with its value or without', () => {
  expect(paths.home).toBe('/home')
  expect(paths.post('7')).toBe('/post/7')
  expect(paths.deliveries()).toBe('/user/deliveries')
  expect(paths.deliveries('a-1')).toBe('/user/deliveries/a-1')
  expect(paths.password('secret')).toBe('/password/secret')
  expect(paths.olderInCategory('2', '7')).toBe('/category/2/7')
  expect(['1', '2'].map(paths.tournament)).toEqual(['/tournament/1', '/tournament/2'])
})

test('a numbered page is known by its number', () => {
  const post = new RegExp(`^${patternOf(pages.post)}$`)
  expect(post.exec('/post/12')?.[1]).toBe('12')
  for (const path of ['/post/0', '/post/012', '/post/x', '/post/1/', `/post/${'1'.repeat(19)}`])
    expect(post.test(path), path).toBe(false)
})

test('no two pages share an address, and only what everybody may open is listed or holds the pixel', () => {
  const entries = Object.values(pages)
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length)
  const shown = entries.filter((entry) => 'isListed' in entry || 'hasPixel' in entry)
  expect(new Set(shown.map(({ access }) => access))).toEqual(new Set(['open']))
})

test.each([
  '/home',
  '/post/12',
  '/category/3',
  '/community',
  '/download',
  '/download/ios',
  '/tournament/5',
  '/category/3/12',
])('the pixel may load at %s', (path) => {
  expect(isPixelPath(path)).toBe(true)
})

test.each([
  '/recharge',
  '/recharge/THN123',
  '/exchange',
  '/gift',
  '/user/profile',
  '/user/transactions',
  '/ranking',
  '/sandbox',
  '/login',
  '/register',
  '/forgot',
  '/password/abc',
  '/404',
  '/home/../recharge',
  '/post/1/../../recharge',
  '/',
])('and never at %s', (path) => {
  expect(isPixelPath(path)).toBe(false)
})

test('however it is typed, a search has one form', () => {
  for (const typed of [
    'nạp tcoin',
    '  Nạp   TCoin ',
    'NẠP\tTCOIN\n',
    'Nạp TCoin'.normalize('NFD'),
    'nạp/tcoin?',
    'nạp-tcoin…',
  ]) {
    expect(postSearch(typed)).toBe('nạp tcoin')
  }
})

test('a search is never longer than what counts, and a second pass changes nothing', () => {
  const long = postSearch('đường '.repeat(40))
  expect([...long].length).toBeLessThanOrEqual(POST_SEARCH_MAX)
  expect(postSearch(long)).toBe(long)
  expect(postSearch(' ../ ')).toBe('')
})
