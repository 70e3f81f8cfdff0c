import { gzipSync } from 'node:zlib'
import { expect, type Locator, type Page, type Request } from '@playwright/test'

/** More on a first visit: the question about the pixel, its answer, and the greeting. */
export const PIXEL_JS_GZIP_MAX = 2_500

/** Where most first visits begin. */
export const BUDGETED_PAGES = ['/home', '/post/1', '/download', '/gem-calculator', '/tournament/1']

type Shift = { value: number; sources: { node: Node | null }[] }

/** The portal's own scripts that a page has fetched, each counted once, as the server sends them compressed. */
export function watchScripts(page: Page, origin: string) {
  const bodies = new Map<string, Promise<Buffer>>()
  page.on('response', (response) => {
    const isScript = /javascript/.test(response.headers()['content-type'] ?? '')
    if (isScript && response.url().startsWith(origin)) bodies.set(response.url(), response.body())
  })
  return {
    urls: () => [...bodies.keys()],
    async gzipBytes(): Promise<number> {
      const sizes = [...bodies.values()].map(async (body) => gzipSync(await body).length)
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    },
  }
}

/** Everything a page has fetched from the portal, with its headers, as it travels. */
export function watchTraffic(page: Page, origin: string) {
  const sizes = new Map<string, Promise<number>>()
  page.on('requestfinished', (request) => {
    if (request.url().startsWith(origin)) sizes.set(request.url(), sizeOf(request))
  })
  return async () => {
    const bytes = await Promise.all(sizes.values())
    return { requests: bytes.length, bytes: bytes.reduce((sum, size) => sum + size, 0) }
  }
}

async function sizeOf(request: Request): Promise<number> {
  const { responseBodySize, responseHeadersSize } = await request.sizes()
  return responseBodySize + responseHeadersSize
}

/**
 * From the next document on, everything that moves. Also what the browser takes for an answer to an input: on a
 * phone it counts the first half second of each document as one, and these tests touch nothing.
 */
export async function watchShifts(page: Page): Promise<{ sum(): Promise<number>; moved(): Promise<string> }> {
  await page.addInitScript(() => {
    const shifts: { value: number; what: string }[] = []
    Object.assign(globalThis, { shifts })
    const nameOf = ({ node }: { node: Node | null }) =>
      node instanceof Element ? `<${node.localName} class="${node.className}">` : `"${node?.textContent}"`
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as Shift[]) {
        shifts.push({ value: entry.value, what: entry.sources.map(nameOf).join(', ') })
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const read = () =>
    page.evaluate(() => (globalThis as unknown as { shifts: { value: number; what: string }[] }).shifts)
  return {
    sum: async () => (await read()).reduce((sum, { value }) => sum + value, 0),
    moved: async () => (await read()).map(({ value, what }) => `${value.toFixed(4)}: ${what}`).join('\n'),
  }
}

/** Streams of tournaments end at once, for tests that wait until a page is silent. */
export const endStreams = (page: Page) =>
  page.route('**/api/tournaments/*/events*', (route) =>
    route.fulfill({ status: 200, contentType: 'text/event-stream', body: '' }),
  )

/** Waits until everything has loaded: data, fonts, and the session's data. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
}

/** Waits until React handles what the server has rendered; before that a link opens a new document. */
export async function hydrated(rendered: Locator): Promise<void> {
  const isReacts = () =>
    rendered.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactProps$')))
  await expect.poll(isReacts).toBe(true)
}

/** A click on a button of the first document does nothing before its scripts run. */
export async function clickHydrated(button: Locator): Promise<void> {
  await hydrated(button)
  await button.click()
}

/** For `evaluate`, by the clock of the page: the text of the toast that comes, and how long it is there. */
export const watchToast = () =>
  new Promise<{ text: string; ms: number }>((resolve) => {
    let text: string | undefined
    let since = 0
    new MutationObserver((_, observer) => {
      const toast = document.querySelector('output .toast')
      if (text === undefined && toast) [text, since] = [toast.textContent, performance.now()]
      if (text === undefined || toast) return
      observer.disconnect()
      resolve({ text, ms: performance.now() - since })
    }).observe(document.body, { childList: true, subtree: true })
  })
