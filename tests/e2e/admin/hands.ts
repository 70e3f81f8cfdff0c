import type { Locator, Page } from '@playwright/test'
import { expect } from '../player/fixtures.ts'
import { choose } from './staff-page.ts'

/** Somebody at the console who counts: each key, tap or swipe is one act, and so is a text that is typed. */
export type Hands = {
  acts(): number
  /** A screen of the menu, by its letter or by the menu itself. */
  goTo(letter: string, title: string): Promise<void>
  openRow(row: Locator): Promise<void>
  press(target: Locator): Promise<void>
  /** What a screen's key does, or its button where there are no keys. */
  act(key: string, button: Locator): Promise<void>
  type(field: Locator, text: string): Promise<void>
}

const STEPS_MAX = 120

/** By keys alone. */
export function keyboardOf(page: Page): Hands {
  let acts = 0
  const key = async (name: string) => {
    acts += 1
    await page.keyboard.press(name)
  }
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement)
  const reach = async (target: Locator, by: (target: Locator) => Promise<string>) => {
    await expect(target).toBeVisible()
    for (let step = 0; !(await hasFocus(target)); step++) {
      expect(step, `keys reach ${target}`).toBeLessThan(STEPS_MAX)
      await key(await by(target))
    }
  }
  /** Whether the focus is behind the target: then one has to go back. */
  const isBehind = (target: Locator) =>
    target.evaluate((element) => {
      const { activeElement: focused } = document
      const isPlace = focused !== null && focused.matches('a, button, input, select, textarea, tr')
      return isPlace && (element.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
    })
  const nextField = async (target: Locator) => ((await isBehind(target)) ? 'Shift+Tab' : 'Tab')
  const nextRow = async (target: Locator) => ((await isBehind(target)) ? 'k' : 'j')
  return {
    acts: () => acts,
    async goTo(letter, title) {
      await key('g')
      await key(letter)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    },
    async openRow(row) {
      await reach(row, nextRow)
      await key('Enter')
    },
    async press(target) {
      await reach(target, nextField)
      await key((await target.getAttribute('type')) === 'checkbox' ? 'Space' : 'Enter')
    },
    async act(name, button) {
      await expect(button).toBeVisible()
      await key(name)
    },
    async type(field, text) {
      await reach(field, nextField)
      acts += 1
      await field.fill(text)
    },
  }
}

/** How far one swipe of a thumb moves a page of 740 pixels. */
const SWIPE = 480

/** Whether nothing lies over its middle, and that is on the screen. */
const isUnderThumb = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(x + width / 2, y + height / 2)
    return hit !== null && (element.contains(hit) || hit.contains(element))
  })

/** Scrolls what holds the target: the page, or a dialog over it. */
const swipeAt = (target: Locator, by: number): Promise<void> =>
  target.evaluate((element, top) => {
    let holder: Element | null = element.parentElement
    while (
      holder &&
      !(holder.scrollHeight > holder.clientHeight && /auto|scroll/.test(getComputedStyle(holder).overflowY))
    )
      holder = holder.parentElement
    ;(holder ?? document.scrollingElement)?.scrollBy({ top, behavior: 'instant' })
  }, by)

/** By a thumb on a phone. */
export function thumbOf(page: Page): Hands {
  let acts = 0
  const tap = async (target: Locator) => {
    await expect(target).toBeVisible()
    // What lies below or above is swiped to.
    for (let swipe = 0; !(await isUnderThumb(target)); swipe++) {
      expect(swipe, `a thumb reaches ${target}`).toBeLessThan(STEPS_MAX)
      acts += 1
      const { y } = (await target.boundingBox()) ?? { y: 0 }
      await swipeAt(target, y > 0 ? SWIPE : -SWIPE)
    }
    acts += 1
    await target.tap()
  }
  return {
    acts: () => acts,
    async goTo(_, title) {
      acts += 2
      await choose(page, title)
    },
    openRow: (row) => tap(row.getByRole('link').first()),
    press: tap,
    act: (_, button) => tap(button),
    async type(field, text) {
      await tap(field)
      acts += 1
      await field.fill(text)
    },
  }
}
