import { expect, test } from 'vitest'
import { accessDecision, hasPermission, hasRole } from '#web/session/access.ts'

test.each(['unknown', 'anonymous', 'checking', 'player'] as const)(
  'an open page shows to everybody (%s)',
  (status) => {
    expect(accessDecision('open', status)).toEqual({ show: true })
  },
)

test.each(['unknown', 'checking'] as const)(
  'nobody is sent away before it is known who they are (%s)',
  (status) => {
    expect(accessDecision('player', status)).toEqual({ wait: true })
    expect(accessDecision('guest', status)).toEqual({ wait: true })
  },
)

test('players see their pages, visitors are led to the login', () => {
  expect(accessDecision('player', 'player')).toEqual({ show: true })
  expect(accessDecision('player', 'anonymous')).toEqual({ goTo: '/login' })
})

test('login and register are for visitors; players are led home', () => {
  expect(accessDecision('guest', 'anonymous')).toEqual({ show: true })
  expect(accessDecision('guest', 'player')).toEqual({ goTo: '/home' })
})

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
