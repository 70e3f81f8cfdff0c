import type { Page } from '@playwright/test'
import { expect, order, pay, registerTrader, signIn, test } from './fixtures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

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

const WAYS = ['Nạp TCoin', 'Đổi lượng', 'Trang chủ'] as const

test(
  'a page that the browser has translated is left and updated like any other',
  { tag: '@long' },
  async ({ page, request }) => {
    const { token } = await registerTrader(request, 50_000)
    await signIn(page, token)
    await page.goto('/home')
    await expect(page.getByRole('link', { name: 'Số dư: 50,000 TCoin' })).toBeAttached()
    for (const name of WAYS) {
      expect(await translate(page)).toBeGreaterThan(20)
      await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name }).click()
      await expect(
        page.getByRole('navigation', { name: 'Chính' }).locator('[aria-current="page"]'),
      ).toContainText(name)
      await expectWhole(page)
    }
  },
)

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
  await translate(page)
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
})

test('an order counts down and becomes paid on a translated page', async ({ page, request }) => {
  const { token } = await registerTrader(request, 50_000)
  const { code } = await order(request, token, { amount: 50_000 })
  await signIn(page, token)
  await page.goto(`/recharge/${code}`)
  const timer = page.getByRole('timer')
  await expect(timer).toBeVisible()
  await translate(page)
  const before = await timer.textContent()
  await expect(timer).not.toHaveText(before ?? '')
  await pay(request, token, { code })
  await expect(page.getByRole('heading', { name: 'Nạp TCoin thành công' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('100,000')
  await expectWhole(page)
})
