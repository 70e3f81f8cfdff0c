import { expect, test } from 'vitest'
import { cutToast } from '#web/parts/outcomes/announce.ts'

test('a text of 110 characters is shown whole, the next one is cut', () => {
  const whole = 'ệ'.repeat(110)
  expect(cutToast(whole)).toEqual({ text: whole, isCut: false })
  expect(cutToast(`${whole}x`)).toEqual({ text: whole, isCut: true })
})

test('a picture letter is never cut in half', () => {
  const { text } = cutToast('🥷'.repeat(111))
  expect(text).toBe('🥷'.repeat(110))
})
