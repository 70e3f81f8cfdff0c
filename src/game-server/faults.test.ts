import { expect, test } from 'vitest'
import { Faults, faultsNamed, type FaultSettings } from './faults.ts'

const MANY_FAULTS: FaultSettings = {
  kinds: ['slow', 'hang-after', 'refuse'],
  rate: 0.5,
  seed: 7,
  slowMs: 100,
}

function met(settings: FaultSettings, isDelivery = true): (string | null)[] {
  const faults = new Faults(settings)
  return Array.from({ length: 1_000 }, () => faults.meet({ isDelivery, nowMs: 0 }).fault)
}

test('the same seed gives the same faults, at the configured rate', () => {
  const faults = met(MANY_FAULTS)
  expect(met(MANY_FAULTS)).toEqual(faults)
  expect(met({ ...MANY_FAULTS, seed: 8 })).not.toEqual(faults)
  const share = faults.filter((fault) => fault !== null).length / faults.length
  expect(share).toBeGreaterThan(0.4)
  expect(share).toBeLessThan(0.6)
  expect(new Set(faults)).toEqual(new Set([null, ...MANY_FAULTS.kinds]))
})

test('only a delivery can be refused', () => {
  expect(met(MANY_FAULTS, false)).not.toContain('refuse')
})

test('a name selects both forms of a fault, and an unknown name is reported', () => {
  expect(faultsNamed(['slow', 'hang'])).toEqual(['slow', 'hang-before', 'hang-after'])
  expect(faultsNamed(['error-after'])).toEqual(['error-after'])
  expect(faultsNamed(['mưa'])).toBeUndefined()
})

test('flap drops all calls for a moment, until faults are off again', () => {
  const faults = new Faults({ kinds: ['flap'], rate: 1, seed: 1, slowMs: 0 })
  // Rarer than what meets one call alone.
  for (let calls = 0; calls < 100 && faults.met.flap === undefined; calls++)
    faults.meet({ isDelivery: false, nowMs: 1_000 })
  expect([faults.isAway(1_200), faults.isAway(3_000)]).toEqual([true, false])
  faults.change({ ...MANY_FAULTS, kinds: [] })
  expect(faults.isAway(1_200)).toBe(false)
})
