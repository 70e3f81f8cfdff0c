import { expect, test } from 'vitest'
import { readOptions } from './game.ts'
import { UsageError } from './with-portal.ts'

test('options are names with values, each at most once', () => {
  expect(readOptions(['--server', '1'], ['server', 'since'])).toEqual({ server: '1' })
  for (const words of [
    ['--server'],
    ['1'],
    ['--khac', '1'],
    ['--server', '1', '--server', '2'],
    ['--server', ''],
  ])
    expect(() => readOptions(words, ['server'])).toThrow(UsageError)
})
