import { allStates } from '#tests/support/page-states/all-states.ts'
import { openState } from '#tests/support/page-states/page-state.ts'
import { expectReadableInLargeLetters } from '../layout.ts'
import { appendFileSync } from 'node:fs'
import { test } from './fixtures.ts'
test.use({ viewport: { width: 360, height: 740 } })
test('probe', async ({ page, callers, consoleErrors }) => {
  test.setTimeout(560_000)
  consoleErrors.expect(/.*/)
  const seen = new Set<string>()
  for (const state of allStates) {
    const base = process.env.PROBE_ALL ? state.name : `${state.route} ${state.player ? 'p' : 'v'} ${state.modal ?? ''} ${state.prepare ? state.name : ''}`
    if (seen.has(base)) continue
    seen.add(base)
    await page.context().clearCookies()
    await page.unrouteAll()
    try { await openState(page, state, callers) } catch (e) { appendFileSync('/tmp/probe.txt', `OPEN ${state.name} ${String(e).slice(0,100)}\n`); continue }
    for (const check of [expectReadableInLargeLetters]) {
      try { await check(page) } catch (e) { appendFileSync('/tmp/probe.txt', `== ${state.name} ${state.route}\n${String(e).split('\n').filter((l) => /^\s*[+]|%|lines|wide|tab/.test(l.replace(/\u001b\[\d+m/g,''))).join('\n')}\n`) }
    }
  }
})
