import type { APIRequestContext } from '@playwright/test'
import { expect, registerPlayer, signIn, type Player } from '../player/fixtures.ts'
import { expectAccessible } from '../accessible.ts'
import { choose, prove, signInToConsole, test, giveReason } from './staff-page.ts'

async function aRequest(request: APIRequestContext): Promise<{ id: string; player: Player }> {
  const player = await registerPlayer(request)
  const answer = await request.post('/api/user/deletion-request', {
    headers: { authorization: `Bearer ${player.token}` },
    data: { current_password: player.password, given_up: 0 },
  })
  expect(answer.status(), await answer.text()).toBe(201)
  return { player, id: ((await answer.json()) as { id: string }).id }
}

const TITLE = 'Yêu cầu xóa'

test(
  'an operator refuses a request with words for the player, and has another one carried out',
  { tag: '@long' },
  async ({ page, aStaff, request, portal, browser, consoleErrors }) => {
    test.setTimeout(120_000)
    // The first try is refused until the second factor is proved again.
    consoleErrors.expect(/status of 409/)
    const staff = await aStaff('owner')
    const [refused, done] = [await aRequest(request), await aRequest(request)]
    await signInToConsole(page, staff)
    await choose(page, TITLE)
    await page.goto(`/admin/deletion-requests/${refused.id}`)
    await expect(page.getByRole('heading', { level: 1, name: `${TITLE} số ${refused.id}` })).toBeVisible()
    await expect(page.getByText('Không còn gì dở dang')).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Từ chối', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page)
    await dialog.getByLabel('Lời nhắn cho người chơi').fill('Tài khoản đang có khiếu nại.')
    await giveReason(page, 'Từ chối yêu cầu', 'Còn khiếu nại')
    await prove(page, staff)
    await expect(page.getByText('Đã từ chối')).toBeVisible()

    const theirs = await browser.newContext({ baseURL: portal.url, locale: 'vi-VN' })
    const site = await theirs.newPage()
    await signIn(site, refused.player.token)
    await site.goto('/user/profile')
    await expect(site.getByText(/Đội vận hành: Tài khoản đang có khiếu nại\./)).toBeVisible()
    await theirs.close()

    await page.goto(`/admin/deletion-requests/${done.id}`)
    await page.getByRole('button', { name: 'Xóa tài khoản', exact: true }).click()
    await giveReason(page, 'Xóa tài khoản', 'Theo yêu cầu của người chơi')
    // The worker takes it up by itself, and the screen shows it.
    await expect(page.getByText('Đã xóa', { exact: true })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('link', { name: /^da-xoa-\d+$/ })).toBeVisible()
    const again = await request.post('/api/auth/login', {
      data: { username: done.player.username, password: done.player.password },
    })
    expect(again.status()).toBe(422)
  },
)
