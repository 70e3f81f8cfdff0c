import { expect, registerPlayer, test } from '../player/fixtures.ts'
import { aProvedStaffMember } from '../player/staff.ts'
import { expectAccessible } from '../accessible.ts'
import { openConsole } from './staff-page.ts'

// The oldest accounts stay where they are while other tests register players.
const LIST = '/users?sort=created_at'

test('the keys of a list move, mark and open its rows, but not while somebody types or a dialog is open', async ({
  page,
  request,
  portal,
}) => {
  const staff = await aProvedStaffMember(request, portal.dataDir, 'owner')
  await openConsole(page, staff, LIST)
  const rows = page.getByRole('table', { name: 'Người chơi' }).locator('tbody tr')
  await expect(rows.nth(2)).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows.nth(0)).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(rows.nth(1)).toBeFocused()
  expect(await rows.nth(1).evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid')
  await page.keyboard.press('x')
  await expect(page.getByText('Đã chọn 1')).toBeVisible()
  await expect(rows.nth(1).getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('x')
  await expect(page.getByText('Đã chọn 1')).toBeHidden()
  // A box that was clicked holds the focus; the keys go on from its row.
  await rows.nth(0).getByRole('checkbox').click()
  await page.keyboard.press('j')
  await expect(rows.nth(1)).toBeFocused()

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Phím tắt' })
  for (const label of ['Dòng sau của danh sách', 'Dòng trước của danh sách', 'Mở dòng', 'Đánh dấu dòng'])
    await expect(help).toContainText(label)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await expect(page.getByText('Đã chọn 1')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()

  const field = page.getByRole('textbox', { name: 'Tên, điện thoại, email, nhân vật' })
  await field.focus()
  await page.keyboard.type('jkx')
  await expect(field).toHaveValue('jkx')
  await expect(field).toBeFocused()
  await field.fill('')
  await field.blur()

  await page.keyboard.press('j')
  await expect(rows.nth(1), 'the row where the keys were last').toBeFocused()
  const name = await rows.nth(1).getByRole('link').first().innerText()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  await page.goBack()
  await expect(rows.nth(1)).toBeVisible()
  await page.keyboard.press('k')
  await expect(rows.nth(1), 'the row that was opened').toBeFocused()
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: /^Tìm người chơi/ })).toBeFocused()
})

test('several players are banned with one reason, and each row says what came of it', async ({
  page,
  request,
  portal,
}) => {
  const staff = await aProvedStaffMember(request, portal.dataDir, 'owner')
  const player = await registerPlayer(request)
  await openConsole(page, staff, `/users?q=${player.username}`)
  await page.getByRole('checkbox', { name: /^Chọn dòng này/ }).click()
  await page.getByRole('button', { name: 'Khóa các người chơi đã chọn' }).click()
  const dialog = page.getByRole('dialog', { name: 'Khóa các người chơi đã chọn' })
  await expect(dialog).toContainText(player.username)
  await expectAccessible(page)
  await dialog.getByLabel('Khóa gì').selectOption('Giao dịch')
  await dialog.getByLabel('Lí do').fill('Dùng phần mềm gian lận')
  await dialog.getByRole('button', { name: 'Thực hiện với 1 dòng' }).click()
  const result = page.getByRole('dialog', { name: /kết quả$/ })
  await expect(result).toContainText('Đã xong 1 trong 1 dòng.')
  await expect(result.getByRole('listitem')).toContainText(`${player.username} Đã xong`)
  await expectAccessible(page)
  await result.getByRole('button', { name: 'Đóng', exact: true }).last().click()
  await expect(page.getByText('Đã chọn 1')).toBeHidden()
  await expect(page.getByRole('table', { name: 'Người chơi' })).toContainText('Khóa giao dịch')
})

test('a filter is saved under a name, opened from there, renamed and removed', async ({
  page,
  request,
  portal,
}) => {
  const staff = await aProvedStaffMember(request, portal.dataDir, 'cashier')
  await openConsole(page, staff, '/recharge-orders')
  const saved = page.getByRole('navigation', { name: 'Bộ lọc đã lưu' })
  await expect(saved).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Trạng thái' }).selectOption('Đã hủy')
  await page.getByRole('combobox', { name: 'Kênh' }).selectOption('ACB')
  await saved.getByRole('button', { name: 'Lưu bộ lọc này' }).click()
  await page.getByRole('dialog').getByLabel('Tên bộ lọc').fill('Đơn ACB đã hủy')
  await page.getByRole('dialog').getByRole('button', { name: 'Lưu', exact: true }).click()
  await expect(saved.getByRole('link', { name: 'Đơn ACB đã hủy' })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/admin/recharge-orders')
  await saved.getByRole('link', { name: 'Đơn ACB đã hủy' }).click()
  await expect(page.getByRole('combobox', { name: 'Trạng thái' })).toHaveValue('cancelled')
  await expect(page.getByRole('combobox', { name: 'Kênh' })).toHaveValue('3')
  await expect(saved.getByRole('link')).toHaveAttribute('aria-current', 'true')

  await saved.getByRole('button', { name: 'Sửa bộ lọc đã lưu' }).click()
  const dialog = page.getByRole('dialog', { name: 'Bộ lọc đã lưu' })
  await dialog.getByLabel('Tên của “Đơn ACB đã hủy”').fill('ACB hủy')
  await dialog.getByRole('button', { name: 'Đổi tên' }).click()
  await expect(dialog.getByLabel('Tên của “ACB hủy”')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Xóa' }).click()
  await expect(dialog).toContainText('Chưa lưu bộ lọc nào')
})
