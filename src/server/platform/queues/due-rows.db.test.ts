import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { failingLoops, startLoop } from '../jobs/loop.ts'
import { recordFailingLoops } from './failed-work.ts'
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
  expect(await round(2).catch(String)).toBe(false)
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
