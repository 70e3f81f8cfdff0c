import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPortal } from '#server/start/portal.ts'
import { freePort } from '#tests/support/network.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { clockProblem } from '../harness/faults.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import type { Row } from '../harness/report.ts'
import { runFaults, type Faults } from '../torture/faults/run.ts'
import { CLIENT_FAULTS, NAMES, WORLD_FAULTS } from '../torture/faults/table.ts'
import { closeWorlds } from '../torture/faults/world.ts'
import { tortureNotices, type NoticesReport } from '../torture/notices/notices.ts'

const SEED = 20_261_123
const { T1, T2, T3, T4, T11, T12, T14, T19, T20, T21, T22, T23 } = WORLD_FAULTS
const noClock = clockProblem()
/** A clock touches neither the game nor the workers that T3 brings. */
const STAGES: readonly Faults[] = [
  CLIENT_FAULTS,
  { T3, T12, ...(noClock === null && { T11 }) },
  { T4 },
  { T23 },
  { T1 },
  // With all cases.
  { T2 },
  { T14 },
  { T19 },
  { T20 },
  { T21 },
  { T22 },
]
const USUAL_STAGES = 5
const stages = hasAllCases ? STAGES : STAGES.slice(0, USUAL_STAGES)
const FAULTS: Faults = Object.assign({}, ...STAGES)
const idsOf = (some: readonly Faults[]) =>
  some.flatMap((stage) => Object.keys(stage)).filter((id) => id !== 'T11')

/** A row without a fault that was brought about is not clean either. */
const CLEAN = { lost: 0, doubled: 0, books: {}, reconcile: {}, wrong: [], isClean: true }

const rows = new Map<string, Row>()
let notices: NoticesReport
// T5 has a portal and a database of its own: it goes on while the others wait for what they started.
beforeAll(async () => {
  const [all, report] = await Promise.all([
    runFaults(stages, { seed: SEED, seconds: 2, players: 4, isShort: true }),
    runNotices(),
  ])
  for (const row of all) rows.set(row.fault, row)
  notices = report
}, 300_000)
// Only a run that takes too long has left anything open.
afterAll(async () => void (await closeWorlds()))

/** `npm run torture -- --faults all --seeds 3 --seconds 120` is the long form: each with a world of its own. */
test.each(idsOf(stages).map((id) => [id, FAULTS[id]?.name]))(
  '%s, %s: nothing lost, nothing twice, the books zero',
  (id) => {
    expect(rows.get(id)).toMatchObject(CLEAN)
  },
)

test.skipIf(noClock !== null)(
  `T11, ${T11.name}: the same (skipped without libfaketime${noClock === null ? '' : `: ${noClock}`})`,
  () => {
    expect(rows.get('T11')).toMatchObject(CLEAN)
  },
)

test('T5: transfers that four providers report repeatedly, late and damaged are credited exactly once', () => {
  expect(notices).toMatchObject({ wrong: [], books: {}, reconcile: {}, isClean: true })
  expect(Math.min(notices.credited, notices.review, notices.ignored)).toBeGreaterThan(5)
  expect(notices.closes).toBeGreaterThan(5)
})

test('every fault of the table has its short form: here, or T15 where a backup is restored under deliveries', () => {
  const drill = new URL('./restore-drill.db.test.ts', import.meta.url)
  expect(existsSync(fileURLToPath(drill))).toBe(true)
  expect([...idsOf(STAGES), 'T5', 'T11', 'T15'].toSorted()).toEqual(NAMES.toSorted())
})

async function runNotices(): Promise<NoticesReport> {
  const { ownerUrl, drop } = await freshDatabase()
  const startInside = async (environment: Record<string, string>) => {
    const port = String(await freePort())
    const portal = await startPortal({ ...environment, PORT: port }, { isWeb: true, isWorker: true })
    return { url: `http://127.0.0.1:${port}`, end: () => portal.stop() }
  }
  try {
    return await tortureNotices({
      seed: SEED,
      notices: 150,
      lanes: 6,
      setup: { databaseUrl: ownerUrl, startPortal: startInside },
    })
  } finally {
    await drop()
  }
}
