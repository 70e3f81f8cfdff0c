import type { Page } from '@playwright/test'
import { expect, registerTrader, signIn, test } from './fixtures.ts'

/** What the translator of a browser does to each text of the page: some do not mind `translate="no"`. */
const translate = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      const { parentElement: parent } = text
      if (!parent || parent.closest('script, style, textarea, font') || !text.data.trim()) continue
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = `${text.data}`
      outer.append(inner)
      text.replaceWith(outer)
    }
    return document.querySelectorAll('font').length
  })

async function expectWhole(page: Page): Promise<void> {
  await expect(page.getByText('Có lỗi xảy ra')).toHaveCount(0)
  await expect(page.getByRole('main')).toBeVisible()
}

/** As React changes the children of an element: another one comes before a text, and the text goes. */
const changeText = (page: Page) =>
  page.evaluate(async () => {
    const [place, before, after] = [document.createElement('p'), new Image(), new Image()]
    const text = document.createTextNode('một')
    place.append(text, after)
    document.body.append(place)
    text.replaceWith(document.createElement('font'))
    // Whoever watches the document is told first.
    await Promise.resolve()
    place.insertBefore(before, text)
    place.removeChild(text)
    return place.childNodes.length === 2 && place.firstChild === before && place.lastChild === after
  })

test('prices and summaries that change are shown as they are on a translated page', async ({
  page,
  request,
}) => {
  const { token } = await registerTrader(request, 50_000)
  await signIn(page, token)
  await page.goto('/exchange')
  const main = page.getByRole('main')
  await main
    .getByRole('group', { name: /^Nhân vật/ })
    .getByRole('radio')
    .first()
    .check()
  await main.getByRole('radio', { name: /10,000/ }).check()
  await expect(page.locator('.action-bar')).toContainText('3,300')
  expect(await translate(page)).toBeGreaterThan(20)
  await page.evaluate(() => (document.title = 'Exchange'))
  const buy = main.getByRole('button', { name: 'Đổi lượng' })
  await main.getByRole('radio', { name: /20,000/ }).check()
  const summary = page.locator('.action-bar')
  await expect(summary).toContainText('6,600')
  await expect(summary).not.toContainText('3,300')
  await buy.click()
  await expect(page.getByRole('alertdialog')).toContainText('20,000')
  await translate(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
  await expect(page.getByRole('link', { name: 'Số dư: 30,000 TCoin' })).toBeAttached()
  await expectWhole(page)
  expect(await page.title()).toBe('Exchange')
  expect(await changeText(page)).toBe(true)
})
