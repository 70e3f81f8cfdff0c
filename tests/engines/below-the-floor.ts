import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { pages } from '#contract/pages.ts'

export const PICTURES = fileURLToPath(new URL('../../screenshots/old-browsers/', import.meta.url))

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

export type Found = {
  isTold: boolean
  hasBegun: boolean
  words: number
  overflow: number
  logo: number
  height: number
  /** Words that nothing parts. */
  joined: string[]
}

export const WIDTHS = [360, 1280] as const

export const pathsFrom = async (url: string): Promise<string[]> => [
  ...PUBLIC_PATHS,
  await firstOf(`${url}/home`, /href="(\/post\/[^"]+)"/),
  await firstOf(`${url}/tournaments`, /href="(\/tournament\/[^"]+)"/),
  '/admin',
]

export const pictureOf = (engine: string, width: number, path: string): string =>
  join(PICTURES, `${engine}-${width}${path.replaceAll('/', '-')}.png`)

/** What is wrong with a page. */
export const judge = (place: string, found: Found): string[] =>
  [
    !found.isTold && 'nothing says that the browser is too old',
    found.hasBegun && 'its scripts begin',
    found.words < 20 && `only ${found.words} words`,
    found.overflow > 0 && `${found.overflow} px wider than the screen`,
    found.joined.length > 0 && `words are joined: ${found.joined.join(', ')}`,
    found.logo > 180 && `a logo of ${found.logo} px`,
  ].flatMap((what) => (what === false ? [] : [`${place}: ${what}`]))

/** Every public page and the console are readable in a Chromium below the floor; returns what is wrong. */
export async function readableBelowFloor(executablePath: string, url: string): Promise<string[]> {
  await mkdir(PICTURES, { recursive: true })
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const version = browser.version().split('.')[0]
  const wrong: string[] = []
  const paths = await pathsFrom(url)
  try {
    for (const width of WIDTHS) {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      page.on('pageerror', (error) => wrong.push(`${page.url()}: ${error.message}`))
      for (const path of paths) {
        await page.goto(url + path, { waitUntil: 'load' })
        const found = await page.evaluate<Found>(LOOK)
        wrong.push(...judge(`Chromium ${version}, ${width}, ${path}`, found))
        // One of this age paints nothing beyond its window.
        await page.setViewportSize({ width, height: Math.min(found.height, 4_000) })
        await page.screenshot({ path: pictureOf(`chromium-${version}`, width, path) })
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
    joined: [...document.body.querySelectorAll<HTMLElement>('* + *')].flatMap((element) => {
      const before = element.previousSibling
      if (!(before instanceof HTMLElement) || !before.textContent.trim() || !element.textContent.trim())
        return []
      const [end, start] = [[...before.getClientRects()].pop(), element.getClientRects()[0]]
      const inside =
        parseFloat(getComputedStyle(before).paddingRight) + parseFloat(getComputedStyle(element).paddingLeft)
      const isJoined =
        end &&
        start &&
        Math.abs(start.left - end.right) + inside < 2 &&
        Math.abs(end.bottom - start.bottom) < 8
      return isJoined ? [`${before.textContent}${element.textContent}`.slice(0, 60)] : []
    }),
  }
}

export const LOOK = `(${String(look)})()`
