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
