import { describe, expect, test } from 'vitest'
import { anAddress } from '#tests/support/players.ts'
import { useTestApp } from '#tests/support/app.ts'

const portal = useTestApp()

type Planted = { title: string; content: string; publishAt: string; isPublished: boolean }

/** Straight into the table, past every rule. */
async function plant({
  title = 'Bài',
  content = '<p>Chữ.</p>',
  publishAt,
  isPublished = true,
}: Partial<Planted>) {
  const row = await portal.db
    .insertInto('posts')
    .values({
      title,
      content,
      excerpt: 'Chữ.',
      is_published: isPublished,
      ...(publishAt === undefined ? {} : { publish_at: publishAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const page = (query: string) => portal.call('GET', `/api/posts?${query}`)

describe('the search', () => {
  const found = async (search: string, more = '') =>
    ((await page(`search=${encodeURIComponent(search)}${more}`)).body as { id: string }[]).map(({ id }) => id)

  test('finds posts by words of title and text, with their marks or without, the newest first', async () => {
    const older = await plant({ title: 'Đêm hội Vọng Nguyệt', publishAt: '2026-01-01T00:00:00Z' })
    const newer = await plant({
      content: '<p>Ghé <strong>Vọng</strong>&nbsp;Nguyệt nhận quà.</p>',
      publishAt: '2026-01-02T00:00:00Z',
    })
    for (const typed of [
      'vọng nguyệt',
      'VONG NGUYET',
      'Vọng Nguyệt'.normalize('NFD'),
      'nguyet, vong!',
      'vọng nguy',
    ]) {
      expect(await found(typed), typed).toEqual([newer, older])
    }
    expect(await found('vọng nguyệt', '&limit=1')).toEqual([newer])
    expect(await found('đêm vọng')).toEqual([older])
    expect(await found('vong nguyetx')).toEqual([])
  })

  test('finds no tags, nothing hidden and nothing that is not out yet', async () => {
    await plant({ content: '<blockquote>Mười bốn</blockquote>' })
    await plant({ title: 'Zebrahid', isPublished: false })
    await plant({ title: 'Zebrahid', publishAt: '2999-01-01T00:00:00Z' })
    expect(await found('blockquote')).toEqual([])
    expect(await found('zebrahid')).toEqual([])
  })

  test('takes whatever is typed as words', async () => {
    for (const typed of ['', ' ', '!&|:*()', "' OR 1=1 --", '<->', ':*', '😀', '\\']) {
      expect((await page(`search=${encodeURIComponent(typed)}`)).status, typed).toBe(200)
    }
    expect(await found('!!')).toEqual([])
    expect((await page(`search=${'a'.repeat(61)}`)).status).toBe(422)
  })

  test('follows a post that is changed', async () => {
    const id = await plant({ title: 'Quyển sổ cũ' })
    await portal.db.updateTable('posts').set({ title: 'Cuộn trục mới' }).where('id', '=', id).execute()
    expect(await found('quyen so cu')).toEqual([])
    expect(await found('cuộn trục')).toEqual([id])
  })

  test('is asked by one client so often in a minute, and lists without one go on', async () => {
    const headers = { 'x-forwarded-for': anAddress() }
    const ask = (query: string) =>
      portal.app.inject({ url: `/api/posts?${query}`, headers, remoteAddress: headers['x-forwarded-for'] })
    const statuses: number[] = []
    for (let n = 0; n <= 60; n += 1) statuses.push((await ask(`search=tu${n}`)).statusCode)
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]))
    expect(statuses[60]).toBe(429)
    expect((await ask('limit=5')).statusCode).toBe(200)
  })
})
