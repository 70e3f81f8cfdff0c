import type { Page } from '@playwright/test'
import { seedPlayers } from '#seeds/players.ts'
import { everyNth } from '#tests/support/test-run.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '../accessible.ts'
import { expect, loginByCall, signIn, test } from './fixtures.ts'
import { endStreams } from './measures.ts'

// Any worker may take the next of these.
test.describe.configure({ mode: 'parallel' })

// Parts that fade in would be measured half transparent.
test.use({ contextOptions: { reducedMotion: 'reduce' } })

// Axe takes seconds on a small machine.
test.setTimeout(180_000)

// The pages as they first are, on a phone: walk.e2e.ts.

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

test(
  'wide tables and brackets are accessible on a desktop',
  { tag: '@desktop' },
  async ({ page, request }) => {
    const [, minhchau] = seedPlayers
    await signIn(page, await loginByCall(request, minhchau!))
    await endStreams(page)
    for (const path of ['/tournament/4', '/user/transactions', '/home', '/ranking']) {
      await page.goto(path, { waitUntil: 'networkidle' })
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectAccessible(page)
    }
  },
)

test('the modals of visitors are accessible', { tag: ['@phone', '@long'] }, async ({ page }) => {
  for (const [path, title] of [
    ['/login', 'Đăng nhập'],
    ['/register', 'Đăng ký tài khoản'],
  ] as const) {
    await page.goto(path)
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByLabel('Tên đăng nhập').fill('a b')
    await dialog.getByLabel('Tên đăng nhập').blur()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await expectAccessibleInBothSchemes(page)
  }
  await page.goto('/forgot')
  await page.getByRole('tab', { name: 'Điện thoại' }).click()
  const forgot = page.getByRole('dialog', { name: 'Quên mật khẩu' })
  await forgot.getByRole('button', { name: 'Lấy mã qua SMS' }).click()
  await expect(forgot.getByRole('alert')).toBeVisible()
  await expectAccessible(page)
  await forgot.getByLabel('Số điện thoại').fill('0912345601')
  await forgot.getByRole('button', { name: 'Lấy mã qua SMS' }).click()
  await expect(forgot.getByText('Soạn tin')).toBeVisible()
  await expectAccessible(page)
  await page.route('**/api/password/check-link', (route) => route.fulfill({ json: { is_valid: true } }))
  await page.goto('/password/mot-ma')
  await expect(page.getByRole('dialog').getByLabel('Nhập lại mật khẩu mới')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/password')
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await expectAccessible(page)
})

test('a new player’s pages are accessible', { tag: ['@phone', '@long'] }, async ({ page, newcomer }) => {
  await signIn(page, newcomer.token)
  await page.goto('/recharge')
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await expect(page.getByText('Vui lòng chọn kênh nạp')).toBeVisible()
  await expectAccessibleInBothSchemes(page)
  await page.getByRole('radio', { name: /ACB/ }).check()
  await page.getByLabel('Số tiền (VND)').fill('123456')
  await page.getByRole('button', { name: 'Tạo mã QR' }).click()
  await expect(heading(page, /^Đơn nạp/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Hủy đơn' }).click()
  await expectAccessible(page)
  await page.goto('/sandbox')
  await expect(page.getByRole('button', { name: 'Chuyển khoản thử' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Xem đơn nạp' }).click()
  await page.getByRole('button', { name: 'Hủy đơn' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hủy đơn' }).click()
  await expect(page.getByRole('heading', { name: 'Đơn nạp đã hủy' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Tôi đã chuyển nhưng chưa được cộng' }).click()
  await page.getByLabel('Số tiền đã chuyển (VND)').fill('')
  await page.getByLabel(/^Ảnh biên lai/).setInputFiles('public/images/logo.png')
  await page.getByRole('button', { name: 'Gửi yêu cầu' }).click()
  await expect(page.getByText('Vui lòng nhập số tiền')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/user/transfer')
  await page.getByRole('main').getByRole('button', { name: 'Kích hoạt' }).click()
  await expect(
    page.getByRole('dialog', { name: 'Kích hoạt tài khoản' }).getByRole('button').nth(1),
  ).toBeVisible()
  await expectAccessible(page)
})

test('what keeps an account safe is accessible', { tag: '@phone' }, async ({ page, newcomer }) => {
  await signIn(page, newcomer.token)
  await page.goto('/user/profile', { waitUntil: 'networkidle' })
  const acts = [
    'Đổi mật khẩu',
    'Thêm email',
    'Xác thực số điện thoại',
    'Bật xác thực hai lớp',
    'Tải dữ liệu của tôi',
    'Yêu cầu xóa tài khoản',
  ]
  await page.locator('summary', { hasText: 'Dữ liệu cá nhân' }).click()
  for (const act of everyNth(acts, 6)) {
    await page.getByRole('button', { name: act }).click()
    await expect(page.getByRole('dialog').getByRole('textbox').last()).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Đóng' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  const at = '2026-11-20T08:00:00.000Z'
  const deletion = {
    id: '7',
    state: 'waiting',
    asked_at: at,
    due_at: at,
    given_up: 5,
    message: null,
    ended_at: null,
  }
  const refused = { ...deletion, state: 'refused', message: 'Còn khiếu nại', ended_at: at }
  const answers = [
    [deletion, 'Đang chờ'],
    [refused, 'Đã từ chối'],
  ] as const
  for (const [request, shown] of everyNth(answers, 2)) {
    await page.route('**/api/user/deletion-request', (route) =>
      route.fulfill({ json: { days: 20, request } }),
    )
    await page.reload({ waitUntil: 'networkidle' })
    await expect(page.getByText(shown, { exact: true })).toBeVisible()
    await expectAccessible(page)
  }
})

test('what a purchase lacks is accessible', { tag: '@phone' }, async ({ page, request }) => {
  const [, minhchau] = seedPlayers
  await signIn(page, await loginByCall(request, minhchau!))
  await page.goto('/exchange')
  await page.getByRole('radio', { name: /anhsaodem/ }).check()
  await page.getByRole('radio', { name: /50,000/ }).check()
  await expect(page.getByText('Bạn còn thiếu: 45,000')).toBeVisible()
  await expectAccessible(page)
})
