import { expect, test } from 'vitest'
import { pages } from '#contract/pages.ts'
import { findPage } from '#web/router.tsx'

test.each([
  ['/home', 'home', {}],
  ['/HOME/', 'home', {}],
  ['/home/990', 'olderPosts', { before: '990' }],
  ['/category/2/990', 'olderInCategory', { id: '2', before: '990' }],
  ['/terms', 'terms', {}],
  ['/terms/3', 'terms', { version: '3' }],
  ['/recharge/claim', 'claim', {}],
  ['/recharge/NAP%2012', 'order', { code: 'NAP 12' }],
  ['/password/%E0%A4%A', 'password', { token: '%E0%A4%A' }],
  ['/khong/co', 'unknown', {}],
  ['/', 'unknown', {}],
])('the page at %s is %s', (path, name, params) => {
  const found = findPage(path)
  expect(found.name).toBe(name)
  expect(found.params).toMatchObject(params)
})

test('each page is found at its own address', () => {
  for (const [name, { path }] of Object.entries(pages)) {
    expect(findPage(path === '*' ? '/khong/co' : path.replace(/\/:(\w+)\??/g, '/7')).name).toBe(name)
  }
})
