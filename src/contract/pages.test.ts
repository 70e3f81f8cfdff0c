import { expect, test } from 'vitest'
import { pages, paths, patternOf } from '#contract/pages.ts'

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
