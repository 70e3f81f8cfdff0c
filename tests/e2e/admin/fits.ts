import { expect, type Page } from '@playwright/test'

/** Small and usual phones, a tablet, small and usual desktops. */
const WINDOWS = [
  { width: 360, height: 640 },
  { width: 800, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]

/** How far a value may be from its name, in the same line. */
const VALUE_GAP_MAX = 250

/**
 * In each window no screen is wider than it, nothing that can be done lies off it, a table that is scrolled says so, and
 * values stand at their names; a list's first row is in the first screen of a small phone.
 */
export async function expectFits(page: Page, address: string): Promise<void> {
  const usual = page.viewportSize()!
  for (const window of WINDOWS) {
    await page.setViewportSize(window)
    await expect
      .poll(() => page.evaluate(misfits, VALUE_GAP_MAX), {
        message: `${address} at ${window.width} × ${window.height}`,
      })
      .toEqual([])
  }
  await page.setViewportSize(usual)
}

function misfits(gapMax: number): string[] {
  const found: string[] = []
  const isShown = (one: Element) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1
  const nameOf = (one: Element) => one.getAttribute('aria-label') ?? one.textContent.trim().slice(0, 40)
  const page = document.documentElement
  if (page.scrollWidth > page.clientWidth) found.push(`the page is ${page.scrollWidth} px wide`)

  for (const act of document.querySelectorAll('main :is(button, a[href], input, select, summary)')) {
    if (!isShown(act) || act.closest('dialog')) continue
    const isOfRow = act.closest('td[data-part=acts]') !== null
    // What lies in a part that is scrolled is reached there; acts of a row are in sight without that.
    const scrolled = act.closest('.wide-box, .overflow-x-auto, .overflow-auto')
    if (scrolled && !isOfRow) continue
    const edge = scrolled ? scrolled.getBoundingClientRect() : { left: 0, right: page.clientWidth }
    const { left, right } = act.getBoundingClientRect()
    if (left < edge.left - 1 || right > edge.right + 1) found.push(`“${nameOf(act)}” is off the screen`)
  }

  for (const box of document.querySelectorAll<HTMLElement>('main .wide-box')) {
    if (!isShown(box) || box.scrollWidth <= box.clientWidth + 1) continue
    const isSaid = /Còn \d+ cột/.test(box.parentElement!.textContent)
    if (!isSaid || box.tabIndex !== 0) found.push(`columns of “${box.textContent.slice(0, 40)}” are lost`)
  }

  const textBox = (one: Element) => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getBoundingClientRect()
  }
  for (const name of document.querySelectorAll('main dt')) {
    const value = name.nextElementSibling
    if (value?.localName !== 'dd' || !isShown(name) || value.textContent === '') continue
    const [label, text] = [textBox(name), textBox(value)]
    const isBeside = text.top < label.bottom && text.bottom > label.top
    if (isBeside && text.left - label.right > gapMax)
      found.push(`the value of “${nameOf(name)}” is ${Math.round(text.left - label.right)} px away`)
  }

  const row = document.querySelector('main [data-list] tbody tr')
  if (row && innerWidth < 768) {
    const bottom = row.getBoundingClientRect().top + scrollY + 44
    if (bottom > innerHeight) found.push(`the first row ends ${Math.round(bottom)} px down`)
  }
  return found
}

/** What waits takes at most so much of a small phone's first screen. */
const WAITING_SHARE_MAX = 0.4

/** The overview begins with what waits, and the figures begin on the same screen. */
export async function expectFiguresInSight(page: Page): Promise<void> {
  const usual = page.viewportSize()!
  await page.setViewportSize(WINDOWS[0]!)
  const { height } = WINDOWS[0]!
  const waits = (await page.getByRole('region', { name: 'Việc đang chờ' }).boundingBox())!
  const card = (await page
    .getByRole('list', { name: 'Số liệu' })
    .getByRole('listitem')
    .first()
    .boundingBox())!
  expect(waits.height / height, 'of the first screen').toBeLessThanOrEqual(WAITING_SHARE_MAX)
  expect(card.y, 'the first figure').toBeLessThan(height)
  await page.setViewportSize(usual)
}
