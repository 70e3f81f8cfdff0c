import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FreshDatabase } from '#tests/support/databases.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { plainBalancer } from '../harness/balancer.ts'
import { drill } from '../upgrade/drill.ts'
import { withOneMore } from '../upgrade/programs.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let database: FreshDatabase
const folder = useFolder()
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

/** With all cases; `npm run upgrade-drill` does the same with a program of the history, behind nginx. */
test.runIf(hasAllCases)(
  'upgraded and taken back under load, one process killed: nothing lost or twice, only requests on the killed one fail',
  { timeout: 180_000 },
  async () => {
    const result = await drill({
      steps: [
        { steady: 'old program' },
        { replace: 'web 1', by: 'new' },
        { replace: 'web 2', by: 'new', after: 'SIGKILL' },
        { replace: 'web 1', by: 'old' },
        { steady: 'both, new schema' },
      ],
      seed: 12,
      players: 3,
      steadyMs: 500,
      stopDelaySeconds: 1,
      old: root,
      new: (await withOneMore(folder)).folder,
      openBalancer: async (webPorts) => plainBalancer(webPorts),
      databaseUrl: database.ownerUrl,
      say: () => {},
    })
    expect(result.unexplained).toEqual([])
    expect(result.unexpected).toEqual([])
    expect(Object.entries(result.books).filter(([, count]) => count !== 0)).toEqual([])
    expect(result.isClean, JSON.stringify(result)).toBe(true)
  },
)
