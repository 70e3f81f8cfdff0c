import { resolve } from 'node:path'
import { defineConfig } from '@playwright/test'
import { hasAllCases, keepFilesInMemory } from './tests/support/test-run.ts'
import { CHROMIUM_FLAGS } from './tests/support/chromium.ts'

// Each worker starts a portal, compiled once for all of them.
process.env.NODE_COMPILE_CACHE ??= resolve('.cache/compiled')
keepFilesInMemory()

const flags = [
  ...CHROMIUM_FLAGS,
  // The headless shell would fit letters to whole pixels, unlike a phone and unlike the whole browser.
  '--font-render-hinting=none',
]

// The console's tasks go one way at each size: half of them run on a phone, half on a desktop; all at both with all cases.
const CONSOLE_TASKS_ON_A_PHONE =
  /e2e\/admin\/(back-button|campaigns|client-errors|deletion-requests|desk|downloads|game-names|lost-files|operation|overview|planned-prices|returned-account|screens|told-by-game|tournament)\.e2e\.ts$/
const CONSOLE_TASKS_ON_A_DESKTOP =
  /e2e\/admin\/(cashier-day|console|game-comparison|lazy-screens|legal|list-rows|money|paste|players|posts|reconciliation)\.e2e\.ts$/

/** For another engine, in which each of the named tests is tried on a phone and on a desktop. */
const isEachAtBothSizes = process.env.EACH_AT_BOTH_SIZES === '1'

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/global-setup.ts',
  outputDir: '.cache/playwright-results',
  fullyParallel: false,
  // More than cores, since each mostly waits for its browser; each has a portal of its own.
  workers: 3,
  forbidOnly: true,
  // Further states of pages of which the first state is looked at.
  ...(!hasAllCases && { grepInvert: /@long/ }),
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: {
    browserName: 'chromium',
    // A tab of its own would cost each test more than most tests do. Between tests the tab's pages, cookies, storage,
    // caches, routes and init scripts are cleared; a test that changes more, like a permission, takes it back.
    reuseContext: true,
    // A page lives without the offline worker, and each browser would start one; where it is meant, it is allowed.
    serviceWorkers: 'block',
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      // Chromium's sandbox refuses to run as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...flags] : flags,
    },
  },
  projects: [
    {
      name: 'phone',
      ...(!hasAllCases && !isEachAtBothSizes && { testIgnore: CONSOLE_TASKS_ON_A_DESKTOP }),
      ...((!hasAllCases || isEachAtBothSizes) && { grepInvert: /@long|@desktop/ }),
      use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
    },
    {
      name: 'desktop',
      // What looks at every page or at the frame around it. What somebody does step by step is the same at each size.
      ...(!isEachAtBothSizes && {
        testMatch: hasAllCases
          ? /((accessibility|layout-shift|shell|walk)\.e2e\.ts|e2e\/admin\/(?!lost-files).*\.e2e\.ts)$/
          : /(shell\.e2e\.ts|e2e\/admin\/.*\.e2e\.ts)$/,
      }),
      ...(!hasAllCases && !isEachAtBothSizes && { testIgnore: CONSOLE_TASKS_ON_A_PHONE }),
      grepInvert: hasAllCases && !isEachAtBothSizes ? /@phone-only/ : /@long|@phone/,
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
})
