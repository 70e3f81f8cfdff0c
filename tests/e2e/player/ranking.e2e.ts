import type { Page } from '@playwright/test'
import { demoLogin } from '#seeds/players.ts'
import { expect, loginByCall, signIn, test } from './fixtures.ts'

const ownPlace = (page: Page) => page.getByRole('region', { name: 'Hạng của bạn' })

const podium = (page: Page) => page.locator('main ol.podium > li')

/** The lines on this screen: rows of a table, or blocks on a phone. */
const lines = (page: Page, isMobile: boolean | undefined) =>
  isMobile ? page.locator('main ol:not(.podium) > li') : page.locator('main table tbody tr')

test('the rankings are tabs, stored in the address', async ({ page, request, isMobile }) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveText(['Cao thủ', 'Phú hộ', 'Đại gia', 'Đua nạp'])
  await expect(tabs.first()).toHaveAttribute('aria-selected', 'true')
  await expect(
    page.getByText(/^Cập nhật lúc \d\d\/\d\d\/\d{4} \d\d:\d\d \((vừa xong|\d+ (phút|giờ) trước)\)$/),
  ).toBeVisible()

  await expect(podium(page)).toHaveCount(3)
  await expect(podium(page).first()).toContainText('thienlongkiem')
  await expect(lines(page, isMobile).first()).toContainText('4')
  const mine = lines(page, isMobile).filter({ hasText: 'Bạn' })
  await expect(mine.first()).toContainText('kiemgia')
  await expect(mine.first()).toContainText('92')

  await tabs.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(tabs.nth(1)).toBeFocused()
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Phú hộ' })).toContainText('yên')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(tabs.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/\?group=\d+$/)
  await page.reload()
  await expect(tabs.nth(2)).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('tabpanel', { name: 'Đại gia' })).toContainText(
    'Lượng đang có của mỗi nhân vật.',
  )
})

test('on a phone the podium stands whole above the own place, with movements too', async ({
  page,
  request,
}) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.route('**/api/groups/*/entries*', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), has_previous: true } })
  })
  await page.goto('/ranking')
  await expect(ownPlace(page)).toBeVisible()
  const { width } = page.viewportSize()!
  const bar = (await ownPlace(page).boundingBox())!
  for (const step of await podium(page).all()) {
    const box = (await step.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(width)
    expect(box.y + box.height).toBeLessThanOrEqual(bar.y)
  }
})

test('a player beyond the list still sees their own place', { tag: '@long' }, async ({ page, request }) => {
  const row = { class_id: 1, level: 90, server_id: '1', head: null, previous_rank: null }
  const common = {
    first_day: null,
    has_previous: false,
    classes: [],
    own: { state: 'none', character: null },
  }
  let answer: object = {
    ...common,
    updated_at: '2026-11-20T18:30:00.000Z',
    rows: [{ ...row, rank: 1, name: 'thienlongkiem', value: 117, is_mine: false }],
    mine: { ...row, rank: 1_234, name: 'kiemgia', value: 92, is_mine: true },
  }
  await page.route('**/api/groups/*/entries', (route) => route.fulfill({ json: answer }))
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  await expect(ownPlace(page)).toContainText('Hạng 1,234')
  // Half past six in the evening of London is the next day in Vietnam.
  await expect(page.getByText(/^Cập nhật lúc 21\/11\/2026 01:30 \(/)).toBeVisible()

  answer = { ...common, updated_at: null, rows: [] }
  await page.reload()
  await expect(page.getByText('Bảng này chưa có ai.')).toBeVisible()
})

test('the own rank is one tap from the home page', async ({ page, request }) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/home')
  await page.getByRole('main').getByRole('link', { name: 'Bảng xếp hạng' }).first().click()
  await expect(ownPlace(page)).toContainText('kiemgia')
  await expect(ownPlace(page)).toContainText(/Hạng \d+/)
  await expect(ownPlace(page)).toBeInViewport({ ratio: 1 })
  await expect(ownPlace(page).locator('img')).toHaveAttribute('src', /Small[1-9]/)
  await page.mouse.wheel(0, 400)
  await expect(ownPlace(page)).toBeInViewport({ ratio: 1 })
})

test('one server is chosen by a chip, with its own podium', { tag: '@long' }, async ({ page, request }) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  const servers = page.getByRole('group', { name: 'Máy chủ' })
  const chip = (name: string) => servers.getByRole('button', { name })
  await expect(chip('Tất cả')).toHaveAttribute('aria-pressed', 'true')
  expect(await servers.evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
  await chip('Hồng Nguyệt').click()
  await expect(podium(page).first()).toContainText('Hồng Nguyệt')
  await expect(page).toHaveURL(/server=3$/)
  await page.getByRole('tab', { name: 'Phú hộ' }).click()
  await expect(page).toHaveURL(/server=3$/)
  await expect(podium(page).first()).toContainText('Hồng Nguyệt')
  await page.reload()
  await expect(chip('Hồng Nguyệt')).toHaveAttribute('aria-pressed', 'true')
  // The row of servers is wider than a phone.
  await expect(chip('Hồng Nguyệt')).toBeInViewport({ ratio: 1 })
  await chip('Tất cả').click()
  await expect(page).toHaveURL(/\?group=\d+$/)
})

test('the first three stand out, and nothing of a row is cut', async ({ page, request }) => {
  await signIn(page, await loginByCall(request, demoLogin))
  await page.goto('/ranking')
  await expect(podium(page)).toHaveCount(3)
  const steps = await podium(page).locator('.podium-step').all()
  const boxes = await Promise.all(steps.map((one) => one.boundingBox()))
  const [first, second, third] = boxes.map((box) => box!)
  expect([second!.x < first!.x, first!.x < third!.x]).toEqual([true, true])
  expect([first!.y < second!.y, second!.y < third!.y]).toEqual([true, true])
  await expect(podium(page).locator('img')).toHaveCount(3)
  const cut = await page
    .locator('main :is(li, button, td) :is(strong, span), main [role=tab], main button')
    .evaluateAll(
      (all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length,
    )
  expect(cut).toBe(0)
})

test('a visitor reads what the ranking is, and how to get in', async ({ page }) => {
  await page.goto('/ranking')
  const dialog = page.getByRole('dialog', { name: 'Đăng nhập' })
  await expect(dialog).toContainText('Bảng xếp hạng dành cho người chơi')
  await expect(dialog.getByRole('button', { name: 'Đăng ký' })).toBeVisible()
  await expect(page).toHaveURL(/\/home$/)
  await page.goto('/recharge')
  await expect(dialog).toBeVisible()
  await expect(dialog).not.toContainText('Bảng xếp hạng')
})
