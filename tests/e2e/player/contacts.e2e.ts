import type { Locator, Page } from '@playwright/test'
import type { MailServer } from '#tests/support/mail-server.ts'
import {
  CODE_IN_LETTER,
  letAMinutePass,
  letterTo,
  registerWith,
  textForCode,
  userOf,
  wrongCode,
} from './accounts.ts'
import { expect, freshPhone, freshUsername, registerPlayer, signIn, test, order, pay } from './fixtures.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const step = (page: Page, number: number) => page.getByRole('group', { name: new RegExp(`^Bước ${number}`) })
const freshEmail = () => `${freshUsername()}@thu.test`

/** Has a code mailed by the button beside the field, and types it. */
async function fillMailedCode(within: Locator, mail: MailServer, email: string): Promise<void> {
  await within.getByRole('button', { name: 'Gửi mã' }).click()
  await expect(within.getByRole('button', { name: /^Gửi lại \(\d\ds\)$/ })).toBeDisabled()
  await within.getByLabel('Mã OTP').fill(await letterTo(mail, email, CODE_IN_LETTER))
}

test('an e-mail is proved and changed by codes', async ({ page, request, mail, consoleErrors }) => {
  test.setTimeout(120_000)
  consoleErrors.expect(/status of 422/)
  const [first, second] = [freshEmail(), freshEmail()]
  const player = await registerWith(request, { phone: freshPhone(), email: first })
  await signIn(page, player.token)
  await page.goto('/user/profile')

  await page.getByRole('button', { name: 'Xác thực email' }).click()
  const verify = dialog(page, 'Xác thực email')
  await verify.getByRole('button', { name: 'Gửi mã' }).click()
  const code = await letterTo(mail, first, CODE_IN_LETTER)
  await verify.getByLabel('Mã OTP').fill(wrongCode(code))
  await verify.getByRole('button', { name: 'Xác thực email' }).click()
  const failure = page.getByRole('alertdialog', { name: 'Thất bại' })
  await expect(failure).toContainText('Mã OTP không chính xác')
  await failure.getByRole('button', { name: 'Xác nhận' }).click()
  await verify.getByLabel('Mã OTP').fill(code)
  await verify.getByRole('button', { name: 'Xác thực email' }).click()
  await expect(verify).toBeHidden()
  await expect(page.getByRole('button', { name: 'Xác thực email' })).toHaveCount(0)
  expect(await userOf(request, player.token)).toMatchObject({ email_verified: true })

  await page.getByRole('button', { name: 'Đổi email' }).click()
  await expect(step(page, 2)).toHaveCount(0)
  await step(page, 1).getByRole('button', { name: 'Gửi mã' }).click()
  await expect.poll(() => mail.to(first).filter(({ text }) => CODE_IN_LETTER.test(text ?? '')).length).toBe(2)
  await step(page, 1)
    .getByLabel('Mã OTP')
    .fill(await letterTo(mail, first, CODE_IN_LETTER))
  await expect(step(page, 2).getByLabel('Email mới')).toBeFocused()
  await step(page, 2).getByRole('button', { name: 'Gửi mã' }).click()
  await expect(step(page, 2).getByLabel('Mã OTP')).toHaveAccessibleDescription('Vui lòng nhập email')
  await step(page, 2).getByLabel('Email mới').fill(second)
  await fillMailedCode(step(page, 2), mail, second)
  await page.getByRole('button', { name: 'Lưu email' }).click()
  await expect(dialog(page, 'Đổi email')).toBeHidden()
  await expect.poll(async () => (await userOf(request, player.token)).email).toBe(`${second[0]}***@thu.test`)
  // The old address gets a mail about it.
  await expect.poll(() => mail.to(first).length).toBe(3)
})

test(
  'a phone is proved and changed by codes of both',
  { tag: '@long' },
  async ({ page, request, consoleErrors }) => {
    consoleErrors.expect(/status of 422/)
    const [first, second] = [freshPhone(), freshPhone()]
    const player = await registerWith(request, { phone: first })
    await signIn(page, player.token)
    await page.goto('/user/profile')

    await page.getByRole('button', { name: 'Xác thực số điện thoại' }).click()
    const verify = dialog(page, 'Xác thực số điện thoại')
    await verify.getByLabel('Số điện thoại').fill(first)
    await verify.getByLabel('Mã OTP').fill(await textForCode(request, first))
    await verify.getByRole('button', { name: 'Lưu số điện thoại' }).click()
    await page
      .getByRole('alertdialog', { name: 'Thành công' })
      .getByRole('button', { name: 'Xác nhận' })
      .click()
    await expect(page.getByRole('button', { name: 'Đổi số' })).toBeVisible()
    expect(await userOf(request, player.token)).toMatchObject({ phone_verified: true })

    await letAMinutePass()
    await page.getByRole('button', { name: 'Đổi số' }).click()
    await step(page, 1).getByLabel('Số điện thoại hiện tại').fill(second)
    await step(page, 1).getByLabel('Số điện thoại hiện tại').blur()
    await expect(step(page, 1).getByRole('alert')).toContainText('không khớp')
    await expect(step(page, 2)).toHaveCount(0)
    await step(page, 1).getByLabel('Số điện thoại hiện tại').fill(first)
    await step(page, 1)
      .getByLabel('Mã OTP')
      .fill(await textForCode(request, first))
    await step(page, 2).getByLabel('Số điện thoại mới').fill(second)
    await step(page, 2)
      .getByLabel('Mã OTP')
      .fill(await textForCode(request, second))
    await page.getByRole('button', { name: 'Lưu số điện thoại' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Thành công' })).toBeVisible()
    const { phone, phone_verified } = await userOf(request, player.token)
    expect({ end: phone?.slice(-3), phone_verified }).toEqual({ end: second.slice(-3), phone_verified: true })
  },
)

test(
  'an e-mail is added with a code of the proved phone',
  { tag: '@long' },
  async ({ page, request, mail }) => {
    const phone = freshPhone()
    const email = freshEmail()
    const player = await registerWith(request, { phone })
    const code = await textForCode(request, phone)
    await request.post('/api/one-time-password/verify', { data: { phone, code } })
    const proved = await request.post('/api/phone/update', {
      headers: { authorization: `Bearer ${player.token}` },
      data: { code, newPhone: phone },
    })
    expect(proved.status(), await proved.text()).toBe(200)
    await letAMinutePass()

    await signIn(page, player.token)
    await page.goto('/user/profile')
    await page.getByRole('button', { name: 'Thêm email' }).click()
    await step(page, 1).getByLabel('Số điện thoại').fill(phone)
    await step(page, 1)
      .getByLabel('Mã OTP')
      .fill(await textForCode(request, phone))
    await step(page, 2).getByLabel('Email mới').fill(email)
    await fillMailedCode(step(page, 2), mail, email)
    await page.getByRole('button', { name: 'Lưu email' }).click()
    await expect(dialog(page, 'Thêm email')).toBeHidden()
    expect(await userOf(request, player.token)).toMatchObject({ email_verified: true })
  },
)

test('a large transfer needs a code of the phone', async ({ page, request, consoleErrors }) => {
  consoleErrors.expect(/status of 422/)
  const phone = freshPhone()
  const player = await registerWith(request, { phone })
  // Other tests rely on what the seeded players have.
  const payee = (await registerPlayer(request)).username
  const headers = { authorization: `Bearer ${player.token}` }
  await pay(request, player.token, {
    code: (await order(request, player.token, { amount: 4_000_000 })).code,
  })
  expect((await request.post('/api/user/active', { headers })).status()).toBe(200)

  await signIn(page, player.token)
  const send = async () => {
    await page.goto('/user/transfer')
    await page.getByLabel('Tên đăng nhập người nhận').fill(payee)
    await page.getByLabel('Số TCoin').fill('3000000')
    await page.getByRole('button', { name: 'Tiếp tục' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Chuyển TCoin' }).click()
  }
  await send()
  const proof = page.getByRole('region', { name: 'Xác thực để chuyển' })
  await expect(proof.getByRole('link', { name: /trong hồ sơ/ })).toHaveAttribute('href', '/user/profile')

  const code = await textForCode(request, phone)
  await request.post('/api/one-time-password/verify', { data: { phone, code } })
  await request.post('/api/phone/update', { headers, data: { code, newPhone: phone } })
  await letAMinutePass()
  await send()
  await expect(proof).toBeFocused()
  await proof.getByLabel('Số điện thoại').fill(phone)
  await proof.getByLabel('Mã OTP').fill(await textForCode(request, phone))
  await expect(page.getByText(`Đã chuyển 3,000,000 TCoin cho ${payee}.`)).toBeVisible()
  await expect(proof).toHaveCount(0)
})

test(
  'a player copies their invitation and sees who came by it',
  { tag: '@long' },
  async ({ page, context, request }) => {
    const player = await registerWith(request, { phone: freshPhone() })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signIn(page, player.token)
    await page.goto('/user/profile')
    const invitation = page.locator('details', { hasText: 'Mời bạn bè' })
    await invitation.locator('summary').click()
    await expect(invitation.getByText('0 người')).toBeVisible()
    await invitation.getByRole('button', { name: /^Sao chép/ }).click()
    const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
    expect(link.pathname + link.search).toBe(`/register?referral_id=${player.username}`)
    const referral_id = link.searchParams.get('referral_id') ?? ''
    await registerWith(request, { phone: freshPhone(), referral_id })
    await page.reload()
    await invitation.locator('summary').click()
    await expect(invitation.getByText('1 người')).toBeVisible()
  },
)
