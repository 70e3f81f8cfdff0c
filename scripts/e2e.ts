import { findChromium } from '#tests/support/chromium.ts'
import { buildIfNeeded } from './build.ts'
import { runSteps } from './steps.ts'

/**
 * `npm run e2e`: the built portal in a real Chromium. Without a Chromium it fails and says why; it never skips.
 * `npm run e2e:all` also runs what takes long and rarely finds more: see `playwright.config.ts`.
 */
const isWhole = process.argv[2] === '--all'
const options = process.argv.slice(isWhole ? 3 : 2)
try {
  const chromium = await findChromium()
  await buildIfNeeded()
  const { failed } = await runSteps([
    {
      name: 'playwright',
      command: ['playwright', 'test', ...options],
      environment: { CHROMIUM_PATH: chromium, E2E_ALL: isWhole ? '1' : '' },
    },
  ])
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
