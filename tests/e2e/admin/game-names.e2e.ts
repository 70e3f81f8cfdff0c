import type { APIRequestContext } from '@playwright/test'
import type { GameName, GameNameKind } from '#contract/operator/game/names.ts'
import { demoLogin } from '#seeds/players.ts'
import { expectAccessible } from '../accessible.ts'
import { expect, loginByCall, registerTrader, signIn } from '../player/fixtures.ts'
import { giveReason, openConsole, test } from './staff-page.ts'

const headersOf = (token: string) => ({ authorization: `Bearer ${token}` })

async function nameOf(request: APIRequestContext, token: string, id: string): Promise<GameName> {
  const params = { filter: JSON.stringify({ id: [id] }) }
  const answer = await request.get('/api/operator/game-names', { headers: headersOf(token), params })
  const [row] = (await answer.json()) as GameName[]
  if (row === undefined) throw new Error(`no code ${id}`)
  return row
}

/** Sets a name by a call, over what it is now. */
async function rename(
  request: APIRequestContext,
  token: string,
  { id, name }: { id: `${GameNameKind}:${string}`; name: string },
): Promise<void> {
  const { kind, code, short_name, updated_at } = await nameOf(request, token, id)
  const data = { names: [{ kind, code, name, short_name, updated_at }], reason: 'Kiểm thử trình duyệt' }
  const answer = await request.put('/api/operator/game-names', { headers: headersOf(token), data })
  expect(answer.status(), await answer.text()).toBe(200)
}

test(
  'an owner renames a class and an item, and players read it in ranking, gift page and receipt',
  { tag: '@long' },
  async ({ page, browser, baseURL, aStaff, request, isMobile }) => {
    test.setTimeout(120_000)
    const owner = await aStaff('owner')
    const player = await registerTrader(request, 30_000)
    const site = await (await browser.newContext({ baseURL: baseURL ?? '', locale: 'vi-VN' })).newPage()
    try {
      await openConsole(page, owner, '/game-names?kind=item')
      await expect(page.getByRole('heading', { level: 1, name: 'Tên trong game' })).toBeVisible()
      await page.getByRole('textbox', { name: 'Tên của vật phẩm pet' }).fill('rồng con')
      await page.getByLabel('Loại').selectOption('Trường')
      // What was typed stays while another list is looked at.
      await expect(page.getByText('1 tên chưa lưu')).toBeVisible()
      await page.getByRole('textbox', { name: 'Tên của trường 1', exact: true }).fill('Kiếm khách')
      await page.getByRole('textbox', { name: 'Tên ngắn của trường 1' }).fill('K.khách')
      await expect(page.getByText('2 tên chưa lưu')).toBeVisible()
      await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
      await expect(page.getByRole('dialog')).toContainText('Trường 1: Kiếm → Kiếm khách (K.khách)')
      await expectAccessible(page)
      await giveReason(page, 'Lưu thay đổi', 'Tên theo bản mới')
      await expect(page.getByText('Đã thực hiện')).toBeVisible()
      await expect(page.getByText('tên chưa lưu')).toHaveCount(0)

      await signIn(site, await loginByCall(request, demoLogin))
      await site.goto('/ranking')
      await expect(site.getByRole('main')).toContainText(isMobile ? 'K.khách' : 'Kiếm khách')

      await signIn(site, player.token)
      await site.goto('/gift')
      const pack = site.getByRole('radio', { name: /Gói 9,999/ })
      await pack.check()
      await expect(site.getByRole('main')).toContainText('Rồng con')
      await site.getByRole('group', { name: 'Nhân vật nhận quà' }).getByRole('radio').first().check()
      await site.getByRole('button', { name: 'Mua gói quà' }).click()
      const confirmation = site.getByRole('alertdialog', { name: 'Xác nhận mua quà tân thủ' })
      await expect(confirmation).toContainText('Rồng con')
      await confirmation.getByRole('button', { name: 'Mua gói quà' }).click()
      await expect(site.getByRole('alertdialog', { name: 'Thành công' })).toContainText('rồng con')
      await site.goto('/user/deliveries')
      await expect(site.getByRole('main')).toContainText('rồng con')
      await site.getByRole('main').getByRole('link').filter({ hasText: 'rồng con' }).click()
      await expect(site.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(site.getByRole('main').getByRole('listitem').filter({ hasText: 'rồng con' })).toBeVisible()

      // A receipt that is read again has the name of that moment.
      await rename(request, owner.token, { id: 'item:pet', name: 'hổ con' })
      await site.reload()
      await expect(site.getByRole('main').getByRole('listitem').filter({ hasText: 'hổ con' })).toBeVisible()
    } finally {
      await rename(request, owner.token, { id: 'item:pet', name: 'thú cưng' })
      await rename(request, owner.token, { id: 'class:1', name: 'Kiếm' })
      await site.context().close()
    }
  },
)

test(
  'a pasted list is looked at before it is saved, and what others changed meanwhile is not overwritten',
  { tag: '@long' },
  async ({ page, aStaff, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const editor = await aStaff('editor')
    const code = `vp-${Date.now().toString(36)}`
    await openConsole(page, editor, '/game-names?kind=item')
    await page.getByRole('button', { name: 'Nhập danh sách' }).click()
    const lines = page.getByRole('dialog').getByLabel('Danh sách')
    await lines.fill(`${code},Cuộn phép\nvp-thieu-ten`)
    await page.getByRole('button', { name: 'Đưa vào trang' }).click()
    await expect(page.getByRole('alert')).toContainText('Dòng 2 thiếu tên')
    await expectAccessible(page)
    await lines.fill(`Mã,Tên\n${code},"Cuộn phép, loại 1"`)
    await page.getByRole('button', { name: 'Đưa vào trang' }).click()
    await expect(page.getByText('1 tên chưa lưu')).toBeVisible()
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Đã thực hiện')).toBeVisible()

    await page.goto(`/admin/game-names?kind=item&q=${code}`)
    const name = page.getByRole('textbox', { name: `Tên của vật phẩm ${code}` })
    await expect(name).toHaveValue('Cuộn phép, loại 1')
    await expectAccessible(page)
    await name.fill('Cuộn lửa')
    await rename(request, editor.token, { id: `item:${code}`, name: 'Cuộn gió' })
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Người khác vừa đổi tên này')).toBeVisible()
    await page.getByRole('button', { name: 'Quay lại' }).click()
    await expect(page.getByText('Người khác vừa đổi thành: Cuộn gió')).toBeVisible()
    await page.getByRole('button', { name: 'Giữ tên của tôi' }).click()
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('tên chưa lưu')).toHaveCount(0)
    expect(await nameOf(request, editor.token, `item:${code}`)).toMatchObject({ name: 'Cuộn lửa' })

    // Without a name the code is first again, and left out where nothing else knows it.
    await name.fill('')
    await page.getByRole('button', { name: 'Lưu thay đổi' }).click()
    await expect(page.getByRole('dialog')).toContainText('(xóa tên)')
    await giveReason(page, 'Lưu thay đổi')
    await expect(page.getByText('Không có dòng nào khớp với bộ lọc.')).toBeVisible()
  },
)
