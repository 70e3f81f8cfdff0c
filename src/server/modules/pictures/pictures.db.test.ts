import { trailRows } from '#tests/support/trail-rows.ts'
import { useOperators, usePlanner } from '#tests/support/fixtures.ts'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aPhoto, aPicture, uploadPicture } from '#tests/support/uploads.ts'
import { mostRowsRead } from '#tests/support/plans.ts'
import { countPictures, findPictureFile, listPictureRows } from './pictures.queries.ts'

const portal = useTestApp()

const { editor } = useOperators(portal, { editor: 'editor' })

const act = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) =>
  portal.call(method, `/api/operator${path}`, {
    token: editor.token,
    ...(method === 'GET' ? {} : { body: { reason: 'Việc hằng ngày', ...(body as object) } }),
  })

const trail = (id: string) => trailRows(portal, { subject: { type: 'picture', id } })

describe('a picture', () => {
  test('is rendered in four widths and may be cached by anybody for good', async () => {
    const { status, body } = await uploadPicture(portal, editor, {
      bytes: await aPhoto('#aa2211').jpeg().toBuffer(),
      alt: '  Đèn lồng  ',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ alt: 'Đèn lồng', width: 1280, height: 720 })
    expect(Object.keys(body.urls)).toEqual(['320', '640', '960', '1280'])
    for (const [width, url] of Object.entries<string>(body.urls)) {
      expect(url).toMatch(new RegExp(`^/uploads/[0-9a-f]{32}-${width}[.]webp$`))
      const file = await portal.app.inject({ url })
      expect(file.statusCode).toBe(200)
      expect(file.headers).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      })
      const metadata = await sharp(file.rawPayload).metadata()
      expect([metadata.format, metadata.width]).toEqual(['webp', Number(width)])
    }
  })

  test('stays as small and as transparent as it was, and loses its orientation mark and its place', async () => {
    const small = await sharp({ create: { width: 200, height: 100, channels: 4, background: '#11223380' } })
      .withExif({ IFD0: { Copyright: 'ai đó' } })
      .withMetadata({ orientation: 6 })
      .webp()
      .toBuffer()
    const { body } = await uploadPicture(portal, editor, { bytes: small })
    expect(body).toMatchObject({ width: 100, height: 200 })
    const file = await portal.app.inject({ url: body.urls['1280'] })
    const metadata = await sharp(file.rawPayload).metadata()
    expect(metadata).toMatchObject({ width: 100, height: 200, hasAlpha: true })
    expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined])
  })

  test('that is very tall becomes narrower and fits a file', async () => {
    const bytes = await aPhoto('#334455', { width: 400, height: 20_000 }).png().toBuffer()
    const { status, body } = await uploadPicture(portal, editor, { bytes })
    expect(status).toBe(201)
    expect(body.height).toBeLessThanOrEqual(4096)
  })

  test('uploaded twice is one row with the newer text, and both acts are in the trail', async () => {
    const first = await aPicture(portal, editor, '#010203')
    const again = await uploadPicture(portal, editor, {
      bytes: await aPhoto('#010203').jpeg().toBuffer(),
      alt: 'Chữ mới',
    })
    const { hash: _, ...shown } = first
    expect(again).toMatchObject({ status: 201, body: { ...shown, alt: 'Chữ mới' } })
    expect((await trail(first.id)).map(({ action }) => action)).toEqual([
      'pictures.create',
      'pictures.update',
    ])
  })

  test('is found in the list by its text', async () => {
    const picture = await aPicture(portal, editor, '#778899')
    await uploadPicture(portal, editor, {
      bytes: await aPhoto('#998877').jpeg().toBuffer(),
      alt: 'Bản đồ 100%_ rừng trúc',
    })
    const listed = await act('GET', `/pictures?filter=${encodeURIComponent('{"q":"100%_ RỪNG"}')}`)
    expect(listed.body.map(({ alt }: { alt: string }) => alt)).toEqual(['Bản đồ 100%_ rừng trúc'])
    const byId = await act('GET', `/pictures?filter=${encodeURIComponent(`{"id":"${picture.id}"}`)}`)
    expect(byId.headers['content-range']).toBe('pictures 0-0/1')
  })

  test('needs a file and a text', async () => {
    const bytes = await aPhoto().jpeg().toBuffer()
    expect((await uploadPicture(portal, editor, { bytes, alt: '  ' })).body.errors).toHaveProperty('alt')
    const { status } = await portal.call('POST', '/api/operator/pictures', {
      token: editor.token,
      body: { alt: 'x', reason: 'Thử' },
    })
    expect(status).toBe(400)
  })

  test.each(['a', `${'0'.repeat(32)}-640.webp`, `${'0'.repeat(32)}-641.webp`, '..%2f..%2fpackage.json'])(
    'is not found at /uploads/%s',
    async (file) => {
      expect((await portal.app.inject({ url: `/uploads/${file}` })).statusCode).toBe(404)
    },
  )
})

describe('a picture in use', () => {
  const html = (hash: string) => `<p>Trước</p><img src="/uploads/${hash}-640.webp" alt="Cổng">`

  async function expectKept(id: string, title: string): Promise<void> {
    const answer = await act('DELETE', `/pictures/${id}`)
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT', present: { posts: [{ title }] } } })
    expect(answer.body.message).toContain(title)
  }

  test('by a post, then only by its revision, or as a cover is not deleted; without its post it is', async () => {
    const picture = await aPicture(portal, editor, '#a0a0a0')
    const post = await act('POST', '/posts', { title: 'Có ảnh', content: html(picture.hash) })
    await expectKept(picture.id, 'Có ảnh')
    await act('PUT', `/posts/${post.body.id}`, { title: 'Không ảnh', content: '<p>Chữ.</p>' })
    await expectKept(picture.id, 'Không ảnh')
    await act('DELETE', `/posts/${post.body.id}`)

    const covered = await act('POST', '/posts', {
      title: 'Có bìa',
      content: '<p>Chữ.</p>',
      cover: `/uploads/${picture.hash}`,
    })
    expect(covered.status).toBe(201)
    await expectKept(picture.id, 'Có bìa')
    await act('DELETE', `/posts/${covered.body.id}`)

    expect((await act('DELETE', `/pictures/${picture.id}`)).status).toBe(204)
    expect((await portal.app.inject({ url: picture.urls['640'] ?? '' })).statusCode).toBe(404)
    expect((await act('DELETE', `/pictures/${picture.id}`)).status).toBe(404)
    expect((await trail(picture.id)).at(-1)?.action).toBe('pictures.delete')
  })

  test('by a draft is not deleted', async () => {
    const picture = await aPicture(portal, editor, '#b0b0b0')
    const post = (await act('POST', '/posts', { title: 'Đang viết', content: '<p>Chữ.</p>' })).body
    const draft = { title: 'Đang viết', content: html(picture.hash), updated_at: post.updated_at }
    expect((await act('PUT', `/posts/${post.id}/draft`, draft)).status).toBe(200)
    await expectKept(picture.id, 'Đang viết')
    await act('DELETE', `/posts/${post.id}/draft`)
    expect((await act('DELETE', `/pictures/${picture.id}`)).status).toBe(204)
  })

  test('is never lost to a deletion at the same moment', async () => {
    for (let round = 0; round < 6; round++) {
      const picture = await aPicture(portal, editor, `#c0c0${16 + round}`)
      const [post, removed] = await Promise.all([
        act('POST', '/posts', { title: `Cùng lúc ${round}`, content: html(picture.hash) }),
        act('DELETE', `/pictures/${picture.id}`),
      ])
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([post.status, removed.status])
    }
  })
})

describe('plans', () => {
  const PICTURES = 20_000

  const planner = usePlanner(
    portal,
    `TRUNCATE picture, picture_file RESTART IDENTITY;
    INSERT INTO picture (hash, alt, width, height)
      SELECT md5(n::text), 'Ảnh số ' || n, 1280, 720 FROM generate_series(1, ${PICTURES}) n;
    INSERT INTO picture_file (picture_id, width, content)
      SELECT id, width, '\\x00' FROM (SELECT id FROM picture) p, unnest(ARRAY[320, 640, 960, 1280]) AS width`,
    'VACUUM ANALYZE',
  )

  const PAGE = { order: 'desc', from: 0, to: 24 } as const

  test('a page of pictures reads its own rows, and no contents', async () => {
    const { nodes } = await planner.plansOf(() => listPictureRows(planner.db, {}, PAGE))
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(25)
    expect(nodes.filter((node) => node['Relation Name'] === 'picture_file')).toEqual([])
  })

  test('the list counts no further than it reaches', async () => {
    const { nodes } = await planner.plansOf(() => countPictures(planner.db, {}))
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(10_000)
  })

  test('a picture searched by its text is found by reading rows once, without contents', async () => {
    const { nodes } = await planner.plansOf(() => listPictureRows(planner.db, { altPart: 'số 17' }, PAGE))
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(PICTURES)
    expect(nodes.filter((node) => node['Relation Name'] === 'picture_file')).toEqual([])
  })

  test('the file of a request is one row of each table', async () => {
    const { rows } = await planner.owner.query<{ hash: string }>('SELECT hash FROM picture WHERE id = 777')
    const { nodes } = await planner.plansOf(() => findPictureFile(planner.db, rows[0]?.hash ?? '', 640))
    expect(mostRowsRead(nodes)).toBe(1)
  })
})
