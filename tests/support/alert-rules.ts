import { readFile } from 'node:fs/promises'
import { invariant } from '#server/platform/values/errors.ts'

export const ALERTS_FILE = 'deploy/alerts.yml'

export type AlertRule = { name: string; expr: string; waits: string; runbook: string }

/** The rules of the portal. They are written in one form, a line for each field, which this reads. */
export async function readAlertRules(): Promise<AlertRule[]> {
  const blocks = (await readFile(ALERTS_FILE, 'utf8')).split(/^ {6}- alert: /m).slice(1)
  return blocks.map((block) => {
    const field = (key: string) => new RegExp(`^ +${key}: '?(.+?)'?$`, 'm').exec(block)?.[1]
    const [name, expr, waits, runbook] = [
      /^\w+/.exec(block)?.[0],
      field('expr'),
      field('for'),
      field('runbook'),
    ]
    invariant(name && expr && waits && runbook, `a rule is whole: ${block}`)
    return { name, expr, waits, runbook }
  })
}

type Condition = {
  isAge: boolean
  aggregate: 'max' | 'min' | 'sum'
  change: 'rate' | 'increase' | null
  metric: string
  label: { name: string; value: string } | null
  rangeSeconds: number
  isAbove: boolean
  limit: number
}

const SECONDS = { m: 60, h: 3_600 }

/** The little of PromQL that the rules use: `AGGREGATE(METRIC)` beyond a limit, its age, or its change in a range. */
export function conditionOf({ name, expr }: Pick<AlertRule, 'name' | 'expr'>): Condition {
  const found =
    /^(time\(\) - )?(max|min|sum)\((?:(rate|increase)\()?(\w+)(?:\{(\w+)="([^"]*)"\})?(?:\[(\d+)([mh])\]\))?\) ([<>]) ([\d.]+)$/.exec(
      expr,
    )
  invariant(found, `${name} has a form that its test can evaluate: ${expr}`)
  const [, age, aggregate, change, metric, label, value, range, unit, sign, limit] = found
  return {
    isAge: age !== undefined,
    aggregate: aggregate as Condition['aggregate'],
    change: (change as Condition['change']) ?? null,
    metric: metric ?? '',
    label: label === undefined ? null : { name: label, value: value ?? '' },
    rangeSeconds: range === undefined ? 0 : Number(range) * SECONDS[unit as 'm' | 'h'],
    isAbove: sign === '>',
    limit: Number(limit),
  }
}

/** The values of a scrape that a condition is about. */
function valuesOf(scrape: string, { metric, label }: Condition): number[] {
  return scrape.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (name !== metric) return []
    const isMeant = label === null || `,${labels}`.includes(`,${label.name}="${label.value}"`)
    return isMeant ? [Number(value)] : []
  })
}

/** Whether the rule fires at the second of two scrapes; `for` is left out. */
export function isFiring(rule: AlertRule, scrapes: { before: string; now: string }): boolean {
  const condition = conditionOf(rule)
  const { aggregate, change, rangeSeconds, isAge, isAbove, limit } = condition
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0)
  const values = valuesOf(scrapes.now, condition)
  // Prometheus compares nothing where there is no value.
  if (values.length === 0) return false
  let value = aggregate === 'sum' ? sum(values) : Math[aggregate](...values)
  if (change !== null) value -= sum(valuesOf(scrapes.before, condition))
  if (change === 'rate') value /= rangeSeconds
  if (isAge) value = Date.now() / 1_000 - value
  return isAbove ? value > limit : value < limit
}
