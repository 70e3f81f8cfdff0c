import { expect, signIn, test } from './fixtures.ts'

test('a changed price has to be confirmed again', async ({ page, trader, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  await signIn(page, trader.token)
  await page.goto('/exchange')
  await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
  await page.getByRole('radio', { name: /10,000/ }).check()
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/exchange/store')) sent.push(request.postDataJSON())
  })
  const offer = { amount: 10_000, receive: 330 }
  await page.route('**/api/exchange/store', (route) =>
    route.fulfill({
      status: 422,
      json: { code: 'PRICE_CHANGED', message: '', report: true, offer, requestId: '1' },
    }),
  )
  await page.getByRole('button', { name: 'Đổi lượng' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Đổi lượng' }).click()
  const confirmation = page.getByRole('alertdialog', { name: 'Xác nhận đổi lượng' })
  await expect(confirmation).toContainText('Giá vừa thay đổi')
  await expect(confirmation).toContainText('330 lượngtrước đó 3,300 lượng')
  await expect(confirmation.getByRole('button', { name: 'Quay lại' })).toBeFocused()
  await page.unroute('**/api/exchange/store')
  await page.route('**/api/exchange/store', (route) => route.fulfill({ json: { balance: 1, report: true } }))
  await confirmation.getByRole('button', { name: 'Đổi lượng' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Thành công' })).toContainText('Thực hiện thành công')
  expect(sent).toMatchObject([{ expected_receive: 3_300 }, { expected_receive: 330 }])
})
