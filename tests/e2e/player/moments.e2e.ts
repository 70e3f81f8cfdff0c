import type { Page } from '@playwright/test'
import type { DeliveryReceipt } from '#contract/deliveries.ts'
import { delivery } from '#tests/support/page-states/receipt-states.ts'
import { expectAccessible } from '../accessible.ts'
import { expect, signIn, test } from './fixtures.ts'

test.use({ viewport: { width: 360, height: 640 } })

const RECEIPT_ID = '0198f5a2-6d7b-7c3e-9a51-3f2b8d90c4e1'

/** An exchange that is answered without being made; its receipt has the given state. */
async function fakePurchase(page: Page) {
  const state: { receipt: Partial<DeliveryReceipt>; isLost: boolean } = { receipt: {}, isLost: false }
  await page.route('**/api/exchange/store', (route) =>
    route.fulfill({
      json: {
        message: 'Lượng đang được chuyển vào game, vui lòng chờ trong giây lát',
        report: true,
        balance: 1,
        delivery: { id: RECEIPT_ID, status: 'pending' },
      },
    }),
  )
  await page.route('**/api/user/deliveries/events', (route) => route.abort())
  await page.route(`**/api/user/deliveries/${RECEIPT_ID}`, async (route) => {
    if (state.isLost) return route.abort()
    const receipt: DeliveryReceipt = {
      ...delivery({ id: RECEIPT_ID, goods: [{ kind: 'luong', quantity: 3_300 }], amount: 10_000 }),
      character_name: 'kiemgia',
      character_head: 5,
      character_head_name: null,
      server_name: 'Trúc Lâm',
      is_with_staff: false,
      refund_reason: null,
      ...state.receipt,
    }
    await route.fulfill({ json: receipt })
  })
  return state
}

async function buy(page: Page): Promise<void> {
  await page.goto('/exchange')
  await page
    .getByRole('group', { name: /^Nhân vật nhận/ })
    .getByRole('radio')
    .first()
    .check()
  await page.getByRole('radio', { name: /10,000/ }).check()
  await page.getByRole('main').getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
}

const settled_at = '2026-11-20T08:25:02.000Z'

for (const { name, tag, ways } of [
  {
    name: 'parked, then delivered, over a lost connection',
    tag: ['@long'],
    ways: [
      { state: { is_with_staff: true }, title: 'Cảnh báo', sees: 'Đội vận hành kiểm tra' },
      { state: 'lost', title: 'Cảnh báo', sees: 'Mất kết nối với máy chủ' },
      { state: { status: 'delivered', settled_at }, title: 'Thành công', sees: 'Món đã vào game.' },
    ],
  },
  {
    name: 'refunded',
    tag: [],
    ways: [
      {
        state: { status: 'refunded', settled_at, refund_reason: 'Túi đồ của nhân vật đã đầy.' },
        title: 'Thất bại',
        sees: 'TCoin đã về ví',
      },
    ],
  },
] as const) {
  test(
    `the live dialog follows a purchase ${name}`,
    { tag: [...tag] },
    async ({ page, trader, consoleErrors }) => {
      consoleErrors.expect(/ERR_FAILED/)
      test.setTimeout(90_000)
      const state = await fakePurchase(page)
      await signIn(page, trader.token)
      await buy(page)
      const first = page.getByRole('alertdialog', { name: 'Thành công' })
      await expect(first).toContainText('vui lòng chờ trong giây lát')
      for (const { state: next, title, sees } of ways) {
        state.isLost = next === 'lost'
        if (next !== 'lost') state.receipt = next
        const dialog = page.getByRole('alertdialog', { name: title })
        await expect(dialog).toContainText(sees, { timeout: 15_000 })
        if (next !== 'lost') await expect(dialog).not.toContainText('Mất kết nối')
        await expect(dialog).not.toContainText('vui lòng chờ')
      }
      await expectAccessible(page)
      const steps = await page.getByRole('alertdialog').locator('ol').innerText()
      await page.getByRole('alertdialog').getByRole('link', { name: 'Xem biên nhận' }).click()
      await expect(page).toHaveURL(`/user/deliveries/${RECEIPT_ID}`)
      await expect(page.getByRole('alertdialog')).toHaveCount(0)
      await expect(page.getByRole('region', { name: 'Diễn biến' }).locator('ol')).toHaveText(steps, {
        useInnerText: true,
      })
      await expectAccessible(page)
    },
  )
}

for (const { reducedMotion, name } of [
  { reducedMotion: 'no-preference', name: 'counts up' },
  { reducedMotion: 'reduce', name: 'is there at once where motion is not wanted' },
] as const) {
  test(
    `the figure of what has arrived ${name}`,
    { tag: '@long' },
    async ({ page, trader, consoleErrors }) => {
      consoleErrors.expect(/ERR_FAILED/)
      await page.emulateMedia({ reducedMotion })
      await page.addInitScript(() => {
        const figures = new Set<string>()
        Object.assign(window, { figures })
        const look = () => {
          const shown =
            document.querySelector('dialog ol') && document.querySelector('dialog [aria-hidden].tabular-nums')
          if (shown?.textContent) figures.add(shown.textContent)
          requestAnimationFrame(look)
        }
        look()
      })
      const state = await fakePurchase(page)
      await signIn(page, trader.token)
      await buy(page)
      await expect(page.getByRole('alertdialog', { name: 'Thành công' })).toContainText('vui lòng chờ')
      state.receipt = { status: 'delivered', settled_at }
      const dialog = page.getByRole('alertdialog', { name: 'Thành công' })
      await expect(dialog).toContainText('Món đã vào game.', { timeout: 15_000 })
      await page.waitForTimeout(1_500)
      const figures = await page.evaluate(() => [...(window as unknown as { figures: Set<string> }).figures])
      expect(figures).toContain('3,300')
      if (reducedMotion === 'reduce') expect(figures).toEqual(['3,300'])
      else expect(figures.length).toBeGreaterThan(3)

      const saving = page.waitForEvent('download')
      await dialog.getByRole('button', { name: 'Chia sẻ ảnh' }).click()
      expect((await saving).suggestedFilename()).toBe('khoe-thanh-tich.png')
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    },
  )
}
