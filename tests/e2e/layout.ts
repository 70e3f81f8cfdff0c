import { expect, type Locator, type Page } from '@playwright/test'

/** What a phone of 360 × 640 and one of 360 × 740 show, and what is left of them above an open keyboard. */
const PHONES = [
  { width: 360, height: 300 },
  { width: 360, height: 640 },
  { width: 360, height: 740 },
]

/** What a finger or the keyboard can be put on; a file's input lies behind the button that stands for it. */
const CONTROLS = 'input:not([type=hidden],[type=file]), select, textarea, button, summary, a[href]'

/**
 * Whatever of a form has the focus lies open on a phone, with its keyboard and without: no bar covers it, so that a finger put
 * there reaches it and nothing else.
 */
export async function expectNothingUnderBars(page: Page, form: Locator): Promise<void> {
  const usual = page.viewportSize()!
  for (const window of PHONES) {
    await page.setViewportSize(window)
    const covered = await form.evaluate(coveredControls, CONTROLS)
    expect(covered, `under something else at ${window.width} × ${window.height}`).toEqual([])
  }
  await page.setViewportSize(usual)
}

async function coveredControls(form: Element, controls: string): Promise<string[]> {
  const nextFrame = () =>
    new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const covered: string[] = []
  for (const control of form.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled')) continue
    // The browser scrolls to what gets the focus, not to what has it already.
    control.blur()
    control.focus()
    await nextFrame()
    // Of a link in a text, the first line.
    const { left, top, width, height } = control.getClientRects()[0]!
    // Of a field of several lines the browser shows the line with the caret.
    const shownHeight = Math.min(height, 44)
    for (const part of [0.1, 0.5, 0.9]) {
      const found = document.elementFromPoint(left + width / 2, top + shownHeight * part)
      const isReached =
        found !== null && (control.contains(found) || found.closest('label')?.contains(control))
      if (isReached) continue
      const name = control.getAttribute('name') ?? control.id
      covered.push(
        `${control.localName} ${name} “${control.textContent.trim()}”, under ${found?.outerHTML.slice(0, 90) ?? 'the edge'}`,
      )
      break
    }
  }
  return covered
}

/** Of the text below a field: the most it is away from the field, and how much farther what comes next is. */
const NOTE_GAP_MAX = 6
const TIMES_FARTHER = 2

/** Hint and error of a field stand at it, clearly farther from whatever comes next. */
export async function expectNotesAtTheirFields(page: Page): Promise<void> {
  const strayed = await page.evaluate(
    ([gapMax, times]) => {
      const boxOf = (element: Element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect()
      }
      const shown = (element: Element) =>
        element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().height > 1
      // A bar that sticks lies on whatever is scrolled under it.
      const isInBar = (element: Element) => {
        const bar = element.closest('.modal-head, .modal-acts')
        return bar !== null && getComputedStyle(bar).position === 'sticky'
      }
      const strayedNotes: string[] = []
      for (const field of document.querySelectorAll('[aria-describedby]')) {
        for (const id of field.getAttribute('aria-describedby')!.split(' ')) {
          const note = document.getElementById(id)
          const notes = note?.closest('.field-notes')
          // An error that several fields share stands outside of them.
          const isShared = !notes && note?.role === 'alert' && field.matches('input, select, textarea')
          if (!note || !(notes || isShared) || !shown(note) || !note.textContent.trim()) continue
          const frame = (notes ?? note).parentElement!
          const box = boxOf(note)
          const own = box.top - (notes?.previousElementSibling ?? field).getBoundingClientRect().bottom
          // The first thing below it that is no part of its own frame.
          const root = frame.closest('dialog, main') ?? document.body
          const below = [
            ...root.querySelectorAll('label, legend, input, select, textarea, button, p, h2, h3, a'),
          ]
            .filter((one) => !frame.contains(one) && !one.contains(frame) && shown(one) && !isInBar(one))
            .map((one) => one.getBoundingClientRect())
            .filter((one) => one.top >= box.top && one.left < box.right && one.right > box.left)
          const next = Math.min(...below.map(({ top }) => top)) - box.bottom
          if (own > gapMax || next < Math.max(own * times, 8))
            strayedNotes.push(
              `“${note.textContent.trim()}”: ${own.toFixed(1)} px to its field, ${next.toFixed(1)} to the next`,
            )
        }
      }
      return strayedNotes
    },
    [NOTE_GAP_MAX, TIMES_FARTHER] as const,
  )
  expect(strayed).toEqual([])
}

/** Texts beside each other in a row are one text to the browser, with no gap between them, unless each has an element of its own. */
export async function expectNoTextsJoined(page: Page): Promise<void> {
  const joined = await page.evaluate(() =>
    [...document.querySelectorAll('body *')].flatMap((row) => {
      if (!/flex|grid/.test(getComputedStyle(row).display)) return []
      return [...row.childNodes].flatMap((node) => {
        const next = node.nextSibling
        const areTexts = node instanceof Text && next instanceof Text
        return areTexts && /\S$/.test(node.data) && /^\S/.test(next.data) ? [node.data + next.data] : []
      })
    }),
  )
  expect(joined).toEqual([])
}

/**
 * Letters as large as a phone's owner may set them: the browser's own size of letters, by which everything grows; and the
 * zoom of letters alone, as of Android's web view in other apps.
 */
const LETTERS = {
  // First: with an open menu the page kept the larger size of the letters for a while after it was taken back.
  'letters of 130 % by zoom': { kind: 'zoom', factor: 1.3 },
  'letters of 130 % by size': { kind: 'size', factor: 1.3 },
  'letters of 200 % by size': { kind: 'size', factor: 2 },
} as const
type Letters = keyof typeof LETTERS

export const LARGE_LETTERS = ['letters of 130 % by size', 'letters of 130 % by zoom'] as const

const FIELD_LETTERS = 4.5

/** Longer words may be taken apart where the letters are large. */
const WHOLE_WORD_MAX = 11

export const TITLES = 'h1, h2, h3, legend, dt, th'
/** Names, dates and whatever else is read as one; not what is copied, which breaks wherever it has to. */
const TEXTS = ':is(header, main, dialog[open]) :not(code, pre, select, option, .font-mono, .select-all)'

/**
 * With letters of 130 % and 200 % neither the page nor a dialog on it is wider than the screen, the words of titles are not broken, a
 * field shows what is typed, and dialogs grow too; at 130 % the names of the tabs stand apart, and amounts and the words of `whole` are not
 * broken, where text grows by the browser's setting.
 */
export async function expectReadableInLargeLetters(page: Page, whole = TEXTS): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  for (const letters of Object.keys(LETTERS) as Letters[]) {
    await inLargeLetters(page, letters, async () => {
      expect(await page.evaluate(wideParts), letters).toEqual([])
      const words = letters === 'letters of 130 % by size' ? whole : TITLES
      expect(await page.evaluate(brokenWords, [words, WHOLE_WORD_MAX] as const), letters).toEqual([])
      expect(await page.evaluate(narrowFields, FIELD_LETTERS), letters).toEqual([])
      expect(await page.evaluate(smallInDialogs), letters).toEqual([])
      if (LETTERS[letters].factor === 2) return
      expect(await page.evaluate(crowdedTabs), letters).toEqual([])
      expect(await page.evaluate(brokenAmounts), letters).toEqual([])
    })
  }
}

export async function inLargeLetters<T>(page: Page, letters: Letters, look: () => Promise<T>): Promise<T> {
  const { kind, factor } = LETTERS[letters]
  const set = (to: number) => (kind === 'size' ? growSize(page, to) : page.evaluate(zoomLetters, to))
  try {
    await set(factor)
    return await look()
  } finally {
    await set(1)
  }
}

/** As in the settings of the browser: not only what is measured in letters grows, also what the style sheet asks of the screen. */
async function growSize(page: Page, factor: number): Promise<void> {
  // Not detached: the offline page forgets the sizes with the session.
  const browser = await page.context().newCDPSession(page)
  const sizes = { standard: Math.round(16 * factor), fixed: Math.round(13 * factor) }
  await browser.send('Page.setFontSizes', { fontSizes: sizes })
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    .toBe(`${sizes.standard}px`)
}

function zoomLetters(factor: number): void {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].filter(({ style }) => style)
  const sizes = elements.map((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  for (const [index, { style }] of elements.entries())
    style.fontSize = factor === 1 ? '' : `${sizes[index]! * factor}px`
}

/** What is scrolled sideways though it is no table or bar of its own: the page, dialogs, menus. */
function wideParts(): string[] {
  return [document.documentElement, ...document.querySelectorAll('dialog[open], [popover]')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((part) => {
      const right = part.getBoundingClientRect().left + part.clientWidth
      const wide = [...part.querySelectorAll('*')].find(
        (one) => one.getBoundingClientRect().right > right + 1 && !one.closest('.top-nav'),
      )
      return `<${part.localName}> is ${part.scrollWidth} px wide, not ${part.clientWidth}: ${wide?.localName} “${wide?.textContent.slice(0, 60)}”`
    })
}

/** Tabs whose names run together or out of the bar. */
function crowdedTabs(): string[] {
  const textBox = (node: Node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect()
  }
  const tabs = [...document.querySelectorAll('.top-nav nav:first-child a')].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }),
  )
  const crowded = tabs.filter((tab, index) => {
    const next = tabs[index + 1]
    const nextLeft = next ? textBox(next).left : document.documentElement.clientWidth
    return nextLeft - textBox(tab).right < 2
  })
  return crowded.map((tab) => `“${tab.textContent}” touches what is beside it`)
}

/** Amounts of which a part stands on another line, where it reads like an amount of its own. */
function brokenAmounts(): string[] {
  const broken: string[] = []
  const range = document.createRange()
  for (const root of document.querySelectorAll('main, dialog[open]')) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.parentElement!.checkVisibility({ visibilityProperty: true })) continue
      for (const number of node.textContent!.matchAll(/\d{1,3}(?:,\d{3})+/g)) {
        range.setStart(node, number.index)
        range.setEnd(node, number.index + number[0].length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(`“${number[0]}” of “${node.parentElement!.textContent}”`)
      }
    }
  }
  return broken
}

/** Fields of pages and dialogs with room for fewer letters than a one-time code has. */
function narrowFields(letters: number): string[] {
  const fields = document.querySelectorAll<HTMLInputElement>(
    ':is(main, dialog[open]) input:not([type=checkbox], [type=radio], [type=file])',
  )
  return [...fields].flatMap((field) => {
    const size = Number.parseFloat(getComputedStyle(field).fontSize)
    const isWide = !field.checkVisibility() || field.clientWidth <= 1 || field.clientWidth >= letters * size
    return isWide ? [] : [`“${field.placeholder}”: ${field.clientWidth} px for letters of ${size} px`]
  })
}

/** What stays small in a dialog while the letters around it have grown. */
function smallInDialogs(): string[] {
  const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize)
  const least = sizeOf(document.documentElement) * 0.8
  const controls = document.querySelectorAll('dialog[open] :is(a, button)')
  return [...controls]
    .filter((one) => sizeOf(one) < least)
    .map((one) => `“${one.textContent}”: ${sizeOf(one)} px`)
}

/** Words that stand on several lines. */
function brokenWords([selector, longest]: readonly [string, number]): string[] {
  const broken: string[] = []
  const range = document.createRange()
  for (const element of document.querySelectorAll(selector)) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.clientWidth === 1) continue
    for (const node of element.childNodes) {
      if (!(node instanceof Text)) continue
      for (const word of node.data.matchAll(/[^\s–—\-.,…]+/gu)) {
        if (word[0].length > longest) continue
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = [...range.getClientRects()]
          .filter(({ width }) => width > 0)
          .map(({ top }) => Math.round(top))
        if (new Set(lines).size > 1) broken.push(`“${word[0]}” of “${element.textContent.slice(0, 80)}”`)
      }
    }
  }
  return broken
}
