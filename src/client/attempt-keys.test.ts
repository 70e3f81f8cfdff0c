import { expect, test } from 'vitest'
import { createAttemptKeys } from '#client/attempt-keys.ts'
import { CallError } from '#client/call.ts'

function counted() {
  let made = 0
  return createAttemptKeys(() => `key-${++made}`)
}

const refusal = (status: number, code: 'INSUFFICIENT_BALANCE' | 'IN_PROGRESS') =>
  new CallError(status, { code, message: '', requestId: '' })

test('an attempt without an answer is repeated under the same key', () => {
  const keys = counted()
  const first = keys.keyFor({ amount: 1 })
  keys.failed(new CallError(0, null))
  expect(keys.keyFor({ amount: 1 })).toBe(first)
  keys.failed(new CallError(502, null))
  expect(keys.keyFor({ amount: 1 })).toBe(first)
  keys.failed(refusal(409, 'IN_PROGRESS'))
  expect(keys.keyFor({ amount: 1 })).toBe(first)
})

test('another input is never sent under the key of the first', () => {
  const keys = counted()
  const first = keys.keyFor({ amount: 1 })
  keys.failed(new CallError(0, null))
  expect(keys.keyFor({ amount: 2 })).not.toBe(first)
})

test('another file of the same name is another input', () => {
  const keys = counted()
  const withFile = (text: string) => keys.keyFor({ file: new File([text], 'a.png', { lastModified: 1 }) })
  const first = withFile('one')
  keys.failed(new CallError(0, null))
  expect(withFile('one')).toBe(first)
  expect(withFile('three')).not.toBe(first)
})

test('after a success or a refusal the next press is a new attempt', () => {
  const keys = counted()
  const first = keys.keyFor({ amount: 1 })
  keys.succeeded()
  const second = keys.keyFor({ amount: 1 })
  keys.failed(refusal(422, 'INSUFFICIENT_BALANCE'))
  const third = keys.keyFor({ amount: 1 })
  expect(new Set([first, second, third]).size).toBe(3)
})

test('keys are long enough never to collide', () => {
  const one = createAttemptKeys().keyFor(null)
  expect(one).toMatch(/^[0-9a-f]{32}$/)
  expect(createAttemptKeys().keyFor(null)).not.toBe(one)
})
