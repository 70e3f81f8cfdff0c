import type { APIRequestContext, Page } from '@playwright/test'
import type { Role } from '#contract/operator/roles.ts'
import { expect, registerPlayer, signIn, test } from './fixtures.ts'
import { aProvedStaffMember, changePrice, grantRole, leaveOwnersBehind } from './staff.ts'

async function registerStaff(request: APIRequestContext, ...roles: Role[]) {
  const player = await registerPlayer(request)
  for (const role of roles) await grantRole(process.env.PORTAL_DATA_DIR ?? '', player.username, role)
  return player
}

const badge = (page: Page) => page.getByRole('main').getByText(/^Ban quản trị:/)

test('who helps to run the portal reads as what, and what they may do', async ({ page, request }) => {
  const { token } = await registerStaff(request, 'editor', 'support')
  await signIn(page, token)
  await page.goto('/user/profile')
  await expect(badge(page)).toHaveText('Ban quản trị: Biên tập viên, Hỗ trợ')
  await expect(
    page.getByText('Bạn được phép: viết bài, sửa nội dung trang, trả lời yêu cầu kiểm tra.'),
  ).toBeVisible()
})

test('a player without a role reads nothing of it', async ({ page, newcomer }) => {
  await signIn(page, newcomer.token)
  await page.goto('/user/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Hồ sơ' })).toBeVisible()
  await expect(badge(page)).toHaveCount(0)
})

test('the exchange bonus is shown as it is set, and not at all at "0"', async ({ page, request }) => {
  const dataDir = process.env.PORTAL_DATA_DIR ?? ''
  await leaveOwnersBehind(dataDir)
  const owners = [
    await aProvedStaffMember(request, dataDir, 'owner'),
    await aProvedStaffMember(request, dataDir, 'owner'),
  ] as const
  const save = (value: string) => changePrice(request, owners, { key: 'exchange_bonus', value })
  const { exchange_bonus: before } = (await (await request.get('/api/settings')).json()) as {
    exchange_bonus: string
  }
  const bonus = page.getByText(/Khuyến mãi \+/)
  try {
    await save('25')
    await page.goto('/exchange')
    await expect(bonus).toHaveText('Khuyến mãi +25% lượng')
    await save('0')
    expect(await (await request.get('/exchange')).text()).not.toContain('Khuyến mãi +')
    await page.reload()
    await expect(page.getByText('3,000 lượng').first()).toBeVisible()
    await expect(bonus).toHaveCount(0)
  } finally {
    await save(before)
  }
})
