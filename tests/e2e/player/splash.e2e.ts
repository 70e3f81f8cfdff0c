import type { Page } from '@playwright/test'
import { HELLO_COUNTDOWN_S, HELLO_INTERVAL_MS } from '#contract/constants.ts'
import { expect, test } from './fixtures.ts'

const GREETING = 'Chào mừng bạn đến với Tinh Hoa Ninja!'

const splash = (page: Page) => page.getByRole('dialog', { name: 'Lời chào' })
const lastShown = (page: Page) => page.evaluate(() => localStorage.getItem('lastSeenHello'))

test.use({ isStranger: true })

/** By the clock of the page, longer than the greeting takes to come and to be typed. */
const COMING_MS = 2_000

test('a first visitor is greeted, and the greeting closes itself', async ({ page, request }) => {
  expect(await (await request.get('/home')).text()).not.toContain('Chào mừng bạn đến với')
  await page.goto('/home')
  await expect(splash(page)).toContainText(GREETING)
  const shownAt = Date.now()
  expect(await lastShown(page)).toBeNull()
  const button = splash(page).getByRole('button', { name: 'Vào trang chủ' })
  await expect(button).toContainText('(3)')
  await expect(button).toContainText('(1)')
  await expect(splash(page)).toBeHidden()
  // A second for the letters, and another for a machine that is busy.
  expect(Date.now() - shownAt).toBeLessThan((HELLO_COUNTDOWN_S + 2) * 1_000)
  const stored = await lastShown(page)
  expect(stored).toMatch(/^\d{13}$/)
  expect(Math.abs(Date.now() - Number(stored))).toBeLessThan(60_000)

  await page.clock.install()
  await page.reload({ waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1, name: 'Tinh Hoa Ninja' })).toBeVisible()
  await page.clock.runFor(COMING_MS)
  await expect(splash(page)).toBeHidden()
})

test(
  'it lies over the art, and the page can be read and used meanwhile',
  { tag: '@long' },
  async ({ page }) => {
    await page.goto('/home')
    await expect(splash(page)).toBeVisible()
    const art = await page.locator('.hero-art').boundingBox()
    const card = await splash(page).boundingBox()
    expect(card!.y).toBeGreaterThanOrEqual(art!.y)
    expect(card!.y + card!.height).toBeLessThanOrEqual(art!.y + art!.height)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
    await page.getByRole('main').getByRole('link', { name: 'Tải game' }).click()
    await expect(page).toHaveURL(/\/download$/)
  },
)

const SIZES = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  // 1280 × 800 at 200 %.
  { width: 640, height: 400 },
]

test('at each size it covers no text and no button', { tag: '@long' }, async ({ page }) => {
  await page.goto('/home')
  await expect(splash(page)).toBeVisible()
  // While somebody types it does not close itself.
  await page
    .getByRole('main')
    .getByRole('searchbox')
    .evaluate((field) => field.focus({ preventScroll: true }))
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const covered = await splash(page).evaluate((card) => {
      // Where it comes to rest.
      for (const animation of card.getAnimations()) animation.finish()
      const { top, right, bottom, left } = card.getBoundingClientRect()
      return [...document.querySelectorAll('.hero-text :is(h1, p, a), header a, nav a')].flatMap((part) => {
        // Of a text its lines, not the width it could have.
        const lines = document.createRange()
        lines.selectNodeContents(part)
        const box = part.matches('a') ? part.getBoundingClientRect() : lines.getBoundingClientRect()
        const isApart = box.bottom <= top || box.top >= bottom || box.right <= left || box.left >= right
        return box.width === 0 || isApart ? [] : [part.textContent]
      })
    })
    expect(covered, `${size.width} × ${size.height}`).toEqual([])
  }
})

test(
  'its seconds begin after the letters, and wait while somebody types',
  { tag: '@long' },
  async ({ page }) => {
    await page.clock.install()
    await page.goto('/home')
    await page.clock.runFor(600)
    const button = splash(page).getByRole('button', { name: 'Vào trang chủ' })
    await expect(button).toContainText('(3)')
    // As long as all letters may take.
    await page.clock.runFor(950)
    await expect(button).toContainText('(3)')
    await page.getByRole('main').getByRole('searchbox').focus()
    await page.clock.runFor(10_000)
    await expect(button).toContainText('(3)')
    await page.getByRole('main').getByRole('searchbox').blur()
    await page.clock.runFor(3_100)
    await expect(splash(page)).toBeHidden()
  },
)

test('the button and Escape close it at any time', { tag: '@long' }, async ({ page }) => {
  for (const close of [
    () => splash(page).getByRole('button', { name: 'Vào trang chủ' }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await page.goto('/home')
    await page.evaluate(() => localStorage.removeItem('lastSeenHello'))
    await page.reload()
    await expect(splash(page)).toBeVisible()
    await close()
    await expect(splash(page)).toBeHidden()
    expect(await lastShown(page)).toMatch(/^\d{13}$/)
  }
})

test('it is shown again after five days, and only on the home page', { tag: '@long' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/community')
  await page.evaluate(
    (before) => localStorage.setItem('lastSeenHello', String(Date.now() - before)),
    HELLO_INTERVAL_MS + 1_000,
  )
  await page.reload({ waitUntil: 'networkidle' })
  await page.clock.runFor(COMING_MS)
  await expect(splash(page)).toBeHidden()
  await page.getByRole('navigation', { name: 'Chính' }).getByRole('link', { name: 'Trang chủ' }).click()
  await expect(splash(page)).toBeVisible()
})

test.describe('with motion reduced', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the greeting is shown at once', { tag: '@long' }, async ({ page }) => {
    await page.goto('/home')
    await expect(splash(page)).toBeVisible()
    // The part that is not typed yet is the hidden one.
    await expect(splash(page).locator('span[aria-hidden] > .invisible')).toHaveText('')
  })
})

test('the greeting is not shown over a modal', { tag: '@long' }, async ({ page }) => {
  await page.clock.install()
  await page.goto('/login')
  await expect(page.getByRole('dialog', { name: 'Đăng nhập' })).toBeVisible()
  await page.clock.runFor(COMING_MS)
  await expect(splash(page)).toBeHidden()
  await expect(page.getByRole('dialog', { name: 'Đăng nhập' })).toBeVisible()
})
