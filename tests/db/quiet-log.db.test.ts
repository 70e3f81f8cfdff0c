import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useFolder } from '#tests/support/folder.ts'
import { START_MS_MAX, startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { eventually } from '#tests/support/purchases.ts'
import { isSystemPostgresThere, SystemPostgres } from '#tests/support/system-postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

const AWAY_MS = 12_000

type Line = { level: string; msg: string; away?: string; failures?: number; seconds?: number }

const folder = useFolder()
const isThere = isSystemPostgresThere() && hasAllCases
let postgres: SystemPostgres
let portal: PortalProcess

beforeAll(async () => {
  if (!isThere) return
  postgres = await SystemPostgres.open(folder, 'postgres')
  await postgres.create()
  portal = await startPortalProcess({
    dataDir: folder,
    environment: { DEMO: '1', DATABASE_URL: postgres.ownerUrl, LOG_LEVEL: 'info' },
  })
}, START_MS_MAX)
afterAll(async () => {
  await portal?.end()
  await postgres?.stop()
})

const linesFrom = (start: number): Line[] =>
  portal
    .output()
    .slice(start)
    .split('\n')
    .flatMap((text) => (text.startsWith('{"level"') ? [JSON.parse(text) as Line] : []))

test.runIf(isThere)(
  'a database that is away for some seconds is a few lines without a stack, and one when it is back',
  { timeout: START_MS_MAX },
  async () => {
    const start = portal.output().length
    await postgres.stop()
    const over = performance.now() + AWAY_MS
    let requests = 0
    while (performance.now() < over) {
      await fetch(`${portal.url}/api/posts`).catch(() => null)
      await fetch(`${portal.url}/readyz`)
      requests += 2
      await sleep(100)
    }
    await postgres.start()
    await eventually(async () => expect((await fetch(`${portal.url}/readyz`)).status).toBe(200), START_MS_MAX)
    await eventually(
      () => Promise.resolve(expect(linesFrom(start).map(({ msg }) => msg)).toContain('it answers again')),
      START_MS_MAX,
    )
    const lines = linesFrom(start)
    const ofPostgres = lines.filter(({ away }) => away?.startsWith('PostgreSQL at '))
    const trouble = lines.filter(({ level }) => level === 'warn' || level === 'error')
    expect(requests).toBeGreaterThan(20)
    expect(ofPostgres[0]?.level).toMatch(/warn|error/)
    expect(trouble.length, JSON.stringify(trouble, null, 1)).toBeLessThanOrEqual(10)
    expect(JSON.stringify(trouble)).not.toContain('    at ')
    const back = ofPostgres.find(({ msg }) => msg === 'it answers again')
    expect(back?.failures).toBeGreaterThan(50)
    expect(back?.seconds).toBeGreaterThan(AWAY_MS / 1_000 - 3)
  },
)
