import { expectAccessible } from '../accessible.ts'
import { openConsole } from '../admin/staff-page.ts'
import { expect, pay, registerTrader, signIn, test } from './fixtures.ts'
import { aStaffMember } from './staff.ts'

/** Shorter than the ten seconds between two reads: what shows within it came by the stream. */
const LIVE_MS = 8_000

test('one payment, made by hand nowhere else, brings luong to the character', async ({ page, request }) => {
  const { token } = await registerTrader(request, 4_000)
  await signIn(page, token)
  await page.goto('/exchange')
  await page.getByRole('group', { name: 'Nhân vật nhận lượng' }).getByRole('radio').first().check()
  await page.getByRole('radio', { name: /50,000/ }).check()
  await page.getByRole('combobox', { name: 'Trả qua' }).selectOption('Vietcombank')
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.getByRole('button', { name: 'Trả 46,000 VND bằng QR' }).click()
  await page.waitForURL(/\/recharge\/[A-Z0-9]+$/)
  await expect(page.getByRole('main')).toContainText('50,000 TCoin tự đổi thành 16,500 lượng cho nhân vật')

  const code = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await pay(request, token, { code })

  const steps = page.getByRole('main').getByRole('listitem')
  await expect(steps.filter({ hasText: 'Lượng vào nhân vật' })).toHaveAttribute('data-state', 'done', {
    timeout: LIVE_MS,
  })
  await expect(steps.filter({ hasText: 'Đã cộng TCoin' })).toHaveAttribute('data-state', 'done')
  await page.getByRole('link', { name: 'Xem biên nhận' }).click()
  await expect(page.getByRole('main')).toContainText(/16,500 lượng/)
})

test(
  'an order that bought nothing says why, and leads to the exchange as it was chosen',
  { tag: '@long' },
  async ({ page, browser, baseURL, request }) => {
    const { token } = await registerTrader(request, 4_000)
    const headers = { authorization: `Bearer ${token}` }
    const { characters } = await (await request.get('/api/exchange', { headers })).json()
    const [{ id, name }] = characters
    const placed = await request.post('/api/recharge/orders', {
      headers,
      data: {
        channel: 2,
        purchase: { kind: 'exchange', character_id: id, receive: 16_500, expected_amount: 50_000 },
      },
    })
    const { code } = await placed.json()
    await signIn(page, token)
    await page.goto(`/recharge/${code}`)
    await pay(request, token, { code, amount: 40_000 })
    await expect(page.getByRole('main')).toContainText(`Chưa đổi được 16,500 lượng cho nhân vật ${name}.`, {
      timeout: LIVE_MS,
    })
    await expect(page.getByRole('main')).toContainText('Số TCoin trong ví không đủ.')
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Đổi lượng' }).click()
    await expect(page.getByRole('radio', { name: /50,000/ })).toBeChecked()
    await expect(page.getByRole('radio', { name: new RegExp(name) })).toBeChecked()

    const staff = await aStaffMember(request, process.env.PORTAL_DATA_DIR ?? '', 'support')
    const support = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await openConsole(support, staff, `/recharge-orders/${code}`)
    const bought = support.getByRole('region', { name: 'Nạp và đổi luôn' })
    await expect(bought).toContainText('Không đổi, TCoin ở trong ví')
    await expect(bought).toContainText('Ví không đủ TCoin')
    await expect(bought).toContainText(`${name} (${id})`)
    await expectAccessible(support)
    await support.context().close()
  },
)
