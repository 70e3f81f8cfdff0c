import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { plantCategory, plantPost } from '#server/modules/posts/testing/planted-posts.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { searchForm } from '#contract/search-form.ts'

// What operators search by, as people type it.

const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })
let player: TestPlayer

/** A title, stored as an editor's machine may send it. */
const TITLE = 'Sự kiện Đổi Lượng'
const CHARACTER = 'Đặng  Ổi'

beforeAll(async () => {
  player = await aPlayer(portal)
  await plantPost(portal, { title: TITLE })
  await plantPost(portal, { title: TITLE.normalize('NFD') })
  await plantPost(portal, { title: 'Bài khác' })
  await plantCategory(portal, TITLE)
  await asOwner(
    portal,
    `INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round)
     VALUES ($1, now(), now() + interval '1 day', 1, 1, 3)`,
    [TITLE],
  )
  await asOwner(portal, `INSERT INTO picture (hash, alt, width, height) VALUES (md5('x'), $1, 1, 1)`, [TITLE])
  await asOwner(portal, `UPDATE game_character SET name = $1 WHERE user_id = ${player.id}`, [CHARACTER])
})

const list = async (resource: string, q: string) => {
  const filter = encodeURIComponent(JSON.stringify({ q }))
  const { status, body } = await portal.call('GET', `/api/operator/${resource}?filter=${filter}`, {
    token: owner.token,
  })
  expect([q, status]).toEqual([q, 200])
  return body as Record<string, string>[]
}
const hits = async (q: string) => {
  const { status, body } = await portal.call('GET', `/api/operator/search?q=${encodeURIComponent(q)}`, {
    token: owner.token,
  })
  expect([q, status]).toEqual([q, 200])
  return body as { kind: string; title: string }[]
}

const TYPED = [
  'doi luong',
  'đổi lượng',
  'ĐỔI LƯỢNG',
  'Đổi Lượng'.normalize('NFD'),
  '  đổi    lượng ',
  'đổi\u00a0lượng',
  'đổi\u200b lượng',
  'Doi LUONG',
  'lượng đổi',
]

test.each(TYPED)('every list with a title finds it by %j', async (q) => {
  for (const [resource, field, count] of [
    ['posts', 'title', 2],
    ['categories', 'title', 1],
    ['tournaments', 'name', 1],
    ['pictures', 'alt', 1],
  ] as const) {
    const found = (await list(resource, q)).map((row) => row[field]?.normalize('NFC'))
    expect([resource, found]).toEqual([resource, Array.from({ length: count }, () => TITLE)])
  }
})

test.each(TYPED)('the one box finds posts by %j', async (q) => {
  const posts = (await hits(q)).filter(({ kind }) => kind === 'post')
  expect(posts.map(({ title }) => title.normalize('NFC'))).toEqual([TITLE, TITLE])
})

test.each(['dang oi', 'Đặng Ổi', 'ĐẶNG ỔI', 'đặng'.normalize('NFD'), ' Đặng   ổi', 'dang'])(
  'a character is found by %j, and their player in the list',
  async (q) => {
    expect((await hits(q)).filter(({ kind }) => kind === 'character')).toEqual(
      expect.arrayContaining([expect.objectContaining({ title: CHARACTER.replace('  ', ' ') })]),
    )
    expect((await list('users', q)).map(({ id }) => id)).toEqual([player.id])
  },
)

test('a name is found with marks, blanks and the sign of a file for spreadsheets around it', async () => {
  for (const q of [player.username.toUpperCase(), ` ${player.username} `, `'${player.username}`])
    expect((await list('users', q)).map(({ id }) => id)).toEqual([player.id])
})

test('a sign of patterns is only itself', async () => {
  for (const q of ['%', '_', 'luong%']) expect(await list('posts', q)).toEqual([])
})

test('the database and the program fold a text alike', async () => {
  const texts = [
    'Đổi LƯỢNG',
    CHARACTER,
    TITLE.normalize('NFD'),
    ' a\tb\u00a0c ',
    'ĐĂÂÊÔƠƯđ',
    'x\u200by\u00ad',
    'ÀÉÎõüñ',
    '',
  ]
  for (const text of texts) {
    const { rows } = await sql<{ form: string }>`SELECT search_form(${text}) AS form`.execute(portal.db)
    expect([text, rows]).toEqual([text, [{ form: searchForm(text) }]])
  }
})
