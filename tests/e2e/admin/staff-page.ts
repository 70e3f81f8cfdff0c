import type { Page } from '@playwright/test'
import { expect } from '../player/fixtures.ts'
import type { StaffMember } from '../player/staff.ts'

/** Signed in to the console from the first page on. */
export async function openConsole(
  page: Page,
  { token }: Pick<StaffMember, 'token'>,
  path = '',
): Promise<void> {
  await page.addInitScript((stored) => sessionStorage.setItem('console-session', stored), token)
  await page.goto(`/admin${path}`)
}

/** Types the name, the password and a code as a person does. */
export async function signInToConsole(
  page: Page,
  { username, password }: Pick<StaffMember, 'username' | 'password'>,
  code: string,
): Promise<void> {
  await page.goto('/admin')
  await page.getByLabel('Tên đăng nhập').fill(username)
  await page.getByLabel('Mật khẩu').fill(password)
  await page.getByLabel('Mã xác thực hai lớp').fill(code)
  await page.getByRole('button', { name: 'Đăng nhập' }).click()
  await expect(page.getByRole('heading', { name: 'Đăng nhập trang vận hành' })).toBeHidden()
}
