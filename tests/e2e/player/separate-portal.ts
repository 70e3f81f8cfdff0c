import { rm } from 'node:fs/promises'
import type { APIRequestContext } from '@playwright/test'
import { startPortalProcess, type PortalProcess } from '#tests/support/processes.ts'
import { copyStartedDemo } from '../global-setup.ts'
import { test } from './fixtures.ts'

/** Filled before the first test. */
export type SeparatePortal = { url: string; dataDir: string }

/** A demo portal for one test file, whose pages then open there: what the file does to it would disturb other tests. */
export function useSeparatePortal(
  prepare?: (request: APIRequestContext, portal: SeparatePortal) => Promise<void>,
): SeparatePortal {
  const separate: SeparatePortal = { url: '', dataDir: '' }
  let portal: PortalProcess | undefined
  test.beforeAll(async ({ playwright }) => {
    test.setTimeout(120_000)
    separate.dataDir = await copyStartedDemo()
    const environment = { DEMO: '1', LOG_LEVEL: 'warn' }
    portal = await startPortalProcess({ dataDir: separate.dataDir, environment })
    separate.url = portal.url
    const request = await playwright.request.newContext({ baseURL: separate.url })
    await prepare?.(request, separate)
    await request.dispose()
  })
  test.afterAll(async () => {
    await portal?.end()
    await rm(separate.dataDir, { recursive: true, force: true })
  })
  test.use({
    baseURL: async ({ browserName: _browser }, use) => {
      await use(separate.url)
    },
  })
  return separate
}
