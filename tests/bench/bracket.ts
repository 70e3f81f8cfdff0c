import type { Page } from '@playwright/test'
import { gzipSync } from 'node:zlib'
import { buildIfNeeded } from '#scripts/build.ts'
import { contextOf, openBrowser, variantsOf } from '#scripts/screenshot-run.ts'
import { median } from '../harness/numbers.ts'
import { seriousFindings } from '../e2e/accessible.ts'
import { cpuMs, processesOf } from '../harness/resources.ts'
import { type BenchPortal, withBenchPortal } from './bench-portal.ts'
import { type Desk, openDesk } from './tournament-desk.ts'
import { openSlowPhone } from './visit.ts'

const MAX_ROUND = 7
const WARM_UP_CHANGES = 40
const CHANGES = 30
const SHOWN_CHANGES = 12
const SHOWN_MS_MAX = 20_000

/** The page of a tournament of 128 teams: what a change costs the portal, a slow phone that looks on, and what axe finds. */
export async function benchBracket({ runs }: { runs: number }) {
  await buildIfNeeded()
  return withBenchPortal(async (portal) => {
    const desk = await openDesk(portal, MAX_ROUND)
    const address = `${portal.url}/tournament/${desk.id}`
    const html = await (await fetch(address)).text()
    const perChangeMs = await costOfChange(portal, desk, address)
    await using browser = await openBrowser()
    const views: View[] = []
    while (views.length < runs) {
      await using context = await browser.newContext(contextOf({ size: 'phone', colorScheme: 'light' }))
      views.push(await watch(await openSlowPhone(context), address, desk))
    }
    const of = (figure: keyof View) => median(views.map((view) => view[figure]))
    const findings: string[] = []
    for (const variant of variantsOf(['phone', 'desktop'])) {
      await using context = await browser.newContext(contextOf(variant))
      const page = await context.newPage()
      await openFollowing(page, address)
      findings.push(...(await seriousFindings(page)))
    }
    if (findings.length > 0) console.error(findings.join('\n'))
    return {
      htmlGzipBytes: gzipSync(html).length,
      perChangeMs,
      lcpMs: of('lcpMs'),
      longestOpeningMs: of('longestOpeningMs'),
      longestMovingMs: of('longestMovingMs'),
      seriousFindings: findings.length,
    }
  })
}

/** CPU time of the portal for one result and the page that is rendered after it, once whoever asks. */
async function costOfChange(portal: BenchPortal, desk: Desk, address: string): Promise<number> {
  const { node } = await processesOf(portal)
  const change = async () => {
    await desk.act()
    await (await fetch(address)).text()
  }
  for (let count = 0; count < WARM_UP_CHANGES; count++) await change()
  const before = await cpuMs(node)
  for (let count = 0; count < CHANGES; count++) await change()
  return ((await cpuMs(node)) - before) / CHANGES
}

type View = {
  lcpMs: number
  /** The longest task until the page follows its tournament, and while results come in. */
  longestOpeningMs: number
  longestMovingMs: number
}

type Seen = { tasks: { at: number; ms: number }[]; lcpMs: number; changes: number }

/** Counts the changes of the matches from now on. */
function changesIn(): number {
  const { seen } = window as unknown as { seen: Seen }
  for (const part of document.querySelectorAll('.round-tabs, .bracket-tree'))
    new MutationObserver(() => (seen.changes += 1)).observe(part, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    })
  return seen.changes
}

/** Until the page follows its tournament. */
async function openFollowing(page: Page, address: string): Promise<void> {
  const isFollowing = page.waitForResponse((answer) => answer.url().includes('/events'))
  await page.goto(address)
  await isFollowing
}

async function watch(page: Page, address: string, desk: Desk): Promise<View> {
  await page.addInitScript(() => {
    const seen: Seen = { tasks: [], lcpMs: 0, changes: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        seen.tasks.push({ at: startTime, ms: duration })
    }).observe({ type: 'longtask', buffered: true })
    new PerformanceObserver((list) => {
      seen.lcpMs = list.getEntries().at(-1)?.startTime ?? 0
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
  await openFollowing(page, address)
  const opened = await page.evaluate(
    () => new Promise<number>((resolve) => requestIdleCallback(() => resolve(performance.now()))),
  )
  for (let count = 0; count < SHOWN_CHANGES; count++) {
    const before = await page.evaluate(changesIn)
    await desk.act()
    await page.waitForFunction(
      (known) => (window as unknown as { seen: Seen }).seen.changes > known,
      before,
      { timeout: SHOWN_MS_MAX },
    )
  }
  const { tasks, lcpMs } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen)
  const longest = (from: number, to: number) =>
    Math.max(0, ...tasks.filter(({ at }) => at >= from && at < to).map(({ ms }) => ms))
  return { lcpMs, longestOpeningMs: longest(0, opened), longestMovingMs: longest(opened, Infinity) }
}
