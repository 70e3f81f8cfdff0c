import { expect, test } from 'vitest'
import { hasAllCases } from '#tests/support/test-run.ts'
import { missingPrograms, tortureCluster } from '../torture/cluster/cluster.ts'

const missing = missingPrograms().join(', ')

/** With all cases; `npm run torture -- --cluster 10` does the same with every part of a larger cluster, and fails over to a standby. */
test.runIf(hasAllCases && missing === '')(
  `a cluster behind nginx and PgBouncer, a web process and PostgreSQL killed: nothing lost or twice (skipped without ${missing || 'nginx, pgbouncer, postgresql'})`,
  { timeout: 180_000 },
  async () => {
    const result = await tortureCluster({
      seed: 13,
      players: 3,
      size: { webs: 2, workers: 1, withStandby: false },
      ms: 5_000,
      only: ['web 1 kill -9', 'PostgreSQL kill -9'],
      say: () => {},
    })
    expect(result.phases).toHaveLength(2)
    expect(result.unexplained).toEqual([])
    expect(result.unexpected).toEqual([])
    expect(Object.entries(result.books).filter(([, count]) => count !== 0)).toEqual([])
    expect(result.isClean, JSON.stringify(result)).toBe(true)
  },
)
