import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, registerPlayer, signIn, test, order } from './fixtures.ts'
import { aStaffMember } from './staff.ts'

const receipt = async () => ({
  name: 'bien-lai.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 360, height: 640, channels: 3, background: '#2e7d32' } })
    .png()
    .toBuffer(),
})

const auth = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

async function aCancelledOrder(request: APIRequestContext, token: string): Promise<string> {
  const { code } = await order(request, token, { amount: 70_000 })
  await request.post(`/api/recharge/orders/${code}/cancel`, auth(token))
  return code
}

const picture = (page: Page) => page.getByLabel(/^Ảnh biên lai/)
const send = (page: Page) => page.getByRole('button', { name: 'Gửi yêu cầu' }).click()
const sent = (page: Page) => page.getByRole('heading', { name: /^Đã gửi yêu cầu số \d+$/ })
const claims = (page: Page) => page.getByRole('region', { name: 'Yêu cầu của bạn' }).getByRole('listitem')

test('a claim goes to an operator, and the answer comes back', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  const code = await aCancelledOrder(request, token)
  await signIn(page, token)
  await page.goto(`/recharge/${code}`)
  // Vietnam's clock, which is this browser's here.
  const hour = () => new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 13)
  const opened = hour()
  await page.getByRole('link', { name: 'Tôi đã chuyển nhưng chưa được cộng' }).click()
  await expect(page.getByLabel('Số tiền đã chuyển (VND)')).toHaveValue('70,000')
  await expect(page.getByLabel(/^Ghi chú/)).toHaveValue(`Đơn nạp ${code}`)
  const offered = await page.getByLabel(/^Thời gian chuyển/).inputValue()
  expect([opened, hour()]).toContain(offered.slice(0, 13))
  await picture(page).setInputFiles(await receipt())
  await expect(page.getByRole('img', { name: 'Ảnh bạn đã chọn' })).toBeVisible()
  await send(page)
  await expect(sent(page)).toBeFocused()
  await expect(claims(page)).toHaveCount(1)
  await expect(claims(page)).toContainText('Chờ kiểm tra')

  const id = /\d+/.exec(await sent(page).innerText())?.[0] ?? ''
  const { token: cashier } = await aStaffMember(request, process.env.PORTAL_DATA_DIR ?? '', 'cashier')
  const shown = await request.get(`/api/operator/recharge-claims/${id}/picture`, auth(cashier))
  expect((await sharp(await shown.body()).metadata()).format).toBe('jpeg')
  const message = 'Chưa thấy khoản này trong sao kê.'
  const answered = await request.post(`/api/operator/recharge-claims/${id}/answer`, {
    ...auth(cashier),
    data: { outcome: 'rejected', message, reason: 'Không có trong sao kê' },
  })
  expect(answered.status(), await answered.text()).toBe(200)
  await page.reload()
  await expect(claims(page)).toContainText('Từ chối')
  await expect(claims(page)).toContainText(message)
})

test(
  'a refused picture leaves all else as it was typed',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const { token } = await registerPlayer(request)
    await signIn(page, token)
    await page.goto('/recharge')
    await page.getByRole('link', { name: 'Tôi đã chuyển nhưng chưa được cộng' }).click()
    await send(page)
    await expect(page.getByRole('alert')).toHaveText('Vui lòng nhập số tiền')
    await expect(page.getByLabel('Số tiền đã chuyển (VND)')).toBeFocused()

    // Reported before anything is sent.
    await picture(page).setInputFiles({ name: 'a.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') })
    await expect(page.getByText('Ảnh phải là tệp JPG, PNG hoặc WebP')).toBeVisible()
    const large = { name: 'a.png', mimeType: 'image/png', buffer: randomBytes(5 * 1024 * 1024 + 1) }
    await picture(page).setInputFiles(large)
    await expect(page.getByText('Ảnh lớn hơn 5 MB')).toBeVisible()

    await page.getByLabel('Số tiền đã chuyển (VND)').fill('50000')
    await page.getByLabel(/^Mã giao dịch/).fill('FT26325123456')
    await page.getByLabel(/^Ghi chú/).fill('Chuyển từ MB')
    const html = { name: 'anh.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<h1>Không phải ảnh</h1>') }
    await picture(page).setInputFiles(html)
    await expect(page.getByText('anh.jpg')).toBeVisible()
    await send(page)
    const failure = page.getByRole('alertdialog', { name: 'Thất bại' })
    await expect(failure).toContainText('Ảnh phải là tệp JPG, PNG hoặc WebP')
    await failure.getByRole('button', { name: 'Xác nhận' }).click()
    await expect(page.getByRole('alert')).toHaveText('Ảnh phải là tệp JPG, PNG hoặc WebP')
    await expect(picture(page)).toBeFocused()
    await expect(page.getByLabel('Số tiền đã chuyển (VND)')).toHaveValue('50,000')
    await expect(page.getByLabel(/^Mã giao dịch/)).toHaveValue('FT26325123456')
    await expect(page.getByLabel(/^Ghi chú/)).toHaveValue('Chuyển từ MB')
    await expect(page.getByText('anh.jpg')).toBeVisible()

    await picture(page).setInputFiles(await receipt())
    await send(page)
    await expect(sent(page)).toBeVisible()
  },
)

test('a claim whose response was lost is stored once', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/ERR_FAILED/)
  const { token } = await registerPlayer(request)
  await signIn(page, token)
  await page.goto('/recharge/claim')
  await page.getByLabel('Số tiền đã chuyển (VND)').fill('20000')
  await picture(page).setInputFiles(await receipt())
  await page.route(
    '**/api/recharge/claims',
    async (route) => {
      await route.fetch()
      await route.abort()
    },
    { times: 1 },
  )
  await send(page)
  await expect(page.getByText('Có lỗi xảy ra, vui lòng thử lại')).toBeVisible()
  await send(page)
  await expect(sent(page)).toBeVisible()
  await expect(claims(page)).toHaveCount(1)
})

test(
  'a photo of more than 5 MB is made small before it is sent',
  { tag: '@long' },
  async ({ page, request }) => {
    const { token } = await registerPlayer(request)
    await signIn(page, token)
    await page.goto('/recharge/claim')
    const [width, height] = [1_900, 1_800]
    const buffer = await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
      .toBuffer()
    expect(buffer.length).toBeGreaterThan(5 * 1024 * 1024)
    await page.getByLabel('Số tiền đã chuyển (VND)').fill('20000')
    await picture(page).setInputFiles({ name: 'to.jpg', mimeType: 'image/jpeg', buffer })
    await expect(page.getByText(/^· [1-4],\d MB$/)).toBeVisible()
    await send(page)
    await expect(sent(page)).toBeVisible()
  },
)
