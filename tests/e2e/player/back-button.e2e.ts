import { expect, test } from './fixtures.ts'
import { hydrated, settled } from './measures.ts'

test('the back button closes a modal, stays on its page, and leaves nothing behind', async ({ page }) => {
  await page.goto('/community')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Giải đấu' }).click()
  await expect(page).toHaveURL(/\/tournaments$/)
  const banner = page.getByRole('banner')
  const modals = page.locator('dialog[open]')
  await banner.getByRole('link', { name: 'Đăng nhập' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Đăng ký' }).click()
  await expect(page.getByRole('dialog', { name: 'Đăng ký tài khoản' })).toBeVisible()

  await page.goBack()
  await expect(modals).toHaveCount(0)
  await expect(page).toHaveURL(/\/tournaments$/)

  // Closed by hand, it takes its entry along: the next step back leads to the page before.
  await banner.getByRole('link', { name: 'Đăng nhập' }).click()
  await page.keyboard.press('Escape')
  await expect(modals).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/community$/)
  await page.goForward()
  await expect(page).toHaveURL(/\/tournaments$/)
  await expect(modals).toHaveCount(0)
})

test('the back button after a login from /login leads to the home page', async ({ page, newcomer }) => {
  await page.goto('/community')
  await page.goto('/login')
  const login = page.getByRole('dialog', { name: 'Đăng nhập' })
  await expect(page).toHaveURL(/\/home$/)
  await page.goBack()
  await expect(login).toBeHidden()
  await expect(page).toHaveURL(/\/home$/)

  await page.goto('/user/profile')
  await login.getByLabel('Tên đăng nhập').fill(newcomer.username)
  await login.getByLabel('Mật khẩu').fill(newcomer.password)
  await login.getByRole('button', { name: 'Đăng nhập' }).click()
  await expect(page).toHaveURL(/\/user\/profile$/)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
  await expect(page.locator('dialog[open]')).toHaveCount(0)
})

test('a new page begins at its top, and the step back shows the old one where it was left', async ({
  page,
}) => {
  await page.goto('/home')
  const post = page.getByRole('main').getByRole('heading', { level: 3 }).last()
  await post.scrollIntoViewIfNeeded()
  await hydrated(page.getByRole('banner').getByRole('link').first())
  // Pictures and the second weight of the font move what has been scrolled past.
  await settled(page)
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(300)
  await post.getByRole('link').click()
  await expect(page).not.toHaveURL(/\/home$/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/home$/)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
})
