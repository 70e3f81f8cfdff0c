import { expect, test } from 'vitest'
import { outcomeOfAnswer } from './game-bridge.rules.ts'

test.each([
  [200, { status: 'applied' }, { kind: 'applied' }],
  [409, {}, { kind: 'conflict' }],
  [422, { status: 'refused', reason: 'bag-full' }, { kind: 'refused', reason: 'bag-full' }],
  [422, { status: 'refused' }, { kind: 'refused', reason: 'no reason given' }],
  [429, null, { kind: 'not-received', cause: 'HTTP 429' }],
  [503, null, { kind: 'not-received', cause: 'HTTP 503' }],
])('the contract’s answer %i %j means %j', (status, body, outcome) => {
  expect(outcomeOfAnswer(status, body)).toEqual(outcome)
})

type Body = { status?: string; reason?: string; message?: string } | null

test.each<[number, Body]>([
  [200, null],
  [200, { status: 'ok' }],
  [202, { status: 'applied' }],
  [204, null],
  [400, {}],
  [401, {}],
  [403, { status: 'refused' }],
  [404, {}],
  [422, { message: 'from a proxy' }],
  [500, { status: 'applied' }],
  [502, null],
  [504, null],
])('anything else proves nothing: %i %j', (status, body) => {
  expect(outcomeOfAnswer(status, body)).toEqual({ kind: 'unknown', cause: `HTTP ${status}` })
})
