import { expect, test } from 'vitest'
import { changesOf, missedBounds } from './report.ts'

test('the change of every figure that both reports have', () => {
  const before = { pages: { cached: { cpuMs: 0.16 }, ratios: [1, 0], nginx: 'nginx is not there' }, gone: 1 }
  const present = { pages: { cached: { cpuMs: 0.04 }, ratios: [2, 3], nginx: { cpuMs: 1 } }, added: 2 }
  expect(changesOf(before, present)).toEqual([
    'pages.cached.cpuMs: 0.16 → 0.04 (-75 %)',
    'pages.ratios.0: 1 → 2 (100 %)',
    'pages.ratios.1: 0 → 3',
  ])
})

test('figures outside their bounds are named', () => {
  const cached = { rateRatio: 0.64, cpuRatio: 1.6 }
  const report = { pages: { cached }, streams: { p99Ms: 301 }, alike: { login: { isAlike: false } } }
  expect(missedBounds(report)).toEqual([
    'pages.cached.rateRatio is 0.64, outside {"min":0.65}',
    'streams.p99Ms is 301, outside {"max":300}',
    'alike.login.isAlike is false',
  ])
})
