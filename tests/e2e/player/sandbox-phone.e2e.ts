import { randomInt } from 'node:crypto'
import { expect, test, sendLogin } from './fixtures.ts'

const aPhone = () => `09${String(randomInt(100_000_000)).padStart(8, '0')}`

test('a visitor gets a code by the sandbox’s phone', async ({ page, request }) => {
  const phone = aPhone()
  await page.goto('/sandbox')
  const form = page.getByRole('region', { name: 'Điện thoại thử' })
  await form.getByLabel('Số điện thoại').fill('12')
  await form.getByRole('button', { name: 'Gửi tin nhắn' }).click()
  await expect(form.getByText('Số điện thoại không hợp lệ')).toBeVisible()

  await form.getByLabel('Số điện thoại').fill(phone)
  await expect(form.getByLabel('Nội dung tin nhắn')).toHaveValue('THN OTP')
  await form.getByRole('button', { name: 'Gửi tin nhắn' }).click()
  const reply = form.getByRole('status')
  await expect(reply).toContainText('Trả lời từ 7039')
  const code = /\b\d{6}\b/.exec((await reply.innerText()).replace('7039', ''))?.[0]
  const verified = await request.post('/api/one-time-password/verify', { data: { phone, code } })
  expect([verified.status(), await verified.json()]).toEqual([200, { verified: true }])

  await form.getByRole('button', { name: 'Gửi tin nhắn' }).click()
  await expect(reply).toContainText('Vui long thu lai sau')
})

test('a foreign number gets no answer, and the page explains why', async ({ page }) => {
  await page.goto('/sandbox')
  const form = page.getByRole('region', { name: 'Điện thoại thử' })
  await form.getByLabel('Số điện thoại').fill('+12025550123')
  await form.getByRole('button', { name: 'Gửi tin nhắn' }).click()
  await expect(form.getByRole('status')).toContainText('Không có tin trả lời')
})

test('a visitor sees no orders there, and comes back to them by logging in', async ({ page, newcomer }) => {
  await page.goto('/sandbox')
  await page.getByRole('main').getByRole('button', { name: 'Đăng nhập' }).click()
  const login = page.getByRole('dialog', { name: 'Đăng nhập' })
  await sendLogin(login, newcomer)
  await expect(page.getByText('Không có đơn nào đang chờ.')).toBeVisible()
  await expect(page).toHaveURL(/\/sandbox$/)
})
