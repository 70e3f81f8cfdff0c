import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { expectValidDocument } from './valid-html.ts'

/** What they find is never serious, and it takes long: each is of moderate impact. */
const LIGHT_RULES = ['region']

/** By default each run sends the whole source with its comments to the page, 1.3 MB. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Everything in the scheme of the page, then what a dark scheme decides: contrast. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await inScheme(page, 'dark')
  await expectAccessible(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: null })
}

/** Colours begin to change when the page has the scheme, which a busy browser may be late with. */
export async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme)
}

/** Axe finds nothing serious by its rules, or by those named. Unless some are named, the HTML is validated too. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  if (!rules) await expectValidDocument(page)
  expect(await seriousFindings(page, rules)).toEqual([])
}

/** What axe finds that is serious or critical, each with its elements. */
export async function seriousFindings(page: Page, rules?: string[]): Promise<string[]> {
  // What fades in is half transparent until it stands, and contrast would be measured of that.
  await page.waitForFunction(() =>
    document.getAnimations().every((one) => {
      const ends = Number.isFinite(one.effect?.getComputedTiming().endTime)
      return !ends || one.playState !== 'running'
    }),
  )
  // In the page itself: there are no frames, and otherwise each run opens a tab to put the results of frames together.
  const axe = new AxeBuilder({ page, axeSource }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules ? axe.withRules(rules) : axe.disableRules(LIGHT_RULES)).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
}
