import { expect, type Page } from '@playwright/test'
import { pages, type PageEntry } from '#contract/pages.ts'

/** Of pages that one address leads to. */
const names = Object.fromEntries(
  (Object.values(pages) as PageEntry[])
    .map(({ path, title }) => [path.replace(/\/:\w+\?/, ''), title] as const)
    .filter(([path]) => !/[:*]/.test(path)),
)

/** The frame and its menus call each page by its one name, also those for players. */
export async function expectOneName(page: Page): Promise<void> {
  const links = await page
    .locator('a[href]:is(header *, nav *, footer *):not(main *), main nav[aria-label="Tài khoản"] a')
    .evaluateAll((found) =>
      found.map((one) => [one.getAttribute('href') ?? '', one.textContent.trim()] as const),
    )
  const called = links.filter(([path, text]) => path in names && text !== '' && !text.startsWith('Số dư:'))
  expect(called.length).toBeGreaterThan(5)
  expect(called.filter(([path, text]) => names[path] !== text)).toEqual([])
}
