import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { consoleOf } from '../admin/staff-page.ts'
import { CODE_IN_LETTER, letterTo } from './accounts.ts'
import { expect, freshUsername, registerPlayer, signIn, test } from './fixtures.ts'
import { aStaffMember } from './staff.ts'

test('a visitor asks with a mailed code, is answered, and writes on by the link', async ({
  page,
  browser,
  baseURL,
  request,
  mail,
}) => {
  const email = `${freshUsername()}@thu.test`
  await page.goto('/home')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Nhờ hỗ trợ' }).click()
  await page.getByLabel('Bạn cần giúp về việc gì?').selectOption('Không đăng nhập được')
  await page.getByLabel('Chuyện gì đã xảy ra?').fill('Tôi mất điện thoại có ứng dụng xác thực.')
  const form = page.getByRole('form', { name: 'Gửi yêu cầu' })
  await form.getByLabel('Email của bạn').fill(email)
  await form.getByRole('button', { name: 'Gửi mã' }).click()
  await form.getByLabel('Mã OTP').fill(await letterTo(mail, email, CODE_IN_LETTER))
  await expectAccessibleInBothSchemes(page)
  await form.getByRole('button', { name: 'Gửi yêu cầu' }).click()
  const thread = page.getByRole('list', { name: 'Trao đổi' }).getByRole('listitem')
  await expect(thread).toHaveCount(1)
  await expect(page).toHaveURL(/\/help#\d+\.[\w-]{43}$/)
  await expectAccessibleInBothSchemes(page)
  const id = /#(\d+)/.exec(page.url())?.[1] ?? ''

  const staff = await aStaffMember(request, process.env.PORTAL_DATA_DIR ?? '', 'support')
  const desk = await consoleOf(browser, baseURL ?? '', staff)
  await desk.goto(`/admin/cases/${id}`)
  await expect(desk.getByText('Email (đã xác minh)')).toBeVisible()
  await desk.getByRole('textbox', { name: 'Trả lời' }).fill('Bạn nhớ mã khôi phục nào không?')
  await desk.getByRole('button', { name: 'Gửi trả lời' }).click()
  await expect(desk.getByText('Đã trả lời').first()).toBeVisible()
  await desk.goto('/admin/cases?is_visitor=true')
  await expect(desk.getByRole('row').filter({ hasText: 'Không đăng nhập được' }).first()).toContainText(
    'Khách',
  )
  await desk.context().close()

  const link = await letterTo(mail, email, /(http:\S+\/help#[\w.-]+)/)
  await page.goto('/home')
  await page.goto(link)
  await expect(thread.last()).toContainText('Bạn nhớ mã khôi phục nào không?')
  await page.getByLabel('Viết tiếp').fill('Không ạ')
  await page.getByRole('button', { name: 'Gửi', exact: true }).click()
  await expect(thread).toHaveCount(3)
})

test('a player asks about the account, and a visitor’s page leads there', async ({ page, request }) => {
  const { token } = await registerPlayer(request)
  await signIn(page, token)
  await page.goto('/help')
  await expect(page).toHaveURL(/\/user\/help$/)
  await page.getByRole('main').getByRole('link', { name: 'Nhờ hỗ trợ' }).first().click()
  await page.getByRole('link', { name: /^Tài khoản/ }).click()
  await expect(page.getByText('Tài khoản của tôi bị khóa')).toBeVisible()
  await page.getByLabel('Vấn đề của bạn').fill('Tôi muốn đổi số điện thoại đã mất.')
  await page.getByRole('button', { name: 'Gửi', exact: true }).click()
  await expect(page).toHaveURL(/\/user\/help\/\d+$/)
  await expect(page.getByRole('list', { name: 'Trao đổi' }).getByRole('listitem')).toHaveCount(1)
})
