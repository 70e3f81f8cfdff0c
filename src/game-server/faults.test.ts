import { expect, test } from 'vitest'
import { Faults, faultsNamed, type Weather } from './faults.ts'

const STORM: Weather = { kinds: ['slow', 'hang-after', 'refuse'], rate: 0.5, seed: 7, slowMs: 100 }

function met(weather: Weather, isDelivery = true): (string | null)[] {
  const faults = new Faults(weather)
  return Array.from({ length: 1_000 }, () => faults.meet({ isDelivery, nowMs: 0 }).fault)
}

test('the same seed brings the same faults, at the rate that was asked for', () => {
  const faults = met(STORM)
  expect(met(STORM)).toEqual(faults)
  expect(met({ ...STORM, seed: 8 })).not.toEqual(faults)
  const share = faults.filter((fault) => fault !== null).length / faults.length
  expect(share).toBeGreaterThan(0.4)
  expect(share).toBeLessThan(0.6)
  expect(new Set(faults)).toEqual(new Set([null, ...STORM.kinds]))
})

test('only a delivery can be refused', () => {
  expect(met(STORM, false)).not.toContain('refuse')
})

test('a word names both forms of a fault, and what is no fault is told apart', () => {
  expect(faultsNamed(['slow', 'hang'])).toEqual(['slow', 'hang-before', 'hang-after'])
  expect(faultsNamed(['error-after'])).toEqual(['error-after'])
  expect(faultsNamed(['mưa'])).toBeUndefined()
})

test('who flaps is away for a moment, until the weather is fair again', () => {
  const faults = new Faults({ kinds: ['flap'], rate: 1, seed: 1, slowMs: 0 })
  // Rarer than what meets one call alone.
  for (let calls = 0; calls < 100 && faults.met.flap === undefined; calls++)
    faults.meet({ isDelivery: false, nowMs: 1_000 })
  expect([faults.isAway(1_200), faults.isAway(3_000)]).toEqual([true, false])
  faults.change({ ...STORM, kinds: [] })
  expect(faults.isAway(1_200)).toBe(false)
})
