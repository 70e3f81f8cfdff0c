import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { createPasswordHasher } from './password-hasher.ts'

const roomy = createPasswordHasher({ runningMax: 2, waitingMax: 10, waitMsMax: 10_000 })

test('a password is hashed with argon2id, 19 MiB, two passes, one lane, and a salt of its own', async () => {
  const [first, second] = await Promise.all([roomy.hash('trucdem2024'), roomy.hash('trucdem2024')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test.each([
  ['case', 'Mat Khau 9', 'mat khau 9'],
  ['a trailing character', 'mat khau 9', 'mat khau 9 '],
  ['a leading space', ' mat khau 9', 'mat khau 9'],
  ['the form of an accent', 'm\u1EADt kh\u1EA9u', 'm\u1EADt kh\u1EA9u'.normalize('NFD')],
  ['the last of twenty characters', '12345678901234567890', '12345678901234567891'],
  ['an emoji', 'ninja🥷ninja', 'ninja🥸ninja'],
])('a password differs from another by %s', async (_, right, wrong) => {
  const stored = await roomy.hash(right)
  expect(await roomy.check(stored, right)).toEqual({ isRight: true, isOutdated: false })
  expect(await roomy.check(stored, wrong)).toEqual({ isRight: false, isOutdated: false })
})

test('a hash made under other parameters is right and outdated', async () => {
  const weak = await hash('trucdem2024', { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
  expect(await roomy.check(weak, 'trucdem2024')).toEqual({ isRight: true, isOutdated: true })
  expect(await roomy.check(weak, 'trucdem2025')).toEqual({ isRight: false, isOutdated: false })
})

test('without a stored hash no password is right, and the work is done all the same', async () => {
  const stored = await roomy.hash('trucdem2024')
  const fastest = async (storedHash: string | undefined) => {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 5; round++) {
      const start = performance.now()
      expect((await roomy.check(storedHash, 'trucdem2025')).isRight).toBe(false)
      best = Math.min(best, performance.now() - start)
    }
    return best
  }
  expect(await fastest(undefined)).toBeGreaterThan((await fastest(stored)) / 3)
})

test('a caller beyond the queue’s size is refused at once, the others are served in order', async () => {
  const narrow = createPasswordHasher({ runningMax: 1, waitingMax: 2, waitMsMax: 10_000 })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => narrow.hash('trucdem2024')))
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(outcomes[4]).toMatchObject({
    reason: { code: 'UNAVAILABLE', status: 503, retryAfterSeconds: 2 },
  })
  expect(await narrow.hash('trucdem2024')).toContain('$argon2id$')
})

test('a caller who waits too long is refused, and frees its place in the queue', async () => {
  const hasty = createPasswordHasher({ runningMax: 1, waitingMax: 10, waitMsMax: 1 })
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => hasty.hash('trucdem2024')))
  expect(outcomes[0]?.status).toBe('fulfilled')
  expect(outcomes[3]).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
  expect(await hasty.hash('trucdem2024')).toContain('$argon2id$')
})

test('what is no longer worth a hash is refused when its turn comes, and the next is served', async () => {
  const narrow = createPasswordHasher({ runningMax: 1, waitingMax: 10, waitMsMax: 10_000 })
  const outcomes = await Promise.allSettled([
    narrow.hash('trucdem2024'),
    narrow.hash('trucdem2024', () => Promise.reject(new Error('taken meanwhile'))),
    narrow.hash('trucdem2024', async () => {}),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'taken meanwhile' } })
})
