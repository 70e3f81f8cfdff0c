import { expect, test } from 'vitest'
import { isPixelPath } from '#contract/pixel.ts'

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
