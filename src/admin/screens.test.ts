import { expect, test } from 'vitest'
import type { Screen } from '#admin/screen.ts'
import { screens } from '#admin/screens.ts'

const all = Object.values<Screen>(screens)

test('each letter of the keyboard opens one screen only', () => {
  const letters = all.flatMap(({ letter }) => letter ?? [])
  expect(letters.toSorted()).toEqual([...new Set(letters)].toSorted())
})

test('no two screens have the same address', () => {
  const paths = all.map(({ path }) => path)
  expect(paths).toEqual([...new Set(paths)])
})
