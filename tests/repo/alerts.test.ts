import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALARM_NAMES } from '#contract/operator/alarms.ts'
import { ALARMS } from '#server/modules/alarms/alarms.rules.ts'
import { DOMAIN_METRICS } from '#server/domain/metrics.ts'
import { type Definition, OPEN, PLATFORM_METRICS } from '#server/platform/metrics/metrics.ts'
import {
  alarmExpr,
  ALERTS_FILE,
  readAlertRules,
  readPanels,
  selectorsOf,
  valuesOf,
  type AlertRule,
  type Selector,
} from '#tests/support/alert-rules.ts'
import { provokedSeries } from '#tests/support/provoked-series.ts'

const METRICS: Record<string, Definition> = { ...PLATFORM_METRICS, ...DOMAIN_METRICS }
/** Labels that Prometheus itself gives. */
const OWN_LABELS = ['job', 'instance']

const ruleNames = /^ {6}- alert: (\w+)$/gm
const namesInFile = async () =>
  [...(await readFile(ALERTS_FILE, 'utf8')).matchAll(ruleNames)].map(([, name]) => name ?? '')

let rules: AlertRule[]
let panels: Awaited<ReturnType<typeof readPanels>>
let known: Map<string, string>
let atStart: string

/** What a process shows that has just started: in this one other tests may have counted and measured. */
async function metricsAtStart(): Promise<string> {
  const program = `
    await import('#server/domain/metrics.ts')
    const { measureProcess, metricsText } = await import('#server/platform/metrics/metrics.ts')
    measureProcess()
    console.log(await metricsText())`
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])).stdout
}

beforeAll(async () => {
  rules = await readAlertRules()
  panels = await readPanels()
  atStart = await metricsAtStart()
  known = new Map([['up', 'gauge']])
  for (const [, name = '', type = ''] of atStart.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (type !== 'histogram') known.set(name, type)
    else for (const suffix of ['count', 'sum', 'bucket']) known.set(`${name}_${suffix}`, type)
  }
})

test('every alarm of the console has one rule, with the runbook that the console shows', () => {
  for (const name of ALARM_NAMES) {
    const about = rules.filter(({ expr }) => expr === alarmExpr(name))
    expect(
      about.map(({ runbook }) => runbook),
      name,
    ).toEqual([`docs/runbooks/${ALARMS[name].runbook}`])
  }
  const alarms = rules.filter(({ expr }) => expr.includes('portal_alarm{'))
  expect(alarms).toHaveLength(ALARM_NAMES.length)
})

test('every rule has a name of its own and a runbook that there is, which says what to do', async () => {
  expect(rules.map(({ name }) => name)).toEqual(await namesInFile())
  expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  for (const { name, expr, runbook } of rules) {
    expect(existsSync(runbook), runbook).toBe(true)
    const alarm = /portal_alarm\{name="(.+?)"/.exec(expr)?.[1]
    expect(await readFile(runbook, 'utf8'), `${runbook} about ${name}`).toContain(alarm ?? name)
  }
})

describe('rules and panels', () => {
  const queries = () => [
    ...rules.map(({ name, expr }) => ({ name, exprs: [expr] })),
    ...panels.map(({ file, exprs }) => ({ name: file, exprs })),
  ]

  test('name metrics that there are, with labels and values that these take', () => {
    expect(panels.length).toBeGreaterThan(1)
    for (const { exprs } of panels) expect(exprs.length).toBeGreaterThan(8)
    for (const { name, exprs } of queries()) {
      for (const { metric, labels } of exprs.flatMap(selectorsOf)) {
        expect([...known.keys()], name).toContain(metric)
        const taken = METRICS[metric.replace(/_(count|sum|bucket)$/, '')]?.labels ?? {}
        const strange = Object.entries(labels).filter(
          ([label, value]) =>
            !OWN_LABELS.includes(label) && taken[label] !== OPEN && !taken[label]?.includes(value),
        )
        expect(strange, `${name}: ${metric}`).toEqual([])
      }
    }
  })

  test('find every counter at 0 before its first event, with each value of its labels', () => {
    const counters = queries()
      .flatMap(({ exprs }) => exprs.flatMap(selectorsOf))
      .filter(({ metric }) => known.get(metric) === 'counter')
    expect(counters.length).toBeGreaterThan(10)
    // What is open is known to the process that has read its configuration: metrics.db.test.ts.
    const isOpen = ({ metric }: Selector) => Object.values(METRICS[metric]?.labels ?? {}).includes(OPEN)
    const absent = counters.filter((one) => !isOpen(one) && valuesOf(atStart, one).length === 0)
    expect(absent).toEqual([])
    for (const [metric, { type, labels }] of Object.entries(METRICS)) {
      if (type !== 'counter') continue
      const sizes = Object.values(labels).map((values) => (values === OPEN ? 0 : values.length))
      const count = sizes.reduce((product, size) => product * size, 1)
      expect(
        valuesOf(atStart, { metric, labels: {} }).filter((value) => value === 0),
        metric,
      ).toHaveLength(count)
    }
  })

  test('find no gauge before its value is known: 0 would be one', () => {
    const gauges = Object.entries(METRICS).filter(([, { type }]) => type === 'gauge')
    const present = gauges.filter(([metric]) => valuesOf(atStart, { metric, labels: {} }).length > 0)
    expect(present).toEqual([])
  })

  test('show every metric of the portal', () => {
    const used = new Set(
      queries().flatMap(({ exprs }) =>
        exprs.flatMap(selectorsOf).map(({ metric }) => metric.replace(/_(count|sum|bucket)$/, '')),
      ),
    )
    expect(Object.keys(METRICS).filter((metric) => !used.has(metric))).toEqual([])
  })
})

describe('in the words of Prometheus', () => {
  const promtool = (...words: string[]) =>
    new Promise<{ code: number | string; text: string }>((done) => {
      execFile('promtool', words, (error, out, errors) =>
        done({ code: error === null ? 0 : (error.code ?? 1), text: out + errors }),
      )
    })

  test('each rule fires, also at the first event after a start, and none where all is well', async (context) => {
    const checked = await promtool('check', 'rules', ALERTS_FILE)
    if (checked.code === 'ENOENT') context.skip('promtool is not installed (package prometheus of Debian)')
    expect(checked, checked.text).toMatchObject({ code: 0 })
    const folder = await mkdtemp(join(tmpdir(), 'rules-'))
    try {
      const file = join(folder, 'test.json')
      // JSON is YAML.
      const tests = provokedSeries(rules)
      await writeFile(file, JSON.stringify({ rule_files: [resolve(ALERTS_FILE)], tests }))
      const tested = await promtool('test', 'rules', file)
      expect(tested, tested.text).toMatchObject({ code: 0 })
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
