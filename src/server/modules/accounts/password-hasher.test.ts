import { pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'
import { hash as argon2Hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import { createPasswordHasher, hashForeignPasswords } from './password-hasher.ts'
import { type ForeignPassword, md5Of } from './stored-passwords.ts'

const hasherOf = (bounds: Parameters<typeof createPasswordHasher>[0]) => {
  const { inLine } = createPasswordHasher(bounds)
  return {
    inLine,
    hash: (password: string, address = '113.161.7.8') => inLine(address, ({ hash }) => hash(password)),
    check: (storedHash: string | undefined, password: string) =>
      inLine('113.161.7.8', ({ check }) => check(storedHash, password)),
  }
}

const hashForeign = async (password: ForeignPassword) => (await hashForeignPasswords([password]))[0] as string

const roomy = hasherOf({ hashesMax: 2, waitingMax: 10, waitMsMax: 10_000 })

test('a password is hashed with argon2id, 19 MiB, two passes, one lane, and a salt of its own', async () => {
  const [first, second] = await Promise.all([roomy.hash('trucdem2024'), roomy.hash('trucdem2024')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
})

test.each([
  ['case', 'Mat Khau 9', 'mat khau 9'],
  ['a trailing character', 'mat khau 9', 'mat khau 9 '],
  ['a leading space', ' mat khau 9', 'mat khau 9'],
  ['a mark', 'mật khẩu', 'mắt khẩu'],
  ['the last of twenty characters', '12345678901234567890', '12345678901234567891'],
  ['an emoji', 'ninja🥷ninja', 'ninja🥸ninja'],
])('a password differs from another by %s', async (_, right, wrong) => {
  const stored = await roomy.hash(right)
  expect(await roomy.check(stored, right)).toEqual({ isRight: true, isOutdated: false })
  expect(await roomy.check(stored, wrong)).toEqual({ isRight: false, isOutdated: false })
})

describe('a password with marks', () => {
  const composed = 'mật khẩu của Ước'
  const asWindows = 'mâ\u0323t khâ\u0309u cu\u0309a Ươ\u0301c'
  const FORMS = { composed, decomposed: composed.normalize('NFD'), 'as Windows writes it': asWindows }

  test.each(Object.entries(FORMS))('opens when it is typed %s', async (_, typed) => {
    for (const registered of Object.values(FORMS)) {
      const stored = await roomy.hash(registered)
      expect(await roomy.check(stored, typed)).toEqual({ isRight: true, isOutdated: false })
      expect(await roomy.check(stored, `${typed}x`)).toEqual({ isRight: false, isOutdated: false })
    }
  })

  test.each(Object.entries(FORMS))(
    'stored %s before opens in every form, and is outdated',
    async (form, raw) => {
      const stored = await argon2Hash(raw, { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
      for (const typed of Object.values(FORMS)) {
        const isOutdated = form !== 'composed'
        expect(await roomy.check(stored, typed)).toEqual({ isRight: true, isOutdated })
      }
    },
  )
})

test('a hash made under other parameters is right and outdated', async () => {
  const weak = await argon2Hash('trucdem2024', { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
  expect(await roomy.check(weak, 'trucdem2024')).toEqual({ isRight: true, isOutdated: true })
  expect(await roomy.check(weak, 'trucdem2025')).toEqual({ isRight: false, isOutdated: false })
})

test('the hash of an MD5 digest takes the password, not the digest, and is outdated', async () => {
  const stored = await hashForeign({ form: 'md5', md5: md5Of('trúcdem') })
  expect(stored).toMatch(/^md5:\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await roomy.check(stored, 'trúcdem')).toEqual({ isRight: true, isOutdated: true })
  for (const wrong of ['trucdem', md5Of('trúcdem'), stored, ''])
    expect(await roomy.check(stored, wrong)).toEqual({ isRight: false, isOutdated: false })
})

test.each(['2a', '2b', '2y'] as const)(
  'a bcrypt hash of version %s is right, and outdated',
  async (version) => {
    // The versions differ in old faults of some libraries alone, not in what this one computes.
    const hash = (await bcryptHash('mật khẩu 9', 4)).replace('$2b$', `$${version}$`)
    const stored = await hashForeign({ form: 'bcrypt', hash })
    expect(stored).toBe(hash)
    expect(await roomy.check(stored, 'mật khẩu 9')).toEqual({ isRight: true, isOutdated: true })
    for (const wrong of ['mật khẩu 8', stored, ''])
      expect(await roomy.check(stored, wrong)).toEqual({ isRight: false, isOutdated: false })
  },
)

test('a plain password of an older site becomes the hash that a registration makes', async () => {
  const stored = await hashForeign({ form: 'plain', password: 'trucdem2024' })
  expect(await roomy.check(stored, 'trucdem2024')).toEqual({ isRight: true, isOutdated: false })
})

test('hundreds of passwords of an older site leave a thread to others, such as a connection to the database', async () => {
  const many = Array.from({ length: 100 }, (_, n) => ({ form: 'plain' as const, password: `trucdem${n}` }))
  const start = performance.now()
  const hashing = hashForeignPasswords(many)
  await promisify(pbkdf2)('mật khẩu', 'salt', 1, 32, 'sha256')
  const othersMs = performance.now() - start
  const stored = await hashing
  // Behind all of them it would take as long as they do.
  expect(othersMs).toBeLessThan((performance.now() - start) / 2)
  expect(stored).toHaveLength(many.length)
  // In their order.
  expect(await roomy.check(stored[99], 'trucdem99')).toEqual({ isRight: true, isOutdated: false })
})

test('without a stored hash no password is right, and the work is done all the same', async () => {
  const stored = await roomy.hash('trucdem2024')
  /** CPU time in ms, which other programs on the machine do not lengthen as they do the time on the clock. */
  const cost = async (storedHash: string | undefined) => {
    const before = process.cpuUsage()
    expect((await roomy.check(storedHash, 'trucdem2025')).isRight).toBe(false)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const costs = { unknown: Number.POSITIVE_INFINITY, known: Number.POSITIVE_INFINITY }
  for (let round = 0; round < 5; round++) {
    costs.unknown = Math.min(costs.unknown, await cost(undefined))
    costs.known = Math.min(costs.known, await cost(stored))
  }
  expect(costs.unknown).toBeGreaterThan(costs.known / 3)
})

/** One hash at a time, and the two places beside it. */
const PLACES = 3
const narrow = (bounds: { waitingMax: number; waitMsMax: number }) => hasherOf({ hashesMax: 1, ...bounds })

const outcomesOf = async (requests: Promise<unknown>[]) =>
  (await Promise.allSettled(requests)).map((outcome) =>
    outcome.status === 'fulfilled' ? 'hashed' : [outcome.reason.code, outcome.reason.status],
  )

test('callers beyond the line’s size are refused: for the crowd with 503, for their own address’s requests with 429', async () => {
  const hasher = narrow({ waitingMax: 2, waitMsMax: 10_000 })
  const many = Array.from({ length: PLACES + 4 }, (_, number) =>
    hasher.hash('trucdem2024', `10.0.0.${number}`),
  )
  expect(await outcomesOf(many)).toEqual([
    ...Array.from({ length: PLACES + 2 }, () => 'hashed'),
    ['UNAVAILABLE', 503],
    ['UNAVAILABLE', 503],
  ])
  const one = Array.from({ length: PLACES + 4 }, () => hasher.hash('trucdem2024'))
  expect(await outcomesOf(one)).toEqual([
    ...Array.from({ length: PLACES + 2 }, () => 'hashed'),
    ['RATE_LIMITED', 429],
    ['RATE_LIMITED', 429],
  ])
  await expect(
    Promise.all(Array.from({ length: 9 }, () => hasher.hash('trucdem2024'))),
  ).rejects.toMatchObject({
    retryAfterSeconds: 2,
  })
})

test('a request from another address waits for one of those of an address that sends a hundred', async () => {
  const hasher = narrow({ waitingMax: 200, waitMsMax: 10_000 })
  const served: string[] = []
  const request = (address: string) => hasher.inLine(address, async () => void served.push(address))
  // The /64 network of an IPv6 address is one client.
  const flood = Array.from({ length: 100 }, (_, number) => request(`2001:db8:1:2::${number.toString(16)}`))
  await Promise.all([...flood, request('113.161.7.8')])
  expect(served.indexOf('113.161.7.8')).toBeLessThanOrEqual(PLACES + 1)
})

test('a caller who waits too long is refused, and frees its place in the line', async () => {
  const hasty = narrow({ waitingMax: 10, waitMsMax: 1 })
  const outcomes = await Promise.allSettled(
    Array.from({ length: PLACES + 3 }, (_, number) => hasty.hash('trucdem2024', `10.0.0.${number}`)),
  )
  expect(outcomes[0]?.status).toBe('fulfilled')
  expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
  expect(await hasty.hash('trucdem2024')).toContain('$argon2id$')
})

test('what is no longer worth a hash when its turn comes costs none, and the next is served', async () => {
  const hasher = narrow({ waitingMax: 10, waitMsMax: 10_000 })
  const outcomes = await Promise.allSettled([
    hasher.hash('trucdem2024'),
    hasher.inLine('113.161.7.8', () => Promise.reject(new Error('taken meanwhile'))),
    hasher.hash('trucdem2024'),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(outcomes[1]).toMatchObject({ reason: { message: 'taken meanwhile' } })
})
