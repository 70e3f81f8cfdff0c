import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Db } from '#server/platform/db/database.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer } from '#tests/support/players.ts'
import { claimDueDeliveries } from './worker.queries.ts'
import { allDue } from '#tests/support/due-part.ts'

const CHARACTERS = 5
const EACH = 600
const DELIVERIES = CHARACTERS * EACH
const AT_ONCE = 8
/** Rows and lines of indexes for one delivery from its first claim to its end: 33. Before, with the whole line read by each
 * claim, 1,300. */
const READ_MAX = 300
const ROUNDS_TO_VACUUM = 20
const ROUNDS_TO_PLAN = 40

const portal = useTestApp()
let db: Db
let owner: Client
beforeAll(async () => {
  // One connection, so that what it counted is complete when it is read.
  db = openDatabase({ url: portal.appUrl, log: portal.deps.log, connectionsMax: 1 })
  owner = new Client({ connectionString: portal.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await db.destroy()
})

/** What was read of the table and its indexes so far. */
async function read(): Promise<number> {
  await sql`SELECT pg_stat_force_next_flush()`.execute(db)
  const { rows } = await owner.query<{ read: string }>(`
    SELECT seq_tup_read + idx_tup_fetch + (
        SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'delivery') AS read
      FROM pg_stat_user_tables WHERE relname = 'delivery'`)
  return Number(rows[0]?.read)
}

/** The end of what was claimed, without what it does to the ledger. */
async function endAll(ids: readonly string[]): Promise<void> {
  await db
    .updateTable('delivery')
    .set({ state: 'delivered', lease_token: null, lease_until: null, settled_at: sql`now()` })
    .where('id', 'in', ids)
    .execute()
  await db.updateTable('delivery').set({ waits_behind: null }).where('waits_behind', 'in', ids).execute()
}

const countPlans = async () =>
  (
    await sql<{ isPlannedOnce: boolean }>`
      SELECT generic_plans > 4 * custom_plans AS "isPlannedOnce" FROM pg_prepared_statements
       WHERE statement LIKE '%candidate AS MATERIALIZED%'`.execute(db)
  ).rows

test('3,000 deliveries for 5 characters cost as much each as a few', { timeout: 60_000 }, async () => {
  const { id: playerId } = await aPlayer(portal)
  await owner.query(`INSERT INTO delivery (id, kind, user_id, amount, server_id, account, character_id, character_name,
      goods, created_at, next_attempt_at)
    SELECT gen_random_uuid(), 'exchange', ${playerId}, 100, 's1', 'a', 'c' || n / ${EACH}, 'C', '[]',
        now() - n * interval '1 second', now() - n * interval '1 second'
      FROM generate_series(0, ${DELIVERIES - 1}) n`)
  const before = await read()
  let sent = 0
  let rounds = 0
  let planned: { isPlannedOnce: boolean }[] = []
  const last = new Map<string, number>()
  for (;;) {
    const { claimed, setAside } = await claimDueDeliveries(db, allDue(AT_ONCE), 30)
    if (claimed.length === 0 && setAside === 0) break
    expect(new Set(claimed.map(({ characterId }) => characterId)).size).toBe(claimed.length)
    for (const { characterId, ageSeconds } of claimed) {
      expect(ageSeconds).toBeLessThan(last.get(characterId) ?? Infinity)
      last.set(characterId, ageSeconds)
    }
    if (claimed.length > 0) await endAll(claimed.map(({ id }) => id))
    sent += claimed.length
    rounds += 1
    // Old versions of rows are read too until they are removed. PostgreSQL removes them in passing, but not while any database
    // of the server, such as that of another test, has an older open transaction; VACUUM looks at this database alone.
    if (rounds % ROUNDS_TO_VACUUM === 0) await owner.query('VACUUM delivery')
    // Before old versions that could not be removed make PostgreSQL estimate its plan anew.
    if (rounds === ROUNDS_TO_PLAN) planned = await countPlans()
  }
  expect(sent).toBe(DELIVERIES)
  expect(((await read()) - before) / DELIVERIES).toBeLessThan(READ_MAX)
  // Planned again for each claim, it took longer to plan than to do.
  expect(planned).toEqual([{ isPlannedOnce: true }])
})
