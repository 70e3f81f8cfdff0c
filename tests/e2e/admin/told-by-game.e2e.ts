import type { Page } from '@playwright/test'
import type { GameName } from '#contract/operator/game/names.ts'
import { expectAccessible } from '../accessible.ts'
import { expect } from '../player/fixtures.ts'
import { giveReason, openConsole, test } from './staff-page.ts'

/** As a game that has these boards too; whether a group shows one is what the portal answers. */
async function describeBoards(page: Page, codes: readonly string[]): Promise<void> {
  await page.route(/\/operator\/game-names\?/, async (route) => {
    const answer = await route.fetch()
    const rows = (await answer.json()) as GameName[]
    const told = codes.map((code) => ({
      id: `board:${code}`,
      kind: 'board',
      code,
      name: null,
      short_name: null,
      told_name: null,
      is_used: false,
      updated_at: null,
      ...rows.find((row) => row.code === code),
      is_described: true,
    }))
    await route.fulfill({
      response: answer,
      json: [...rows.filter(({ code }) => !codes.includes(code)), ...told],
    })
  })
}

test('the boards of the game become groups by one reason, each once though a try fails halfway', async ({
  page,
  aStaff,
  consoleErrors,
}) => {
  consoleErrors.expect(/ERR_FAILED .*operator\/groups/)
  const owner = await aStaff('owner')
  const mark = Date.now().toString(36)
  const [first, second] = [`a${mark}`, `b${mark}`]
  await describeBoards(page, [first, second])
  await openConsole(page, owner, '/groups')
  const propose = page.getByRole('button', { name: 'Tạo nhóm theo bảng của game' })
  await propose.first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText([
    `Bảng xếp hạng ${first} ${first}`,
    `Bảng xếp hạng ${second} ${second}`,
  ])
  await expectAccessible(page)
  const keys = new Map<string, string[]>()
  await page.route('**/api/operator/groups', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.fallback()
    const { board } = request.postDataJSON() as { board: string }
    const sent = keys.get(board) ?? []
    keys.set(board, [...sent, request.headers()['idempotency-key'] ?? ''])
    return board === second && sent.length === 0 ? route.abort() : route.continue()
  })
  await giveReason(page, 'Tạo nhóm')
  await expect.poll(() => keys.get(second)?.length).toBe(1)
  await dialog.getByRole('button', { name: 'Tạo nhóm', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(propose).toHaveCount(0)
  expect(keys.get(first)).toHaveLength(1)
  // The second try is the same attempt.
  expect(new Set(keys.get(second)).size).toBe(1)
  for (const board of [first, second]) {
    const name = `Xóa nhóm Bảng xếp hạng ${board}`
    await expect(page.getByRole('button', { name })).toHaveCount(1)
    await page.getByRole('button', { name }).click()
    await giveReason(page, 'Xóa')
    await expect(page.getByRole('button', { name })).toHaveCount(0)
  }
  await expect(propose).toBeVisible()
})

test('servers of the game are added, and renamed where they have the name that a new portal gives', async ({
  page,
  aStaff,
  request,
}) => {
  const owner = await aStaff('owner')
  const mark = Date.now().toString(36)
  const [first, second] = [`a${mark}`, `b${mark}`]
  const made = await request.post('/api/operator/servers', {
    headers: { authorization: `Bearer ${owner.token}`, 'idempotency-key': mark },
    data: { id: first, name: `Máy chủ ${first}`, position: 98, reason: 'Kiểm thử trình duyệt' },
  })
  const { updated_at } = (await made.json()) as { updated_at: string }
  await page.route('**/api/operator/game-servers', (route) =>
    route.fulfill({
      json: [
        {
          id: first,
          name: `Rừng ${mark}`,
          position: 98,
          present: { name: `Máy chủ ${first}`, updated_at },
        },
        { id: second, name: `Suối ${mark}`, position: 99, present: null },
      ],
    }),
  )
  await openConsole(page, owner, '/servers')
  await page.getByRole('button', { name: 'Lấy máy chủ của game' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveText([
    `${first} Máy chủ ${first} → Rừng ${mark}`,
    `${second} Suối ${mark} (thêm mới)`,
  ])
  await expectAccessible(page)
  await giveReason(page, 'Lấy máy chủ')
  await expect(dialog).toHaveCount(0)
  for (const name of [`Rừng ${mark}`, `Suối ${mark}`]) {
    await page.getByRole('button', { name: `Xóa máy chủ ${name}` }).click()
    await giveReason(page, 'Xóa')
    await expect(page.getByText(name)).toHaveCount(0)
  }
})
