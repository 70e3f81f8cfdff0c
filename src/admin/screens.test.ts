import { expect, test } from 'vitest'
import { SCREEN_PATHS } from '#contract/operator/screen-paths.ts'
import { type Screen, screens } from './screens.ts'

const all = Object.values<Screen>(screens)

test('each letter of the keyboard opens one screen only', () => {
  const letters = all.flatMap(({ letter }) => letter ?? [])
  expect(letters.toSorted()).toEqual([...new Set(letters)].toSorted())
})

test('each address that the server answers has one screen', () => {
  const paths = all.map(({ path }) => path)
  expect(paths.toSorted()).toEqual(SCREEN_PATHS.toSorted())
  expect(paths).toEqual([...new Set(paths)])
})

test('each entry of the menu has a drawing of its own', () => {
  const icons = all.filter(({ group }) => group !== undefined).map(({ icon }) => icon)
  expect(icons).not.toContain(undefined)
  expect(icons).toEqual([...new Set(icons)])
})
