import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { failingLoops, startLoop } from '../jobs/loop.ts'
import { claimEach } from './claiming.ts'
import {
  mayHaveFailed,
  readFailures,
  recordFailed,
  recordFailingLoops,
  removeFailed,
  tryLeased,
} from './failed-work.ts'
import { workOff } from './due-rows.ts'

const portal = useTestApp()

/** What is due in these tests: ids in their order, of which some fail. */
const due = new Set<string>()
const poisoned = new Set<string>()
const done: string[] = []

beforeEach(async () => {
  due.clear()
  poisoned.clear()
  done.length = 0
  await sql`DELETE FROM failed_work`.execute(portal.db)
})

const round = (limit = 10) =>
  workOff(portal.deps, {
    job: 'test',
    limit,
    async list(db, isResting) {
      const ids = [...due]
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM unnest(${ids}::text[]) WITH ORDINALITY AS due (id, place)
         WHERE NOT ${isResting(sql`id`)} ORDER BY place LIMIT ${limit}`.execute(db)
      return rows.map(({ id }) => id)
    },
    async work(id) {
      if (poisoned.has(id)) throw new Error(`the row ${id} is poisoned`)
      done.push(id)
      due.delete(id)
      return true
    },
  })

const failed = () => portal.db.selectFrom('failed_work').selectAll().orderBy('subject').execute()

const isRested = () =>
  sql`UPDATE failed_work SET retry_at = clock_timestamp() - interval '1 second'`.execute(portal.db)

test('one row that fails leaves the others, and those behind a full list of failing ones have their turn', async () => {
  for (const id of ['1', '2', '3', '4', '5']) due.add(id)
  for (const id of ['1', '2']) poisoned.add(id)
  expect(await round(2).catch(String)).toBe(true)
  expect(done).toEqual([])
  expect(await round(2)).toBe(true)
  expect(await round(2)).toBe(true)
  expect(done).toEqual(['3', '4', '5'])
  expect(await failed()).toMatchObject([
    { job: 'test', subject: '1', failures: 1, error: 'the row 1 is poisoned' },
    { job: 'test', subject: '2', failures: 1 },
  ])
})

test('a row that failed waits longer each time, up to a minute, and is forgotten once it is done', async () => {
  due.add('1')
  poisoned.add('1')
  const waits: number[] = []
  for (let tries = 1; tries <= 6; tries++) {
    await round()
    const { rows } = await sql<{ seconds: number }>`
      SELECT round(extract(epoch FROM retry_at - clock_timestamp()))::integer AS seconds FROM failed_work`.execute(
      portal.db,
    )
    waits.push(rows[0]?.seconds ?? 0)
    expect(await round()).toBe(false)
    await isRested()
  }
  expect(waits).toEqual([10, 20, 40, 60, 60, 60])
  poisoned.clear()
  expect(await round()).toBe(true)
  expect(await failed()).toEqual([])
})

test('a row that is not due any more is no failure any more', async () => {
  for (const id of ['1', '2']) due.add(id)
  poisoned.add('1')
  await round()
  due.delete('1')
  await round()
  expect(await failed()).toHaveLength(1)
  await isRested()
  await round()
  expect(await failed()).toEqual([])
})

test('what a clock that was ahead wrote does not rest for longer than any row does', async () => {
  due.add('1')
  poisoned.add('1')
  await round()
  await sql`UPDATE failed_work SET retry_at = clock_timestamp() + interval '1 day'`.execute(portal.db)
  poisoned.clear()
  expect(await round()).toBe(true)
})

test('of what is done together, one that fails is found by halves, and the others are done together', async () => {
  const batches: number[] = []
  const ids = Array.from({ length: 64 }, (_, n) => String(n))
  const hasMore = await workOff(portal.deps, {
    job: 'test',
    limit: 100,
    list: async () => ids,
    work: async (id) => (await workAll([id])) > 0,
    workAll: (some) => workAll(some),
  }).catch(String)
  async function workAll(some: readonly string[]): Promise<number> {
    batches.push(some.length)
    if (some.includes('41')) throw new Error('41 is poisoned')
    done.push(...some)
    return some.length
  }
  expect(hasMore).toBe(true)
  expect(done).toHaveLength(63)
  expect(batches.length).toBeLessThan(16)
  expect(await failed()).toMatchObject([{ subject: '41', failures: 1 }])
})

test('what is leased rests for as long as its lease, and one that cannot be leased leaves the others', async () => {
  const claims = (poisonedId: string) =>
    claimEach(
      portal.deps,
      {
        job: 'test',
        leaseSeconds: 300,
        due: ({ limit, isWanted }) =>
          sql<{
            id: string
          }>`SELECT id FROM (VALUES ('1'), ('2'), ('3')) due (id) WHERE ${isWanted(sql`id`)} LIMIT ${limit}`,
        async claim({ limit, isWanted }) {
          const { rows } = await sql<{ id: string }>`
            SELECT id FROM (VALUES ('1'), ('2'), ('3')) due (id) WHERE ${isWanted(sql`id`)} LIMIT ${limit}`.execute(
            portal.db,
          )
          if (rows.some(({ id }) => id === poisonedId)) throw new Error(`the row ${poisonedId} is poisoned`)
          return rows.map(({ id }) => id)
        },
      },
      8,
    )
  expect(await claims('1').catch(String)).toEqual(['2', '3'])
  expect(await failed()).toMatchObject([{ job: 'test', subject: '1', error: 'the row 1 is poisoned' }])
  expect(await claims('1')).toEqual(['2', '3'])
  expect(await failed()).toMatchObject([{ failures: 1 }])
  await isRested()
  expect(await claims('none')).toEqual(['1', '2', '3'])
  await removeFailed(portal.db, { job: 'test', subjects: ['1'] })
  const leased = { job: 'test', subject: '1', leaseSeconds: 300 }
  // The first failure, and one after it.
  for (const failures of [1, 2]) {
    await tryLeased(portal.deps, leased, () => Promise.reject(new Error('no answer')))
    const { rows } = await sql<{ seconds: number; failures: number }>`
      SELECT failures, round(extract(epoch FROM retry_at - clock_timestamp()))::integer AS seconds FROM failed_work`.execute(
      portal.db,
    )
    expect(rows).toEqual([{ failures, seconds: 300 }])
  }
  expect(await claims('none')).toEqual(['2', '3'])
  await tryLeased(portal.deps, leased, () => Promise.resolve())
  expect(await failed()).toEqual([])
})

test('rows of two kinds of one job are no failures of each other', async () => {
  const both = async (part: string, isPoisoned: boolean) =>
    workOff(portal.deps, {
      job: 'test',
      part,
      limit: 10,
      list: (db, isResting) =>
        sql<{ id: string }>`SELECT '1' AS id WHERE NOT ${isResting(sql`'1'::text`)}`
          .execute(db)
          .then(({ rows }) => rows.map(({ id }) => id)),
      work: () => (isPoisoned ? Promise.reject(new Error('poisoned')) : Promise.resolve(true)),
    })
  await both('one', true)
  await isRested()
  expect(await both('other', false)).toBe(true)
  expect(await failed()).toMatchObject([{ subject: 'one 1' }])
})

test('what is not known to have failed costs no look at the table, and what another process saw fail is known in seconds', async () => {
  await readFailures(portal.db)
  expect(mayHaveFailed('test')).toBe(false)
  await sql`INSERT INTO failed_work (job, subject, failures, error, retry_at)
    VALUES ('test', '1', 1, '-', clock_timestamp() + interval '30 seconds')`.execute(portal.db)
  expect(await readFailures(portal.db)).toEqual([])
  expect(mayHaveFailed('test')).toBe(true)
  await isRested()
  expect(await readFailures(portal.db)).toEqual(['test'])
})

test('an error with what PostgreSQL does not store is recorded as well', async () => {
  await recordFailed(portal.db, { job: 'test', subject: 'x'.repeat(300), error: new Error('a\u0000b\ud800') })
  expect(await failed()).toMatchObject([{ subject: 'x'.repeat(100), error: 'ab\ufffd' }])
})

test('a loop that fails as a whole is recorded until it succeeds, and of a process that ended for some minutes', async () => {
  let isFailing = true
  const loop = startLoop({
    name: 'test loop',
    pauseMs: 5,
    log: portal.deps.log,
    round: () => (isFailing ? Promise.reject(new Error('no table')) : Promise.resolve()),
  })
  try {
    await expect.poll(() => failingLoops.has('test loop')).toBe(true)
    const record = () => recordFailingLoops(portal.db, { process: 'host:1', failing: failingLoops })
    await record()
    await recordFailingLoops(portal.db, { process: 'host:2', failing: failingLoops })
    expect(await failed()).toMatchObject([
      { job: 'test loop', subject: 'round of host:1', error: 'no table' },
      { job: 'test loop', subject: 'round of host:2' },
    ])
    isFailing = false
    await expect.poll(() => failingLoops.has('test loop')).toBe(false)
    await record()
    expect(await failed()).toMatchObject([{ subject: 'round of host:2' }])
    await sql`UPDATE failed_work SET retry_at = clock_timestamp() - interval '6 minutes'`.execute(portal.db)
    await record()
    expect(await failed()).toEqual([])
  } finally {
    await loop.stop()
  }
})

test('what rests is kept while the loops are looked at, and the alarm rings on', async () => {
  await recordFailed(portal.db, { job: 'test', subject: 'rests', error: new Error('x'), leaseSeconds: 300 })
  await recordFailingLoops(portal.db, { process: 'web1', failing: new Map() })
  const kept = () =>
    portal.db.selectFrom('failed_work').select('subject').where('subject', '=', 'rests').execute()
  expect(await kept()).toHaveLength(1)
  await sql`UPDATE failed_work SET retry_at = now() + interval '1 day' WHERE subject = 'rests'`.execute(
    portal.db,
  )
  await recordFailingLoops(portal.db, { process: 'web1', failing: new Map() })
  expect(await kept()).toEqual([])
})
