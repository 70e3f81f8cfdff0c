import { expect, test } from 'vitest'
import { connectionsOf, metricsPortsOf, poolOf, processesOf } from './process-sizes.ts'

test('auto is a web process for each core, up to 64', () => {
  expect([
    processesOf('auto', 1),
    processesOf('auto', 8),
    processesOf('auto', 128),
    processesOf(3, 8),
  ]).toEqual([1, 8, 64, 3])
})

test('pools that are not given fit together into what PostgreSQL allows, up to ten web processes', () => {
  expect([1, 2, 4, 8].map(poolOf)).toEqual([20, 20, 13, 5])
  for (let processes = 1; processes <= 10; processes++) {
    const { sum } = connectionsOf({ processes, databasePool: poolOf(processes), poolerUrl: null })
    expect(sum).toBeLessThan(97)
  }
  expect(poolOf(64)).toBe(4)
})

test('connections are added up over web processes and worker; behind a pooler only those beside it', () => {
  const base = { databasePool: 20, poolerUrl: null }
  expect(connectionsOf({ ...base, processes: 1 })).toEqual({ running: 1, each: 23, sum: 23 })
  expect(connectionsOf({ ...base, processes: 4 })).toEqual({ running: 5, each: 23, sum: 115 })
  expect(connectionsOf({ ...base, processes: 4, poolerUrl: 'postgres://pooler/portal' }).sum).toBe(15)
})

test('each process has a port for its metrics', () => {
  const metrics = { port: 9464 }
  expect(metricsPortsOf({ metrics, processes: 1 })).toEqual([9464])
  expect(metricsPortsOf({ metrics, processes: 2 })).toEqual([9464, 9465, 9466])
  expect(metricsPortsOf({ metrics: null, processes: 2 })).toEqual([])
})
