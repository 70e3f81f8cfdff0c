import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { invariant } from '#server/platform/values/errors.ts'
import { startWorker } from '#server/start/worker.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer } from '#tests/support/players.ts'
import { failedWork, retryNow } from '#tests/support/poisoned-row.ts'
import {
  POISONED_ELSEWHERE,
  POISONED_LOOPS,
  WITHOUT_ROWS,
  type PoisonedLoop,
} from '#tests/support/poisoned-loops.ts'

const portal = useTestApp({ environment: { METRICS_PORT: '1' } })

let loops: Loop[] = []
afterAll(() => Promise.all(loops.map((loop) => loop.stop())))

const PLAYERS = 6
const ROWS = 3
const MADE = `made AS (
  SELECT n, n <= ${ROWS} AS is_old, ids.list[n] AS id
    FROM generate_series(1, ${ROWS}) n, (SELECT array_agg(id ORDER BY id) AS list FROM users) ids)`

/** What a job is to work off in one table. */
const placeOf = ({ job, table }: PoisonedLoop) => `${job}, ${table}`

async function value<Value>(text: string): Promise<Value> {
  const { rows } = await sql<{ value: Value }>`SELECT (${sql.raw(text)}) AS value`.execute(portal.db)
  return rows[0]?.value as Value
}

async function plant({ insert = '' }: PoisonedLoop): Promise<void> {
  if (insert !== '')
    await asOwner(
      portal,
      insert.startsWith('WITH ') ? insert.replace('WITH ', `WITH ${MADE}, `) : `WITH ${MADE} ${insert}`,
    )
}

const counting = (loop: PoisonedLoop, condition = 'true') =>
  'left' in loop
    ? loop.left
    : `SELECT count(*)::int FROM ${loop.table} WHERE (${loop.isDue}) AND (${loop.among ?? 'true'}) AND ${condition}`

/** From here on one row cannot be changed; answers how many of what is due that are. */
async function poison(loop: PoisonedLoop, number: number): Promise<number> {
  let [condition, isPoisoned] = ['', 'true']
  if ('poisoned' in loop) condition = loop.poisoned
  else {
    const due = `(${loop.isDue}) AND (${loop.among ?? 'true'})`
    const row = await value<string | null>(
      `SELECT ${loop.table}::text FROM ${loop.table} WHERE ${due} LIMIT 1`,
    )
    invariant(row, `something is due: ${placeOf(loop)}`)
    condition = `r::text = $row$${row}$row$`
    isPoisoned = `${loop.table}::text = $row$${row}$row$`
  }
  const poisonedCount = 'left' in loop ? 1 : await value<number>(counting(loop, isPoisoned))
  await asOwner(
    portal,
    `CREATE FUNCTION poison_${number}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $poison$
     DECLARE r ${loop.table};
     BEGIN
       IF TG_OP = 'INSERT' THEN r := NEW; ELSE r := OLD; END IF;
       IF ${condition} THEN RAISE EXCEPTION 'poisoned for ${loop.job}'; END IF;
       IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
       RETURN NEW;
     END $poison$;
     CREATE TRIGGER poison_${number} BEFORE INSERT OR UPDATE OR DELETE ON ${loop.table} FOR EACH ROW EXECUTE FUNCTION poison_${number}()`,
  )
  return poisonedCount
}

const cure = (loop: PoisonedLoop, number: number) =>
  asOwner(portal, `DROP TRIGGER poison_${number} ON ${loop.table}; DROP FUNCTION poison_${number}`)

const ALL = POISONED_LOOPS.map((loop) => `'${placeOf(loop)}', (${counting(loop)})`)

/** How much of each is left. */
const countAll = () =>
  value<Record<string, number>>(
    `jsonb_build_object(${ALL.slice(0, 30).join()}) || jsonb_build_object(${ALL.slice(30).join()})`,
  )

/** Now, or in the morning that comes next: no mails are made at night. */
function daytime(): Date {
  const now = Date.now()
  const hour = (new Date(now).getUTCHours() + 7) % 24
  return new Date(now + Math.max(0, 9 - hour) * 3_600_000)
}

/** With a game that tells everything a game may tell, and somebody who is told of alarms. */
function startAllLoops(): Loop[] {
  const { game, config, payments } = portal.deps
  return startWorker({
    ...portal.deps,
    config: { ...config, metrics: { host: '127.0.0.1', port: 0 }, publicUrl: 'https://127.0.0.1:9' },
    clock: { now: daytime },
    // No provider's list is read.
    payments: { ...payments, lists: [] },
    game: {
      ...game,
      rankings: async () => [],
      collection: async () => ({ collectedAt: new Date(), waiting: null }),
      putAccount: async () => 'stored',
      describeGame: async () => null,
      refundCharge: async () => 'refunded',
    },
    alarmWebhook: { url: 'http://127.0.0.1:9/alarms', secret: 'secret' },
  })
}

test('of each loop one poisoned row leaves the others, rings, and is done by the runbook’s sentence', async () => {
  for (let count = 0; count < PLAYERS; count++) await aPlayer(portal)
  for (const loop of POISONED_LOOPS) await plant(loop)
  const expected: Record<string, number> = {}
  for (const [number, loop] of POISONED_LOOPS.entries()) expected[placeOf(loop)] = await poison(loop, number)

  loops = startAllLoops()
  const known = [...POISONED_LOOPS.map(({ job }) => job), ...Object.keys(POISONED_ELSEWHERE), ...WITHOUT_ROWS]
  expect([...new Set(loops.map(({ name }) => name))].sort()).toEqual([...new Set(known)].sort())

  await expect.poll(countAll, { timeout: 20_000, interval: 300 }).toEqual(expected)
  const jobs = [...new Set(POISONED_LOOPS.map(({ job }) => job))].sort()
  await expect
    .poll(async () => [...new Set((await failedWork(portal)).map(({ job }) => job))].sort(), {
      timeout: 10_000,
    })
    .toEqual(jobs)

  for (const [number, loop] of POISONED_LOOPS.entries()) await cure(loop, number)
  await retryNow(portal)
  const none = Object.fromEntries(POISONED_LOOPS.map((loop) => [placeOf(loop), 0]))
  loops.find(({ name }) => name === 'failing loops')?.wake()
  await expect.poll(countAll, { timeout: 20_000, interval: 300 }).toEqual(none)
  await expect.poll(() => failedWork(portal), { timeout: 20_000 }).toEqual([])
}, 60_000)
