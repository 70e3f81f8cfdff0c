import { findChromium } from '#tests/support/chromium.ts'
import { browserReport, BROWSER_SHARES } from './browser-shares.ts'
import { buildIfNeeded } from './build.ts'
import { runSteps, runTogether, type Step } from './steps.ts'

/**
 * `npm run e2e`: the built portal in a real Chromium. Without a Chromium it fails and says why; it never skips.
 * The tests are shared out among runs beside each other, each against a portal of its own, since a browser test mostly
 * waits. With arguments for Playwright it is run once, with those.
 */
const given = process.argv.slice(2)

function stepsFor(chromium: string): Step[] {
  if (given.length > 0) {
    return [
      {
        name: 'playwright',
        command: ['playwright', 'test', ...given],
        environment: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: '.cache/playwright.json' },
      },
    ]
  }
  return Array.from({ length: BROWSER_SHARES }, (_, index) => index + 1).map((share) => ({
    name: `playwright, share ${share} of ${BROWSER_SHARES}`,
    command: [
      'playwright',
      'test',
      `--shard=${share}/${BROWSER_SHARES}`,
      `--output=.cache/playwright-results-${share}`,
    ],
    environment: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport(share) },
  }))
}

try {
  const chromium = await findChromium()
  await buildIfNeeded()
  const steps = stepsFor(chromium)
  const { failed } = await (given.length > 0 ? runSteps(steps) : runTogether(steps))
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
