import { expect, test } from 'vitest'
import { judgeVisit } from '#web/session/guard.ts'

test.each(['unknown', 'anonymous', 'checking', 'player'] as const)(
  'an open page shows to everybody (%s)',
  (status) => {
    expect(judgeVisit('open', status)).toEqual({ show: true })
  },
)

test.each(['unknown', 'checking'] as const)(
  'nobody is sent away before it is known who they are (%s)',
  (status) => {
    expect(judgeVisit('player', status)).toEqual({ wait: true })
    expect(judgeVisit('guest', status)).toEqual({ wait: true })
  },
)

test('players see their pages, visitors are led to the login', () => {
  expect(judgeVisit('player', 'player')).toEqual({ show: true })
  expect(judgeVisit('player', 'anonymous')).toEqual({ goTo: '/login' })
})

test('login and register are for visitors; players are led home', () => {
  expect(judgeVisit('guest', 'anonymous')).toEqual({ show: true })
  expect(judgeVisit('guest', 'player')).toEqual({ goTo: '/home' })
})
