import { expect, test } from 'vitest'
import { secretForms } from './secret-forms.ts'

test('a secret without marks has one form', () => {
  expect(secretForms('Abc 123!')).toEqual(['Abc 123!'])
})

test('a secret with marks has the form of today first, whichever way it was typed', () => {
  const composed = 'tiếng Việt ở đây'
  const asWindows = 'tiê\u0301ng Viê\u0323t ơ\u0309 đây'
  const forms = [composed, composed.normalize('NFD'), asWindows]
  for (const typed of forms) {
    expect(secretForms(typed)[0]).toBe(composed)
    expect([...secretForms(typed)].sort()).toEqual([...forms].sort())
  }
})

test('an odd order of marks is tried as it was typed', () => {
  const typed = 'a\u0301\u0323'
  expect(secretForms(typed)).toContain(typed)
  expect(secretForms(typed).length).toBeLessThanOrEqual(4)
})
