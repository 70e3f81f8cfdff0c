import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invariant } from '#server/platform/values/errors.ts'

export const ALERTS_FILE = 'deploy/alerts.yml'
export const DASHBOARDS = 'deploy/grafana'

export type AlertRule = { name: string; expr: string; waits: string; severity: string; runbook: string }

/** The rules of the portal. They are written in one form, a line for each field, which this reads. */
export async function readAlertRules(): Promise<AlertRule[]> {
  const blocks = (await readFile(ALERTS_FILE, 'utf8')).split(/^ {6}- alert: /m).slice(1)
  return blocks.map((block) => {
    const field = (key: string) => new RegExp(`^ +${key}: '?(.+?)'?$`, 'm').exec(block)?.[1]
    const [name, expr, waits, severity, runbook] = [
      /^\w+/.exec(block)?.[0],
      field('expr'),
      field('for'),
      field('severity'),
      field('runbook'),
    ]
    invariant(name && expr && waits && severity && runbook, `a rule is whole: ${block}`)
    return { name, expr, waits, severity, runbook }
  })
}

/** What the panels of each dashboard query. */
export async function readPanels(): Promise<{ file: string; exprs: string[] }[]> {
  return Promise.all(
    (await readdir(DASHBOARDS)).map(async (file) => {
      const { panels } = JSON.parse(await readFile(join(DASHBOARDS, file), 'utf8')) as {
        panels: { targets: { expr: string }[] }[]
      }
      return { file, exprs: panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)) }
    }),
  )
}

export type Selector = { metric: string; labels: Record<string, string> }

/** The series that an expression names, with the labels that they must have. */
export const selectorsOf = (expr: string): Selector[] =>
  [...expr.matchAll(/\b((?:portal|nodejs|process)_\w+|up)\b(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', matchers = '']) => ({
      metric,
      labels: Object.fromEntries(
        [...matchers.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => [label, value]),
      ),
    }),
  )

/** The values of the series of a scrape that a selector means. */
export function valuesOf(scrape: string, { metric, labels }: Selector): number[] {
  return scrape.split('\n').flatMap((line) => {
    const [, name, text = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const isMeant = Object.entries(labels).every(([label, wanted]) =>
      `,${text}`.includes(`,${label}="${wanted}"`),
    )
    return name === metric && isMeant ? [Number(value)] : []
  })
}

/** The one form of the rules about alarms of the console. */
export const alarmExpr = (name: string) => `max(portal_alarm{name="${name}"}) > 0`
