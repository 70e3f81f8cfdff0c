import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, describe } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'
import { useTestApp } from '#tests/support/app.ts'
import { usePlanner } from '#tests/support/fixtures.ts'
import { mostRows, openPlanner, readWhole, type Planner, mostRowsRead } from '#tests/support/plans.ts'
import { quickest } from '#tests/support/timing.ts'
import { listPictureUses } from './operator-posts.service.ts'
import { listFeedPosts, listSitemapPosts } from './posts.queries.ts'
import { getCategory, getPost, listPosts } from './posts.service.ts'

const portal = useTestApp()

const POSTS = 10_000
const ROWS_READ_MAX = 700

let planner: Planner
let db: Db

beforeAll(async () => {
  planner = await openPlanner(portal)
  db = planner.db
  await planner.owner.query(`INSERT INTO categories (title) VALUES ('đông'), ('vừa'), ('vắng');
    INSERT INTO posts (title, excerpt, content, publish_at, is_pinned)
      SELECT 'Bài ' || n, 'x', repeat('chữ ', 500), now() - n * interval '1 minute', n % 2000 = 0
        FROM generate_series(1, ${POSTS}) n;
    INSERT INTO post_categories SELECT id, 1 FROM posts;
    INSERT INTO post_categories SELECT id, 2 FROM posts WHERE id % 40 = 0;
    INSERT INTO post_categories SELECT id, 3 FROM posts WHERE id IN (7, 8000);
    ANALYZE`)
})
afterAll(() => planner.close())

test.each<[string, number, () => Promise<unknown>]>([
  ['the first page', 1, () => listPosts(db, { limit: 50 })],
  ['a page far down', 2, () => listPosts(db, { limit: 50, before: '9000' })],
  ['a page after a post that is gone', 2, () => listPosts(db, { limit: 50, before: '999999' })],
  ['a category with every post', 1, () => listPosts(db, { category: '1', limit: 50 })],
  ['a page far down in it', 2, () => listPosts(db, { category: '1', limit: 50, before: '9000' })],
  ['a category with two posts', 1, () => listPosts(db, { category: '3', limit: 50 })],
  ['a category page', 2, () => getCategory(db, '1')],
  ['a search for a rare word', 1, () => listPosts(db, { search: 'bài 4321', limit: 25 })],
  ['one post', 1, () => getPost(db, '5000')],
  ['the feed', 1, () => listFeedPosts(db, 20)],
])('%s reads by index and no more than it needs', async (_, queries, work) => {
  const plans = await planner.plansOf(work)
  expect(plans.queries).toBe(queries)
  expect(readWhole(plans.nodes, /^post/)).toEqual([])
  expect(mostRows(plans.nodes)).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('a category with one post in forty sorts what it holds, which takes no time worth an index', async () => {
  const list = async () => expect(await listPosts(db, { category: '2', limit: 50 })).toHaveLength(50)
  expect(await quickest(list)).toBeLessThan(50)
})

test('a search for a word that is in every post takes no time worth an index of its own', async () => {
  const list = async () => expect(await listPosts(db, { search: 'chữ', limit: 25 })).toHaveLength(25)
  expect(await quickest(list)).toBeLessThan(100)
})

test('the sitemap reads once what it lists', async () => {
  expect((await planner.plansOf(() => listSitemapPosts(db, 5_000))).queries).toBe(1)
  expect(await quickest(() => listSitemapPosts(db, 5_000))).toBeLessThan(500)
  expect((await sql<{ n: number }>`SELECT count(*)::int AS n FROM posts`.execute(db)).rows[0]?.n).toBe(POSTS)
})

describe('the uses of a picture', () => {
  /** Years of posts, each saved four times, with three pictures of twenty thousand. */
  const POSTS = 10_000
  const PICTURES = 20_000
  const SAVES = 4

  const planner = usePlanner(
    portal,
    `SET session_replication_role = replica;
    INSERT INTO posts (id, title, excerpt, content, pictures) OVERRIDING SYSTEM VALUE
      SELECT n, 'Bài ' || n, 'x', '<p>x</p>', ARRAY[md5((3 * n % ${PICTURES})::text), md5(((3 * n + 1) % ${PICTURES})::text), md5(((3 * n + 2) % ${PICTURES})::text)]
        FROM generate_series(100001, ${100_000 + POSTS}) n;
    INSERT INTO post_revision (post_id, revision, state, pictures, saved_at)
      SELECT id, n, '{}', pictures, now() FROM posts, generate_series(1, ${SAVES}) n WHERE id > 100000;
    INSERT INTO post_draft (post_id, user_id, state, pictures, based_on)
      SELECT id, 1, '{}', pictures, now() FROM posts WHERE id > 100000 AND id % 10 = 0`,
    'VACUUM ANALYZE',
  )

  test('which posts use a picture is found by index, whatever is in posts, drafts and revisions', async () => {
    const [hash] = (
      await planner.owner.query<{ hash: string }>('SELECT pictures[1] AS hash FROM posts WHERE id = 100010')
    ).rows.map((row) => row.hash)
    const { queries, nodes } = await planner.plansOf(() =>
      planner.db.transaction().execute((tx) => listPictureUses(tx, hash ?? '')),
    )
    expect(queries).toBe(1)
    const indexes = nodes.filter((node) => node['Node Type'] === 'Bitmap Index Scan')
    expect(indexes).toHaveLength(3)
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    // Two posts show it, with their drafts and four saves each.
    expect(mostRowsRead(nodes)).toBeLessThanOrEqual(40)
  })
})
