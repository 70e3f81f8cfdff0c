import type { Page } from '@playwright/test'
import { canonicalPhone } from '#contract/fields.ts'
import { letAMinutePass, registerWith, textForCode, userOf } from './accounts.ts'
import { expect, freshPhone, freshUsername, loginByCall, sendLogin, signIn, test, whoIs } from './fixtures.ts'
import { withDatabase } from './portal-database.ts'
import { endStreams, settled, watchShifts } from './measures.ts'

const CLS_MAX = 0.01

const card = (page: Page) => page.getByRole('region', { name: 'Cách lấy lại tài khoản' })

/** As after days: nobody waits a week for a test. */
const letTheWeekPass = (page: Page) =>
  page.evaluate(() => {
    const until = JSON.parse(localStorage.getItem('contacts-later') ?? '{}') as Record<string, number>
    const past = Object.keys(until).map((id) => [id, 1])
    localStorage.setItem('contacts-later', JSON.stringify(Object.fromEntries(past)))
  })

test('a player without a proved contact is led from the card to a proved phone, and is not asked again', async ({
  page,
  request,
}) => {
  const phone = freshPhone()
  const player = await registerWith(request, { phone })
  await page.goto('/login')
  await sendLogin(page.getByRole('dialog', { name: 'Đăng nhập' }), player)
  await expect(card(page)).toContainText('để lấy lại tài khoản khi quên mật khẩu')
  await card(page).getByRole('link', { name: 'Xác thực số điện thoại' }).click()

  const dialog = page.getByRole('dialog', { name: 'Xác thực số điện thoại' })
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/\/user\/profile$/)
  await dialog.getByLabel('Số điện thoại').fill(phone)
  await dialog.getByLabel('Mã OTP').fill(await textForCode(request, phone))
  await dialog.getByRole('button', { name: 'Lưu số điện thoại' }).click()
  await page
    .getByRole('alertdialog', { name: 'Thành công' })
    .getByRole('button', { name: 'Xác nhận' })
    .click()
  await expect(card(page)).toHaveCount(0)
  expect(await userOf(request, await loginByCall(request, player))).toMatchObject({ phone_verified: true })
  await letAMinutePass()
  for (const path of ['/home', '/user/profile']) {
    await page.goto(path)
    await settled(page)
    await expect(card(page)).toHaveCount(0)
  }
})

test('the profile opens the form that the card names', async ({ page, request }) => {
  const withoutEmail = await registerWith(request, { phone: freshPhone() })
  await signIn(page, withoutEmail.token)
  await page.goto('/user/profile')
  await card(page).getByRole('link', { name: 'Xác thực email' }).click()
  await expect(page.getByRole('dialog', { name: 'Thêm email' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // The same once more, from the address that is the profile's own again.
  await card(page).getByRole('link', { name: 'Xác thực email' }).click()
  await expect(page.getByRole('dialog', { name: 'Thêm email' })).toBeVisible()
})

test('what came over from the game stands in the forms, for the player to prove or to change', async ({
  page,
  request,
}) => {
  const phone = freshPhone()
  const email = `${freshUsername()}@thu.test`
  const player = await registerWith(request, { phone: freshPhone() })
  const { id } = await whoIs(request, player.token)
  await withDatabase((database) =>
    database.query('INSERT INTO contact_hint (user_id, phone, email) VALUES ($1, $2, $3)', [
      id,
      canonicalPhone(phone),
      email,
    ]),
  )
  await signIn(page, player.token)
  await page.goto('/home')
  await card(page).getByRole('link', { name: 'Xác thực email' }).click()
  await expect(page.getByRole('dialog').getByLabel('Email mới')).toHaveValue(email)
  await page.keyboard.press('Escape')
  await card(page).getByRole('link', { name: 'Xác thực số điện thoại' }).click()
  const dialog = page.getByRole('dialog', { name: 'Xác thực số điện thoại' })
  await expect(dialog.getByLabel('Số điện thoại')).toHaveValue(phone)
  await dialog.getByLabel('Mã OTP').fill(await textForCode(request, phone))
  await dialog.getByRole('button', { name: 'Lưu số điện thoại' }).click()
  await page
    .getByRole('alertdialog', { name: 'Thành công' })
    .getByRole('button', { name: 'Xác nhận' })
    .click()
  expect(await userOf(request, player.token)).toMatchObject({ phone_verified: true })

  // It has served: another number is typed.
  await letAMinutePass()
  await page.getByRole('button', { name: 'Đổi số' }).click()
  await page.getByLabel('Số điện thoại hiện tại').fill(phone)
  await page.getByLabel('Mã OTP').fill(await textForCode(request, phone))
  await expect(page.getByLabel('Số điện thoại mới')).toHaveValue('')
})

test('an address that is only to be proved is not typed again', async ({ page, request }) => {
  const email = `${freshUsername()}@thu.test`
  const player = await registerWith(request, { phone: freshPhone(), email })
  await signIn(page, player.token)
  await page.goto('/home')
  await card(page).getByRole('link', { name: 'Xác thực email' }).click()
  await expect(page.getByRole('dialog', { name: 'Xác thực email' })).toContainText(`${email[0]}***@thu.test`)
})

test('the card is put off by the keyboard, and comes back after days without moving the page', async ({
  page,
  request,
}) => {
  const player = await registerWith(request, { phone: freshPhone() })
  await signIn(page, player.token)
  await endStreams(page)
  const shifts = await watchShifts(page)
  const unmoved = async () => {
    await settled(page)
    expect.soft(await shifts.sum(), `${page.url()}\n${await shifts.moved()}`).toBeLessThanOrEqual(CLS_MAX)
  }
  for (const path of ['/home', '/community', '/user/profile']) {
    await page.goto(path)
    await expect(card(page)).toBeVisible()
    await unmoved()
  }
  // Money comes first on its own pages.
  await page.goto('/recharge')
  await settled(page)
  await expect(card(page)).toHaveCount(0)

  await page.goto('/community')
  await card(page).getByRole('button', { name: 'Để sau' }).focus()
  await page.keyboard.press('Enter')
  await expect(card(page)).toHaveCount(0)
  await expect(page.locator('#main')).toBeFocused()
  await page.goto('/home')
  await unmoved()
  await expect(card(page)).toHaveCount(0)

  await letTheWeekPass(page)
  await page.reload()
  await unmoved()
  await page.goto('/community')
  await expect(card(page)).toBeVisible()
  await unmoved()
})
