import type { Browser, Page } from '@playwright/test'
import { expectAccessibleInBothSchemes } from '../accessible.ts'
import { CODE_IN_LETTER, letAMinutePass, letterTo, textForCode } from '../player/accounts.ts'
import {
  expect,
  expectNoStepBack,
  expectSignedIn,
  freshPhone,
  freshUsername,
  registerPlayer,
} from '../player/fixtures.ts'
import type { StaffMember } from '../player/staff.ts'
import { giveReason, openConsole, test } from './staff-page.ts'

const NEW_PASSWORD = 'matkhau-moi-9'

/** Asks for help up to the code; answers the form. */
async function startAsking(page: Page) {
  await page.goto('/help')
  await page.getByLabel('Bạn cần giúp về việc gì?').selectOption('Không đăng nhập được')
  await page.getByLabel('Chuyện gì đã xảy ra?').fill('Tôi quên mật khẩu, game cũng không vào được.')
  return page.getByRole('form', { name: 'Gửi yêu cầu' })
}

/** The number of the case that a visitor has opened. */
async function caseOf(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/help#\d+\.[\w-]{43}$/)
  return /#(\d+)/.exec(page.url())?.[1] ?? ''
}

async function typeNewPassword(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mật khẩu mới', { exact: true }).fill(NEW_PASSWORD)
  await dialog.getByLabel('Nhập lại mật khẩu mới').fill(NEW_PASSWORD)
  await dialog.getByRole('button', { name: 'Đặt mật khẩu mới' }).click()
}

/** Looks the account up by keys alone, and proposes to hand it back. */
async function proposeReturn(desk: Page, caseId: string, username: string): Promise<void> {
  await desk.goto(`/admin/cases/${caseId}`)
  await desk.getByRole('button', { name: 'Trả lại tài khoản' }).press('Enter')
  const dialog = desk.getByRole('dialog', { name: 'Trả lại tài khoản' })
  const submit = dialog.getByRole('button', { name: 'Đề xuất trả lại' })
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Tên đăng nhập của tài khoản').fill('khongcoaica')
  await desk.keyboard.press('Enter')
  await expect(dialog.getByText('Không có tài khoản nào mang tên này')).toBeVisible()
  await dialog.getByLabel('Tên đăng nhập của tài khoản').fill(username)
  await desk.keyboard.press('Enter')
  await expect(dialog.getByText('Liên hệ game ghi')).toBeVisible()
  await expect(dialog.getByText(/cấp \d+/).first()).toBeVisible()
  await expect(submit).toBeEnabled()
  await expectAccessibleInBothSchemes(desk)
  await dialog.getByLabel('Tên đăng nhập của tài khoản').press('End')
  await desk.keyboard.type('x')
  await expect(submit).toBeDisabled()
  await desk.keyboard.press('Backspace')
  await expect(submit).toBeEnabled()
  await giveReason(desk, 'Đề xuất trả lại', 'Nói đúng tên và cấp nhân vật')
  await expect(desk.getByText('Đã gửi đề xuất, chờ người thứ hai duyệt')).toBeVisible()
  await desk.context().close()
}

async function approveReturn(desk: Page, caseId: string, username: string): Promise<void> {
  await desk.goto('/admin/proposals')
  const proposal = desk.getByRole('article', { name: `Trả lại tài khoản ${username}` })
  await expect(proposal).toContainText(`Trả cho khách của yêu cầu hỗ trợ số ${caseId}`)
  await expect(proposal.getByRole('link', { name: 'Xem yêu cầu hỗ trợ' })).toHaveAttribute(
    'href',
    `/admin/cases/${caseId}`,
  )
  await proposal.getByRole('button', { name: 'Duyệt' }).click()
  await giveReason(desk, 'Duyệt', 'Đã hỏi lại khách')
  await expect(desk.getByRole('dialog')).toHaveCount(0)
  await expectNoStepBack(desk)
  await desk.goto(`/admin/cases/${caseId}`)
  await expect(desk.getByRole('main')).toContainText(`Ban quản trị đã trả lại tài khoản ${username} cho bạn.`)
  await desk.context().close()
}

/** The console of an owner whose proof is fresh. */
async function deskOf(browser: Browser, baseURL: string, staff: StaffMember): Promise<Page> {
  const page = await (await browser.newContext({ baseURL, locale: 'vi-VN' })).newPage()
  await openConsole(page, staff)
  return page
}

test('two operators hand an account back, and the visitor sets a password by the mailed link', async ({
  page,
  browser,
  portal,
  request,
  mail,
  aProvedStaff,
}) => {
  const player = await registerPlayer(request)
  const email = `${freshUsername()}@thu.test`
  const form = await startAsking(page)
  await form.getByLabel('Email của bạn').fill(email)
  await form.getByRole('button', { name: 'Gửi mã' }).click()
  await form.getByLabel('Mã OTP').fill(await letterTo(mail, email, CODE_IN_LETTER))
  await form.getByRole('button', { name: 'Gửi yêu cầu' }).click()
  const caseId = await caseOf(page)

  const [first, second] = [await aProvedStaff('owner'), await aProvedStaff('owner')]
  await proposeReturn(await deskOf(browser, portal.url, first), caseId, player.username)
  await approveReturn(await deskOf(browser, portal.url, second), caseId, player.username)

  await page.goto(await letterTo(mail, email, /(http:\S+\/password\/[\w-]+)/))
  await typeNewPassword(page)
  await expectSignedIn(page, player.username)
})

test(
  'a visitor with a phone sets the password by its code',
  { tag: '@long' },
  async ({ page, browser, portal, request, aProvedStaff }) => {
    const player = await registerPlayer(request)
    const phone = freshPhone()
    const form = await startAsking(page)
    await form.getByRole('tab', { name: 'Số điện thoại' }).click()
    await form.getByRole('textbox', { name: 'Số điện thoại' }).fill(phone)
    await form.getByLabel('Mã OTP').fill(await textForCode(request, phone))
    await form.getByRole('button', { name: 'Gửi yêu cầu' }).click()
    const caseId = await caseOf(page)

    const [first, second] = [await aProvedStaff('owner'), await aProvedStaff('owner')]
    await proposeReturn(await deskOf(browser, portal.url, first), caseId, player.username)
    await approveReturn(await deskOf(browser, portal.url, second), caseId, player.username)

    await page.reload()
    await expect(page.getByRole('list', { name: 'Trao đổi' })).toContainText('chọn “Điện thoại”')
    await letAMinutePass()
    await page.goto('/forgot')
    await page.getByRole('tab', { name: 'Điện thoại' }).click()
    const forgot = page.getByRole('dialog', { name: 'Quên mật khẩu' })
    await forgot.getByLabel('Tên đăng nhập').fill(player.username)
    await forgot.getByLabel('Số điện thoại').fill(phone)
    await forgot.getByLabel('Mã OTP').fill(await textForCode(request, phone))
    await expect(forgot.getByText('Đã xác thực!')).toBeVisible()
    await typeNewPassword(page)
    await expectSignedIn(page, player.username)
  },
)
