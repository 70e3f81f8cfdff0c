import { expect, registerTrader, signIn, test } from './fixtures.ts'
import { followArrival, pickReceiver } from './rewards.ts'

test('a player checks in once a day, by keyboard too, and finds the goods among what they got', async ({
  page,
  request,
}) => {
  const player = await registerTrader(request, 0)
  await signIn(page, player.token)
  await page.goto('/user/profile')
  await page.getByRole('main').getByRole('link', { name: 'Điểm danh hằng ngày' }).click()
  await expect(page.getByText('Đã điểm danh 0 ngày')).toBeVisible()
  await pickReceiver(page)
  await page.getByRole('button', { name: 'Điểm danh nhận quà' }).focus()
  await page.keyboard.press('Enter')
  await followArrival(page)
  await expect(page.getByText('Bạn đã điểm danh hôm nay')).toBeVisible()
  await expect(page.getByText('Đã điểm danh 1 ngày')).toBeVisible()
  await expect(page.locator('[aria-current=date]')).toContainText('Đã nhận')
  await page.reload()
  await expect(page.getByText('Bạn đã điểm danh hôm nay')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Điểm danh nhận quà' })).toHaveCount(0)
  await page.goto('/user/deliveries')
  await expect(page.getByRole('main')).toContainText('Quà tặng:')
})
