import type { Page } from '@playwright/test'
import { expectAccessible } from '../accessible.ts'
import { expect } from './fixtures.ts'

export const pickReceiver = (page: Page) =>
  page.getByRole('group', { name: 'Nhân vật nhận quà' }).getByRole('radio').first().check()

/** The dialog about what was taken, until the goods are in the game. */
export async function followArrival(page: Page): Promise<void> {
  const done = page.getByRole('alertdialog', { name: 'Thành công' })
  await expect(done).toContainText('vào game', { timeout: 30_000 })
  await expectAccessible(page)
  await done.getByRole('button', { name: 'Xác nhận' }).click()
}
