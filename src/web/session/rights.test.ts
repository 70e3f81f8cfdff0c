import { expect, test } from 'vitest'
import { hasPermission, hasRole } from '#web/session/rights.ts'

test('a player has a role if they hold any of those listed', () => {
  const referee = { role_names: ['referee', 'support'] }
  expect(hasRole(referee, ['owner', 'support'])).toBe(true)
  expect(hasRole(referee, ['owner', 'editor'])).toBe(false)
  expect(hasRole(referee, [])).toBe(false)
  expect(hasRole({ role_names: [] }, ['owner', 'support'])).toBe(false)
})

test('a permission is held by its whole name only', () => {
  const editor = { permission_names: ['posts.read', 'posts.write'] }
  expect(hasPermission(editor, 'posts.write')).toBe(true)
  expect(hasPermission(editor, 'posts')).toBe(false)
  expect(hasPermission(editor, 'settings.write')).toBe(false)
  expect(hasPermission({ permission_names: [] }, 'posts.write')).toBe(false)
})
