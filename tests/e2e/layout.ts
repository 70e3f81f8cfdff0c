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
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const covered: string[] = []
  for (const control of form.querySelectorAll<HTMLElement>(controls)) {
    if (!control.checkVisibility({ visibilityProperty: true }) || control.matches(':disabled')) continue
    // The browser scrolls to what gets the focus, not to what has it already.
    control.blur()
    control.focus()
    await nextFrame()
    // Of a link in a text, the first line.
    const { left, top, width, height } = control.getClientRects()[0]!
    // A field of several lines may be higher than what the keyboard leaves.
    const shownHeight = Math.min(height, 100)
    for (const part of [0.1, 0.5, 0.9]) {
      const found = document.elementFromPoint(left + width / 2, top + shownHeight * part)
      const isReached = found !== null && (control.contains(found) || found.closest('label')?.contains(control))
      if (isReached) continue
      const name = control.getAttribute('name') ?? control.id
      covered.push(`${control.localName} ${name} “${control.textContent.trim()}”, under ${found?.outerHTML.slice(0, 90) ?? 'the edge'}`)
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
      const strayedNotes: string[] = []
      for (const field of document.querySelectorAll('[aria-describedby]')) {
        for (const id of field.getAttribute('aria-describedby')!.split(' ')) {
          const note = document.getElementById(id)
          if (!note?.closest('.field-notes') || !shown(note) || !note.textContent.trim()) continue
          const frame = note.closest('.field-notes')!.parentElement!
          const box = boxOf(note)
          const own = box.top - note.closest('.field-notes')!.previousElementSibling!.getBoundingClientRect().bottom
          // The first thing below it that is no part of its own frame.
          const root = frame.closest('dialog, main') ?? document.body
          const below = [...root.querySelectorAll('label, legend, input, select, textarea, button, p, h2, h3, a')]
            .filter((one) => !frame.contains(one) && !one.contains(frame) && shown(one))
            .map((one) => one.getBoundingClientRect())
            .filter((one) => one.top >= box.top && one.left < box.right && one.right > box.left)
          const next = Math.min(...below.map(({ top }) => top)) - box.bottom
          if (own > gapMax || next < Math.max(own * times, 8))
            strayedNotes.push(`“${note.textContent.trim()}”: ${own.toFixed(1)} px to its field, ${next.toFixed(1)} to the next`)
        }
      }
      return strayedNotes
    },
    [NOTE_GAP_MAX, TIMES_FARTHER] as const,
  )
  expect(strayed).toEqual([])
}

/**
 * Letters as large as a phone's owner may set them: the browser's own size of letters, by which everything grows; and the
 * zoom of letters alone, as of Android's web view in other apps.
 */
const LARGE = [
  { kind: 'size', factor: 1.3 },
  { kind: 'zoom', factor: 1.3 },
  { kind: 'size', factor: 2 },
] as const

/** A letter is at least so wide, in parts of its height: what is narrower than four of them breaks words. */
export async function expectReadableInLargeLetters(page: Page): Promise<void> {
  for (const { kind, factor } of LARGE) {
    await page.evaluate(kind === 'size' ? growSize : zoomLetters, factor)
    const problems = await page.evaluate(largeLetterProblems)
    // At twice the size a table may be scrolled; words stay whole all the same.
    const found = factor < 2 ? problems : problems.filter((problem) => !problem.startsWith('wide'))
    expect(found, `${kind} of letters ${factor * 100} %`).toEqual([])
    await page.evaluate(kind === 'size' ? growSize : zoomLetters, 1)
  }
}

function growSize(factor: number): void {
  document.documentElement.style.fontSize = factor === 1 ? '' : `${factor * 100}%`
}

function zoomLetters(factor: number): void {
  const elements = [...document.querySelectorAll<HTMLElement>('body, body *')].filter(({ style }) => style)
  if (factor === 1) {
    for (const { style } of elements) style.fontSize = ''
    return
  }
  const sizes = elements.map((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  for (const [index, { style }] of elements.entries()) style.fontSize = `${sizes[index]! * factor}px`
}

function largeLetterProblems(): string[] {
  const problems: string[] = []
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    const widest = [...document.querySelectorAll('body *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
      .slice(0, 3)
      .map((one) => one.outerHTML.slice(0, 100))
    problems.push(`wide: ${scrollWidth} on ${clientWidth}: ${widest.join(' | ')}`)
  }
  const textBox = (node: Node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect()
  }
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getBoundingClientRect().width > 1
  // The words of the tab bar stand apart, each within its own tab.
  for (const bar of document.querySelectorAll('.top-nav nav')) {
    const tabs = [...bar.querySelectorAll('a')].filter(isShown)
    for (const [index, tab] of tabs.entries()) {
      const next = tabs[index + 1]
      const gap = next ? textBox(next).left - textBox(tab).right : 2
      const sticksOut = textBox(tab).right > clientWidth || tab.scrollWidth > tab.clientWidth + 1
      if (gap < 2 || sticksOut) problems.push(`tab “${tab.textContent}”: ${gap.toFixed(1)} px to the next`)
    }
  }
  // No word of a title is taken apart, unless it is longer than a line.
  const range = document.createRange()
  for (const title of document.querySelectorAll('h1, h2, h3, summary, th, button, label, legend, dt, main a')) {
    if (!isShown(title)) continue
    const walker = document.createTreeWalker(title, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!isShown(node.parentElement!)) continue
      for (const word of node.textContent!.matchAll(/[^\s–—\-/@.,]+/gu)) {
        if (word[0].length > 11) continue
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)))
        if (lines.size > 1) problems.push(`“${word[0]}” of “${title.textContent.trim().slice(0, 60)}” on ${lines.size} lines`)
      }
    }
  }
  return [...new Set(problems)].slice(0, 12)
}
