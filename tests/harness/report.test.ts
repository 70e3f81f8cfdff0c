import { expect, test } from 'vitest'
import { changesOf } from './report.ts'

test('the change of every figure that both reports have', () => {
  const before = { pages: { cached: { cpuMs: 0.16 }, ratios: [1, 0], nginx: 'nginx is not there' }, gone: 1 }
  const present = { pages: { cached: { cpuMs: 0.04 }, ratios: [2, 3], nginx: { cpuMs: 1 } }, added: 2 }
  expect(changesOf(before, present)).toEqual([
    'pages cached cpuMs: 0.16 → 0.04 (-75 %)',
    'pages ratios 0: 1 → 2 (100 %)',
    'pages ratios 1: 0 → 3',
  ])
})
