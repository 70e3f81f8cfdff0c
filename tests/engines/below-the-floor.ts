import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { pages } from '#contract/pages.ts'

const PICTURES = fileURLToPath(new URL('../../screenshots/old-browsers/', import.meta.url))

/** Pages for everybody whose address names nothing. */
const PUBLIC_PATHS = Object.values(pages).flatMap((page) => {
  const path = page.path.replace(/\/:\w+\?$/, '')
  return page.access === 'open' && !/[:*]/.test(path) ? [path] : []
})

/** The first page that a list leads to. */
async function firstOf(list: string, pattern: RegExp): Promise<string> {
  const path = pattern.exec(await (await fetch(list)).text())?.[1]
  if (path === undefined) throw new Error(`${list} leads to no ${pattern.source}`)
  return path
}

type Found = {
  isTold: boolean
  hasBegun: boolean
  words: number
  overflow: number
  logo: number
  height: number
}

/** Every public page and the console are readable in a Chromium below the floor; returns what is wrong. */
export async function readableBelowFloor(executablePath: string, url: string): Promise<string[]> {
  await mkdir(PICTURES, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const version = browser.version().split('.')[0]
  const wrong: string[] = []
  const paths = [
    ...PUBLIC_PATHS,
    await firstOf(`${url}/home`, /href="(\/post\/[^"]+)"/),
    await firstOf(`${url}/tournaments`, /href="(\/tournament\/[^"]+)"/),
    '/admin',
  ]
  try {
    for (const width of [360, 1280]) {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
      for (const path of paths) {
        await page.goto(url + path, { waitUntil: 'load' })
        const found = await page.evaluate<Found>(`(${String(look)})()`)
        const place = `Chromium ${version}, ${width}, ${path}`
        if (!found.isTold) wrong.push(`${place}: nothing says that the browser is too old`)
        if (found.hasBegun) wrong.push(`${place}: its scripts begin`)
        if (found.words < 20) wrong.push(`${place}: only ${found.words} words`)
        if (found.overflow > 0) wrong.push(`${place}: ${found.overflow} px wider than the screen`)
        if (found.logo > 180) wrong.push(`${place}: a logo of ${found.logo} px`)
        const name = `chromium-${version}-${width}${path.replaceAll('/', '-')}.png`
        // One of this age paints nothing beyond its window.
        await page.setViewportSize({ width, height: Math.min(found.height, 4_000) })
        await page.screenshot({ path: join(PICTURES, name) })
        await page.setViewportSize({ width, height: 800 })
      }
      await page.close()
    }
  } finally {
    await browser.close()
  }
  return wrong
}

/** In the page. */
function look(): Found {
  const told = document.querySelector<HTMLElement>('.old-browser')
  return {
    isTold: (told?.offsetHeight ?? 0) > 0 && told?.innerText.includes('quá cũ') === true,
    hasBegun: document.querySelector('script[src]') !== null,
    words: document.body.innerText.split(/\s+/).length,
    overflow: document.documentElement.scrollWidth - innerWidth,
    logo: document.querySelector<HTMLElement>('.shell-logo img')?.offsetWidth ?? 0,
    height: document.documentElement.scrollHeight,
  }
}
