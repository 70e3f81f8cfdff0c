import { findChromium, findFallbackFont } from '#tests/support/chromium.ts'
import { buildIfNeeded } from './build.ts'
import { runSteps } from './steps.ts'
import { inTestRun } from './test-run.ts'

/** `npm run e2e`: the built portal in a real Chromium. Without a Chromium it fails and explains why; it never skips. */
try {
  const chromium = await findChromium()
  await findFallbackFont()
  await buildIfNeeded()
  await inTestRun(async () => {
    const { failed } = await runSteps([
      {
        name: 'playwright',
        command: ['playwright', 'test', ...process.argv.slice(2)],
        environment: { CHROMIUM_PATH: chromium },
      },
    ])
    process.exitCode = failed > 0 ? 1 : 0
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
