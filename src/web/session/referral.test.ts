import { afterEach, expect, test, vi } from 'vitest'
import { readReferral, rememberReferral } from '#web/session/referral.ts'

afterEach(() => vi.unstubAllGlobals())

test('an invitation is stored for exactly seven days and cannot write a cookie of its own', () => {
  const page = { cookie: '' }
  vi.stubGlobal('document', page)
  rememberReferral('hoang; Path=/x')
  expect(page.cookie).toBe('referral_id=hoang%3B%20Path%3D%2Fx; Max-Age=604800; Path=/; SameSite=Lax')
})

test('the invitation is read back out of all cookies', () => {
  expect(readReferral('a=1; referral_id=hoang%3B%20Path%3D%2Fx; b=2')).toBe('hoang; Path=/x')
  expect(readReferral('a=1; my_referral_id=5')).toBeNull()
  expect(readReferral('referral_id=')).toBeNull()
  expect(readReferral('referral_id=%E0%A4%A')).toBeNull()
})
