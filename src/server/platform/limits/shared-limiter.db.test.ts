import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { openSharedLimiter } from './shared-limiter.ts'

const portal = useTestApp()
const DAY_MS = 86_400_000
const MINUTE = { name: 'once a minute', points: 1, seconds: 60 }

afterEach(() => vi.restoreAllMocks())

function moveClock(ms: number): void {
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + ms)
}

const limiter = () => openSharedLimiter(portal.db, MINUTE)

describe('a limit that all processes share', () => {
  test.each([
    ['a day ahead', DAY_MS],
    ['a day behind', -DAY_MS],
  ])('counts alike for a process whose clock is %s', async (key, ms) => {
    await limiter().consume(key)
    moveClock(ms)
    await expect(limiter().consume(key)).rejects.toMatchObject({ consumedPoints: 2 })
    vi.restoreAllMocks()
    const refused: unknown = await limiter()
      .consume(key)
      .catch((error: unknown) => error)
    const { msBeforeNext } = refused as { msBeforeNext: number }
    expect(msBeforeNext).toBeGreaterThan(0)
    expect(msBeforeNext).toBeLessThanOrEqual(60_000)
  })

  test('begins again where a counter was left by a clock that was ahead', async () => {
    await portal.db
      .insertInto('rate_limit')
      .values({ key: `${MINUTE.name}:left behind`, points: 50, expire: Date.now() + DAY_MS })
      .execute()
    expect(await limiter().get('left behind')).toBeNull()
    await limiter().consume('left behind')
    await expect(limiter().consume('left behind')).rejects.toMatchObject({ consumedPoints: 2 })
  })

  test('counts a call that began before the first one of the count and came after it', async () => {
    const key = `${MINUTE.name}:early`
    await portal.db.insertInto('rate_limit').values({ key, points: 1, expire: 1 }).execute()
    const counted = await inTransaction(portal.db, async (tx) => {
      await sql`SELECT FROM rate_limit WHERE key = ${key} FOR UPDATE`.execute(tx)
      const early = limiter()
        .consume('early')
        .catch((error: unknown) => error)
      const isWaiting = sql`SELECT FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`
      await vi.waitFor(async () => expect((await isWaiting.execute(portal.db)).rows).toHaveLength(1))
      await openSharedLimiter(tx, MINUTE).consume('early')
      // A promise in an object is not awaited before the commit.
      return { early }
    })
    expect(await counted.early).toMatchObject({ consumedPoints: 2 })
  })

  test('gives back what was counted', async () => {
    await limiter().consume('given back')
    await limiter().reward('given back')
    expect(await limiter().get('given back')).toMatchObject({ consumedPoints: 0 })
    await limiter().consume('given back')
  })
})
