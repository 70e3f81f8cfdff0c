import { defineConfig } from '@playwright/test'

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './tests/e2e/global-setup.ts',
  outputDir: '.cache/playwright-results',
  fullyParallel: false,
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // scripts/e2e.ts names the file.
  reporter: [['list'], ['json']],
  use: {
    browserName: 'chromium',
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '',
      // Chromium's sandbox refuses to run as root.
      args: process.getuid?.() === 0 ? ['--no-sandbox', ...flags] : flags,
    },
  },
  projects: [
    { name: 'phone', use: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } },
    {
      name: 'desktop',
      // What these show does not depend on the size: bytes, refusals, lost networks, consent, hostile text, one greeting,
      // the words, codes and letters.
      testIgnore:
        /(bytes|error-catalogue|hostile|resilience|pixel|splash|language|forgotten-password|contacts|second-factor)\.e2e\.ts$/,
      use: { viewport: { width: 1280, height: 800 } },
    },
  ],
})
