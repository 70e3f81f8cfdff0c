import { plantCategory, plantPost } from './testing/planted-posts.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aTournament } from '#tests/support/tournaments.ts'
import { anOperator } from '#tests/support/operators.ts'
import { changeSettings } from '#tests/support/settings.ts'
import { createSharePictures } from './share-picture.service.ts'

const portal = useTestApp()

const get = (url: string, headers = {}) => portal.app.inject({ method: 'GET', url, headers })

/** Replaces rendering, to count or delay it. Names of tournaments are read without the database, so in order. */
const drawnBy = (draw: () => Promise<Buffer>) =>
  createSharePictures({ findTournamentName: async (_, id) => `Giải ${id}` }, draw)

const requestFrom = (address = '113.161.7.8') => ({ db: portal.db, address })

const plant = (title: string, isPublished = true) => plantPost(portal, { title, isPublished })
const aCategory = (title: string) => plantCategory(portal, title)

test('a post has a picture of the size that chat groups show', async () => {
  const id = await plant('Khai mở máy chủ Hồng Nguyệt: quà tặng người mở đường')
  const answer = await get(`/share/post-${id}.png`)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('image/png')
  expect(answer.rawPayload.length).toBeLessThan(400_000)
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect((await get(`/share/post-${id}.png`, { 'if-none-match': answer.headers.etag })).statusCode).toBe(304)
})

test('a new title makes a new picture', async () => {
  const id = await plant('Tựa cũ')
  const before = (await get(`/share/post-${id}.png`)).headers.etag
  await portal.db.updateTable('posts').set({ title: 'Tựa mới' }).where('id', '=', id).execute()
  const after = await get(`/share/post-${id}.png`, { 'if-none-match': before })
  expect(after.statusCode).toBe(200)
  expect(after.headers.etag).not.toBe(before)
})

test('the age class is on every picture, and another class makes others', async () => {
  const id = await plant('Game dành cho ai')
  const addresses = [`/share/post-${id}.png`, '/share/site.png']
  const before: Awaited<ReturnType<typeof get>>[] = []
  for (const address of addresses) before.push(await get(address))
  const { token } = await anOperator(portal, 'editor')
  expect((await changeSettings(portal, { token, values: { age_class: '18+' } })).status).toBe(200)
  for (const [index, address] of addresses.entries()) {
    const after = await get(address, { 'if-none-match': before[index]?.headers.etag })
    expect(after.statusCode).toBe(200)
    expect(await sharp(after.rawPayload).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    })
    const [was, is] = await Promise.all(
      [before[index]?.rawPayload, after.rawPayload].map((png) => sharp(png).removeAlpha().raw().toBuffer()),
    )
    expect(was?.equals(is as Buffer), address).toBe(false)
  }
})

const drawing = async (url: string) => {
  const answer = await get(url)
  expect(answer.statusCode, url).toBe(200)
  expect(answer.headers['cache-control'], url).toBe('public, max-age=3600')
  return answer.rawPayload
}

test('pages of one title have one picture, whatever they are about, and others another', async () => {
  const title = 'Bài cũ hơn'
  const category = await aCategory(title)
  const pictures: Buffer[] = []
  // One after the other: on a busy machine the last of six at once would wait longer than a picture may.
  for (const name of [
    `category-${category}`,
    'page-olderPosts',
    `post-${await plant(title)}`,
    `older-${category}`,
    'page-download',
    'site',
  ])
    pictures.push(await drawing(`/share/${name}.png`))
  const [byRow, byTable, byPost, older, download, site] = pictures
  expect(byRow?.equals(byTable as Buffer)).toBe(true)
  expect(byRow?.equals(byPost as Buffer)).toBe(true)
  const olderTitle = await drawing(`/share/post-${await plant(`${title}: bài cũ hơn`)}.png`)
  expect(older?.equals(olderTitle)).toBe(true)
  expect(new Set([byRow, older, download, site].map((png) => png?.toString('base64'))).size).toBe(4)
})

test('a tournament has its name on its picture, also one that is longer than three lines', async () => {
  const long = `Đại hội tỉ thí ${'Vũ Lâm Ngũ Hành '.repeat(20)}`.slice(0, 100)
  for (const name of ['Tứ Hùng tranh bá', long]) {
    const id = await aTournament(portal, name)
    const picture = await drawing(`/share/tournament-${id}.png`)
    expect(picture.equals(await drawing(`/share/post-${await plant(name)}.png`)), name).toBe(true)
  }
})

test('what cannot be read has no picture', async () => {
  const hidden = await plant('Bản nháp', false)
  for (const path of [
    `post-${hidden}.png`,
    'post-999999.png',
    'post-0.png',
    'post-x.png',
    'post-1.jpg',
    'category-999999.png',
    'older-999999.png',
    'tournament-999999.png',
    'page-home.png',
    'page-ranking.png',
    'page-nowhere.png',
  ]) {
    expect((await get(`/share/${path}`)).statusCode, path).toBe(404)
  }
})

test('many requests for one picture are rendered once, and a failed one is rendered again', async () => {
  const id = await plant('Nhiều người cùng hỏi')
  let rendered = 0
  const pictures = drawnBy(async () => {
    rendered += 1
    if (rendered === 1) throw new Error('no ink')
    return Buffer.from('png')
  })
  await expect(pictures.of(requestFrom(), `post-${id}`)).rejects.toThrow('no ink')
  await Promise.all(Array.from({ length: 10 }, () => pictures.of(requestFrom(), `post-${id}`)))
  expect(rendered).toBe(2)
})

test('no more than sixty pictures are cached', async () => {
  const ids = await Promise.all(Array.from({ length: 61 }, (_, index) => plant(`Bài số ${index}`)))
  let rendered = 0
  const pictures = drawnBy(async () => {
    rendered += 1
    return Buffer.from('png')
  })
  for (const id of ids) await pictures.of(requestFrom(), `post-${id}`)
  await pictures.of(requestFrom(), `post-${ids[60]}`)
  expect(rendered).toBe(61)
  await pictures.of(requestFrom(), `post-${ids[0]}`)
  expect(rendered).toBe(62)
})

test.each([
  ['forty addresses', (index: number) => `198.51.100.${index}`, 503],
  ['one address', () => '203.0.113.7', 429],
] as const)(
  'of forty different pictures at once for %s one is rendered at a time, twelve wait, and the rest are refused',
  async (_, from, status) => {
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, index) => plant(`Bốn mươi cùng lúc ${index}`)),
    )
    const gate = Promise.withResolvers<void>()
    let most = 0
    let running = 0
    const pictures = drawnBy(async () => {
      most = Math.max(most, ++running)
      await gate.promise
      running--
      return Buffer.from('png')
    })
    const refusals: unknown[] = []
    const requests = ids.map((id, index) =>
      pictures.of(requestFrom(from(index)), `post-${id}`).catch((refusal: unknown) => {
        refusals.push(refusal)
        if (refusals.length === 27) gate.resolve()
      }),
    )
    await Promise.all(requests)
    expect(most).toBe(1)
    for (const refusal of refusals) expect(refusal).toMatchObject({ status, retryAfterSeconds: 5 })
    // A retry is served: refusals are not cached.
    for (const id of ids) expect((await pictures.of(requestFrom(), `post-${id}`)).png.toString()).toBe('png')
  },
)

test('an address that requests many pictures delays no other, not even for one of its own', async () => {
  const served: string[] = []
  const drawing = Promise.withResolvers<void>()
  const pictures = drawnBy(async () => {
    await drawing.promise
    return Buffer.from('png')
  })
  let refused = 0
  const request = async (address: string, id: number) => {
    try {
      await pictures.of(requestFrom(address), `tournament-${id}`)
      served.push(address)
    } catch {
      // The line was full, and two others make room for themselves: all are in it now.
      if (++refused === 2) drawing.resolve()
    }
  }
  const flood = Array.from({ length: 13 }, (_, index) => request('203.0.113.7', index + 1))
  const others = [request('198.51.100.1', 13), request('198.51.100.2', 14)]
  await Promise.all([...flood, ...others])
  expect(served).toHaveLength(13)
  for (const other of ['198.51.100.1', '198.51.100.2'])
    expect(served.indexOf(other), served.join()).toBeLessThanOrEqual(5)
})
