import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { ALARMS } from '#server/modules/alarms/alarms.rules.ts'
import { DOMAIN_METRICS } from '#server/domain/metrics.ts'
import { measureProcess, metricsText, PLATFORM_METRICS } from '#server/platform/metrics/metrics.ts'
import {
  ALERTS_FILE,
  conditionOf,
  isFiring,
  readAlertRules,
  type AlertRule,
} from '#tests/support/alert-rules.ts'

const METRICS = { ...PLATFORM_METRICS, ...DOMAIN_METRICS }

const DASHBOARDS = 'deploy/grafana'
const ruleNames = /^ {6}- alert: (\w+)$/gm
const namesInFile = async () =>
  [...(await readFile(ALERTS_FILE, 'utf8')).matchAll(ruleNames)].map(([, name]) => name ?? '')

let rules: AlertRule[]
let known: Set<string>
beforeAll(async () => {
  rules = await readAlertRules()
  measureProcess()
  const served = [...(await metricsText()).matchAll(/^# TYPE (\w+) (\w+)$/gm)]
  known = new Set([
    // Made by Prometheus itself for each process that it scrapes.
    'up',
    ...served.flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_count`, `${name}_sum`, `${name}_bucket`] : [name],
    ),
  ])
})

test('every alarm of the console has one rule, with the runbook that the console shows', () => {
  for (const name of ALARM_NAMES) {
    const about = rules.filter(({ expr }) => expr.includes(`portal_alarm{name="${name}"}`))
    expect(
      about.map(({ runbook }) => runbook),
      name,
    ).toEqual([`docs/runbooks/${ALARMS[name].runbook}`])
  }
  const alarms = rules.filter(({ expr }) => expr.includes('portal_alarm{'))
  expect(alarms).toHaveLength(ALARM_NAMES.length)
})

test('every rule is about a metric that there is, and has a runbook that there is', async () => {
  expect(rules.map(({ name }) => name)).toEqual(await namesInFile())
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  for (const rule of rules) {
    const { metric, label } = conditionOf(rule)
    expect(known, rule.name).toContain(metric)
    const defined = METRICS[metric.replace(/_(count|sum|bucket)$/, '') as keyof typeof METRICS]
    const labels: readonly string[] = defined?.labels ?? ['job']
    expect([null, ...labels], rule.name).toContain(label?.name ?? null)
    expect(existsSync(rule.runbook), rule.runbook).toBe(true)
  }
})

async function metricsOfDashboard(file: string): Promise<string[]> {
  const { panels } = JSON.parse(await readFile(join(DASHBOARDS, file), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  return panels
    .flatMap(({ targets }) => targets)
    .flatMap(({ expr }) => expr.match(/\b(portal|nodejs|process)_\w+/g) ?? [])
}

test('every panel of the dashboards is about metrics that there are', async () => {
  const files = await readdir(DASHBOARDS)
  expect(files.length).toBeGreaterThan(1)
  for (const file of files) {
    const named = await metricsOfDashboard(file)
    expect(named.length, file).toBeGreaterThan(8)
    for (const metric of named) expect(known, file).toContain(metric)
  }
})

test('every metric of the portal stands in a panel or a rule', async () => {
  const shown = (await Promise.all((await readdir(DASHBOARDS)).map(metricsOfDashboard))).flat()
  const watched = [...shown, ...rules.map((rule) => conditionOf(rule).metric)]
  const used = new Set(watched.map((metric) => metric.replace(/_(count|sum|bucket)$/, '')))
  expect(Object.keys(METRICS).filter((metric) => !used.has(metric))).toEqual([])
})

const lineOf = (rule: AlertRule, value: number) => {
  const { metric, label } = conditionOf(rule)
  return `${metric}${label ? `{${label.name}="${label.value}"}` : ''} ${value}\n`
}

/** A value on the other side of the limit, and one within it. */
function valuesAround(rule: AlertRule): { beyond: number; within: number } {
  const { change, isAge, isAbove, limit, rangeSeconds } = conditionOf(rule)
  const now = Date.now() / 1_000
  if (isAge) return { beyond: now - limit - 60, within: now - limit + 60 }
  if (!isAbove) return { beyond: limit - 1, within: limit }
  const most = change === 'rate' ? limit * rangeSeconds : limit
  return { beyond: most + 1, within: most }
}

test('every rule fires beyond its limit, and not within it or where nothing is known', () => {
  for (const rule of rules) {
    const before = lineOf(rule, 0)
    const { beyond, within } = valuesAround(rule)
    expect(isFiring(rule, { before, now: lineOf(rule, beyond) }), rule.name).toBe(true)
    expect(isFiring(rule, { before, now: lineOf(rule, within) }), rule.name).toBe(false)
    expect(isFiring(rule, { before: '', now: '' }), rule.name).toBe(false)
  }
})

describe('in the words of Prometheus', () => {
  const promtool = (...words: string[]) =>
    new Promise<{ code: number | string; text: string }>((done) => {
      execFile('promtool', words, (error, out, errors) =>
        done({ code: error === null ? 0 : (error.code ?? 1), text: out + errors }),
      )
    })

  test('the rules can be loaded, and each fires', { timeout: 120_000 }, async (context) => {
    const checked = await promtool('check', 'rules', ALERTS_FILE)
    if (checked.code === 'ENOENT') context.skip('promtool is not installed (package prometheus of Debian)')
    expect(checked, checked.text).toMatchObject({ code: 0 })
    const folder = await mkdtemp(join(tmpdir(), 'rules-'))
    try {
      const file = join(folder, 'test.json')
      // JSON is YAML.
      await writeFile(file, JSON.stringify({ rule_files: [resolve(ALERTS_FILE)], tests: rules.map(firing) }))
      const tested = await promtool('test', 'rules', file)
      expect(tested, tested.text).toMatchObject({ code: 0 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  /** A series of minutes that is beyond the limit all the time, and that the rule fires at its end. */
  function firing(rule: AlertRule) {
    const { change, isAge, isAbove, limit, rangeSeconds } = conditionOf(rule)
    // Longer than any rule waits. The clock of these tests starts at 0.
    const minutes = 120
    const step =
      change === 'rate' ? (limit + 1) * 60 : (limit + 1) * Math.ceil(3_600 / (rangeSeconds || 3_600))
    const value = isAge ? -limit : isAbove ? limit + 1 : limit - 1
    const series = lineOf(rule, 0).trim().replace(/ 0$/, '').replace(/^up$/, 'up{job="cong-ninja"}')
    return {
      interval: '1m',
      input_series: [{ series, values: change === null ? `${value}x${minutes}` : `0+${step}x${minutes}` }],
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${rule.name}",alertstate="firing"})`,
          eval_time: `${minutes}m`,
          exp_samples: [{ labels: '{}', value: 1 }],
        },
      ],
    }
  }
})
