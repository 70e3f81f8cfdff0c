import sharp from 'sharp'
import type { Page } from '@playwright/test'
import { expect } from '../player/fixtures.ts'
import { expectAccessible } from '../accessible.ts'
import { choose, openConsole, signInToConsole, test, giveReason } from './staff-page.ts'

const photo = async (background: string) => ({
  name: `${background}.jpg`,
  mimeType: 'image/jpeg',
  buffer: await sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer(),
})

const textOf = (page: Page) => page.getByRole('textbox', { name: 'Nội dung bài viết' })

async function beginPost(page: Page, title: string): Promise<string> {
  await page.getByRole('button', { name: 'Viết bài' }).click()
  await page.getByRole('dialog').getByLabel('Tiêu đề').fill(title)
  await page.getByRole('button', { name: 'Bắt đầu viết' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  return /\/posts\/(\d+)$/.exec(page.url())?.[1] ?? ''
}

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Định dạng nội dung' }).getByRole('button', { name, exact: true })

/** A moment as the value of a date field in Vietnam's time. */
const fieldIn = (ms: number) => new Date(Date.now() + 7 * 3_600_000 + ms).toISOString().slice(0, 16)

test('a post with pictures is written, scheduled and published', async ({ page, aStaff, request }) => {
  test.slow()
  const title = `Lễ hội ${Date.now()}`
  const staff = await aStaff('editor')
  await signInToConsole(page, staff)
  await choose(page, 'Bài viết')
  const id = await beginPost(page, title)

  await textOf(page).click()
  await page.keyboard.type('Mở hội tối nay.')
  await page.keyboard.press('Enter')
  await tool(page, 'Ảnh').click()
  const dialog = page.getByRole('dialog', { name: 'Chèn ảnh' })
  const files = await Promise.all(['#c8371f', '#1f6fc8', '#2f6f4f'].map(photo))
  await dialog.getByLabel('Chọn ảnh từ máy').setInputFiles(files)
  await dialog.getByRole('button', { name: 'Tải lên' }).click()
  await expect(dialog.getByText('Vui lòng mô tả ảnh').first()).toBeVisible()
  for (const [index, alt] of ['Đèn lồng đỏ', 'Đèn lồng xanh', 'Rừng trúc'].entries()) {
    await dialog.getByRole('textbox', { name: 'Mô tả ảnh' }).nth(index).fill(alt)
  }
  await dialog.getByRole('button', { name: 'Tải lên' }).click()
  await expect(dialog).toBeHidden()
  await expect(textOf(page).getByRole('img')).toHaveCount(3)
  await expect(page.getByText(/Đã lưu nháp lúc/)).toBeVisible()
  await expectAccessible(page)

  // What is stored as a draft is there again, and is not shown to players.
  await page.reload()
  await expect(page.getByText(/Đang viết tiếp bản nháp/)).toBeVisible()
  await expect(textOf(page).getByRole('img', { name: 'Rừng trúc' })).toBeVisible()
  expect((await request.get(`/post/${id}`)).status()).toBe(404)

  await page.getByRole('button', { name: 'Xem trước' }).click()
  const preview = page.getByRole('dialog', { name: 'Xem trước' })
  await expect(preview.getByRole('heading', { name: title })).toBeVisible()
  await expect(preview.getByRole('img')).toHaveCount(3)
  await page.keyboard.press('Escape')

  await page.getByLabel('Hiển thị').selectOption('Hẹn giờ')
  await page.getByLabel('Hiện từ lúc').fill(fieldIn(3_600_000))
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
  await expect(page.getByText('Chưa có thay đổi')).toBeVisible()
  expect(await (await request.get('/home')).text()).not.toContain(title)
  await page.goto('/admin/posts?scheduled=true')
  await expect(page.getByRole('row', { name: title })).toContainText('Hẹn giờ')

  await page.getByRole('link', { name: title }).click()
  // A minute of a date field: the one that has just begun.
  await page.getByLabel('Hiện từ lúc').fill(fieldIn(0))
  await page.getByRole('button', { name: 'Lưu', exact: true }).click()
  await expect(page.getByRole('link', { name: 'Mở trên cổng' })).toBeVisible()
  await page.goto('/home')
  await page.getByRole('link', { name: title }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  for (const name of ['Đèn lồng đỏ', 'Đèn lồng xanh', 'Rừng trúc']) {
    const shown = page.getByRole('img', { name })
    await expect(shown).toHaveAttribute('width', '800')
    await expect(shown).toHaveAttribute('srcset', /-1280\.webp 1280w$/)
    await shown.scrollIntoViewIfNeeded()
    await expect
      .poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
  }
})

test('Vietnamese is typed by input method and formatted by keyboard', async ({ page, aStaff }) => {
  const staff = await aStaff('editor')
  await openConsole(page, staff, '/posts')
  await beginPost(page, `Gõ tiếng Việt ${Date.now()}`)
  await textOf(page).click()
  const session = await page.context().newCDPSession(page)
  for (const [steps, word] of [
    [['t', 'ti', 'tie', 'tiê', 'tiên', 'tiêng', 'tiếng'], 'tiếng'],
    [['v', 'vi', 'vie', 'viê', 'viêt', 'việt'], 'việt'],
  ] as const) {
    for (const text of steps) {
      await session.send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      })
    }
    await session.send('Input.insertText', { text: word })
    await page.keyboard.press('Space')
  }
  await expect(textOf(page).locator('p').first()).toHaveText('tiếng việt')
  // A composition after a bold word neither loses nor doubles a letter.
  await page.keyboard.press('ControlOrMeta+b')
  await session.send('Input.imeSetComposition', { text: 'đậ', selectionStart: 2, selectionEnd: 2 })
  await session.send('Input.imeSetComposition', { text: 'đậm', selectionStart: 3, selectionEnd: 3 })
  await session.send('Input.insertText', { text: 'đậm' })
  await expect(textOf(page).locator('strong')).toHaveText('đậm')
  await expect(tool(page, 'Đậm')).toHaveAttribute('aria-pressed', 'true')
  await tool(page, 'Đậm').focus()
  await page.keyboard.press('ArrowRight')
  await expect(tool(page, 'Nghiêng')).toBeFocused()
  // One stop of Tab, which is found again where it was left.
  const toolbar = page.getByRole('toolbar', { name: 'Định dạng nội dung' })
  await expect(toolbar.locator('[tabindex="0"]')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(textOf(page)).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(tool(page, 'Nghiêng')).toBeFocused()
  await page.keyboard.press('Home')
  await expect(toolbar.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(tool(page, 'Bảng')).toBeFocused()

  await expect(page.getByText(/Đã lưu nháp lúc/)).toBeVisible()
  await page.reload()
  await expect(textOf(page).locator('p').first()).toHaveText('tiếng việt đậm')
})

test(
  'a colleague’s change is not overwritten',
  { tag: '@long' },
  async ({ page, aStaff, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const [staff, colleague] = [await aStaff('editor'), await aStaff('editor')]
    await openConsole(page, staff, '/posts')
    const title = `Hai người sửa ${Date.now()}`
    const id = await beginPost(page, title)
    const theirs = await request.put(`/api/operator/posts/${id}`, {
      headers: { authorization: `Bearer ${colleague.token}` },
      data: { title: `${title} của họ`, content: '<p>Chữ của đồng nghiệp.</p>', reason: 'Sửa bài' },
    })
    expect(theirs.status()).toBe(200)

    await textOf(page).click()
    await page.keyboard.type('Chữ của tôi.')
    const conflict = page.getByRole('alert').filter({ hasText: 'Bài vừa được người khác sửa' })
    await expect(conflict).toBeVisible()
    await conflict.getByText('Bản của họ:').click()
    await expect(conflict.getByText('Chữ của đồng nghiệp.')).toBeVisible()
    await conflict.getByRole('button', { name: 'Giữ bản của tôi' }).click()
    await expect(conflict).toBeHidden()
    await expect(page.getByText('Chưa có thay đổi')).toBeVisible()

    await page.getByRole('button', { name: 'Bản lưu' }).click()
    const revision = page.getByRole('listitem').filter({ hasText: 'của họ' })
    await revision.getByRole('button', { name: 'Xem' }).click()
    await expect(page.getByRole('dialog').getByText('Chữ của đồng nghiệp.')).toBeVisible()
    await page.keyboard.press('Escape')
    await revision.getByRole('button', { name: 'Khôi phục' }).click()
    await giveReason(page, 'Khôi phục', 'Bản của họ đúng hơn')
    await expect(textOf(page)).toHaveText('Chữ của đồng nghiệp.')
    await expect(page.getByRole('heading', { level: 1, name: `${title} của họ` })).toBeVisible()
  },
)

test(
  'categories and pictures are kept in order',
  { tag: '@long' },
  async ({ page, aStaff, request, consoleErrors }) => {
    consoleErrors.expect(/status of 409/)
    const staff = await aStaff('editor')
    await openConsole(page, staff, '/categories')
    const name = `Cẩm nang ${Date.now()}`
    await page.getByRole('button', { name: 'Thêm chuyên mục' }).click()
    await page.getByRole('dialog').getByLabel('Tên').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Lưu' }).click()
    const row = page.getByRole('row', { name })
    await row.getByRole('button', { name: 'Sửa' }).click()
    await page.getByRole('dialog').getByLabel('Mô tả').fill('Từng bước một')
    await page.getByRole('dialog').getByRole('button', { name: 'Lưu' }).click()
    await expect(row).toContainText('Từng bước một')
    await row.getByRole('button', { name: 'Xóa' }).click()
    await giveReason(page, 'Xóa', 'Không dùng nữa')
    await expect(row).toBeHidden()

    const alt = `Ảnh thử ${Date.now()}`
    const colour = `#${(Date.now() % 0xffffff).toString(16).padStart(6, '0')}`
    await page.goto('/admin/pictures')
    await page.getByRole('button', { name: 'Tải ảnh lên' }).click()
    const dialog = page.getByRole('dialog', { name: 'Tải ảnh lên' })
    await dialog.getByLabel('Chọn ảnh từ máy').setInputFiles(await photo(colour))
    await dialog.getByRole('textbox', { name: 'Mô tả ảnh' }).fill(alt)
    await dialog.getByRole('button', { name: 'Tải lên' }).click()
    const picture = page.getByRole('row', { name: alt })
    const url = await picture.getByRole('img').getAttribute('src')
    const hash = /[0-9a-f]{32}/.exec(url ?? '')?.[0]
    const used = await request.post('/api/operator/posts', {
      headers: { authorization: `Bearer ${staff.token}` },
      data: {
        title: `Dùng ${alt}`,
        content: '<p>Chữ.</p>',
        cover: `/uploads/${hash}`,
        published: false,
        reason: 'Thử',
      },
    })
    const { id } = (await used.json()) as { id: string }
    await picture.getByRole('button', { name: 'Xóa' }).click()
    await giveReason(page, 'Xóa', 'Không dùng nữa')
    await expect(page.getByText(`Ảnh đang được dùng trong bài “Dùng ${alt}”`)).toBeVisible()
    await request.delete(`/api/operator/posts/${id}`, {
      headers: { authorization: `Bearer ${staff.token}` },
      data: { reason: 'Dọn bài thử' },
    })
    await page.getByRole('dialog').getByRole('button', { name: 'Xóa' }).click()
    await expect(picture).toBeHidden()
  },
)
