import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expectAccessible, expectAccessibleInBothSchemes } from '../accessible.ts'
import { openConsole } from '../admin/staff-page.ts'
import { expect, registerTrader, signIn, test } from './fixtures.ts'
import { aStaffMember } from './staff.ts'
import { buyLuong } from './accounts.ts'

test.use({ hasLiveBell: true, viewport: { width: 360, height: 740 } })

/** From the answer on; the page itself reads again after thirty seconds. */
const LIVE_MS = 5_000

const photo = async () => ({
  name: 'man-hinh.png',
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 360, height: 640, channels: 3, background: '#2e7d32' } })
    .png()
    .toBuffer(),
})

const messages = (page: Page) => page.getByRole('list', { name: 'Trao đổi' }).getByRole('listitem')

test('a player reports missing luong from its statement line, and reads the answer live on a phone', async ({
  page,
  browser,
  baseURL,
  request,
}) => {
  const { token } = await registerTrader(request, 30_000)
  await buyLuong(request, token)
  const staff = await aStaffMember(request, process.env.PORTAL_DATA_DIR ?? '', 'support')
  const title = `Chờ vào game ${Date.now()}`
  const text = 'Món đã tới game. Bạn hãy thoát hẳn game rồi vào lại đúng nhân vật nhé.'
  const made = await request.post('/api/operator/answer-templates', {
    headers: { authorization: `Bearer ${staff.token}` },
    data: { title, text, reason: 'Câu hỏi hay gặp' },
  })
  expect(made.status()).toBe(201)

  await signIn(page, token)
  await page.goto('/user/transactions?type=exchange')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Báo vấn đề/ })
    .filter({ visible: true })
    .click()
  await expect(page.getByRole('main')).toContainText(/Về: Đổi lượng −10,000 TCoin/)
  await expect(page.getByText('Tôi chưa nhận được lượng hoặc món đã mua')).toBeVisible()
  await page.getByLabel('Vấn đề của bạn').fill('Tôi đổi lượng mà vào game chưa thấy.')
  await page.getByLabel(/^Ảnh/).setInputFiles(await photo())
  await expect(page.getByRole('img', { name: 'man-hinh.png' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('button', { name: 'Gửi', exact: true }).click()
  await expect(page).toHaveURL(/\/user\/help\/\d+$/)
  await expect(messages(page)).toHaveCount(1)
  await expect(page.getByRole('img', { name: 'Ảnh 1 đã gửi' })).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  const id = /\d+$/.exec(page.url())?.[0] ?? ''

  const support = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
  await openConsole(support, staff, `/cases/${id}`)
  await expect(support.getByRole('img', { name: 'Ảnh người chơi gửi kèm' })).toBeVisible()
  await expectAccessible(support)
  await support.getByLabel('Dùng mẫu trả lời').selectOption(title)
  await expect(support.getByRole('textbox', { name: 'Trả lời cho người chơi' })).toHaveValue(text)
  await support.getByRole('button', { name: 'Gửi trả lời' }).click()
  await expect(support.getByText('Đã trả lời').first()).toBeVisible()

  await expect(messages(page)).toHaveCount(2, { timeout: LIVE_MS })
  await expect(messages(page).last()).toContainText(text)
  // It was read where it was shown.
  await expect
    .poll(async () => {
      const read = await request.get('/api/notices', { headers: { authorization: `Bearer ${token}` } })
      const { data } = (await read.json()) as { data: { href: string; read: boolean }[] }
      return data.filter(({ href }) => href === `/user/help/${id}`).map((notice) => notice.read)
    })
    .toEqual([true])
  await page.getByLabel('Viết tiếp').fill('Đã thấy rồi, cảm ơn!')
  await page.getByRole('button', { name: 'Gửi', exact: true }).press('Enter')
  await expect(messages(page)).toHaveCount(3)
  await expect(page.getByLabel('Viết tiếp')).toHaveValue('')

  await page.getByRole('link', { name: '← Hỗ trợ' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: /Đổi lượng −10,000 TCoin/ })).toContainText(
    'Chờ trả lời',
  )
  await expectAccessibleInBothSchemes(page)
  await support.context().close()
})
