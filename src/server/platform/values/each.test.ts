import { expect, test } from 'vitest'
import { doEach } from './each.ts'

test('each is done, also behind those that fail, which are named at the end', async () => {
  const done: number[] = []
  const doing = doEach(
    [1, 2, 3, 4],
    (one) => `number ${one}`,
    async (one) => {
      if (one % 2 === 1) throw new Error('odd')
      done.push(one)
    },
  ).catch((error: Error) => error.message)
  expect([await doing, done]).toEqual(['number 1: odd; number 3: odd', [2, 4]])
})
