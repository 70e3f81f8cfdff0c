import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import { startTestApp, type TestApp } from '#tests/support/app.ts'
import { listFeedPosts, listSitemapPosts } from './feeds.queries.ts'
import { getCategory, getPost, listPosts } from './posts.service.ts'

const POSTS = 10_000
const ROWS_READ_MAX = 700

let portal: TestApp
let owner: pg.Client
let db: Db
let sent: CompiledQuery[] = []

beforeAll(async () => {
  portal = await startTestApp()
  owner = new pg.Client({ connectionString: portal.ownerUrl })
  await owner.connect()
  const pool = new pg.Pool({ connectionString: portal.appUrl, max: 1 })
  db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void sent.push(query),
  })
  await owner.query(`INSERT INTO categories (title) VALUES ('đông'), ('vừa'), ('vắng');
    INSERT INTO posts (title, excerpt, content, created_at, is_pinned)
      SELECT 'Bài ' || n, 'x', repeat('chữ ', 500), now() - n * interval '1 minute', n % 2000 = 0
        FROM generate_series(1, ${POSTS}) n;
    INSERT INTO post_categories SELECT id, 1 FROM posts;
    INSERT INTO post_categories SELECT id, 2 FROM posts WHERE id % 40 = 0;
    INSERT INTO post_categories SELECT id, 3 FROM posts WHERE id IN (7, 8000);
    ANALYZE`)
})
afterAll(async () => {
  await owner.end()
  await db.destroy()
  await portal.close()
})

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Actual Rows': number; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** How PostgreSQL carried out what `work` asked for. */
async function plansOf(work: () => Promise<unknown>): Promise<{ queries: number; nodes: Plan[] }> {
  sent = []
  await work()
  const asked = sent
  const nodes: Plan[] = []
  for (const query of asked) {
    const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`, [...query.parameters])
    nodes.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan as Plan))
  }
  return { queries: asked.length, nodes }
}

test.each<[string, number, () => Promise<unknown>]>([
  ['the first page', 1, () => listPosts(db, { limit: 50 })],
  ['a page far down', 2, () => listPosts(db, { limit: 50, before: '9000' })],
  ['a page after a post that is gone', 2, () => listPosts(db, { limit: 50, before: '999999' })],
  ['a category with every post', 1, () => listPosts(db, { category: '1', limit: 50 })],
  ['a page far down in it', 2, () => listPosts(db, { category: '1', limit: 50, before: '9000' })],
  ['a category with two posts', 1, () => listPosts(db, { category: '3', limit: 50 })],
  ['a category page', 2, () => getCategory(db, '1')],
  ['one post', 1, () => getPost(db, '5000')],
  ['the feed', 1, () => listFeedPosts(db, 20)],
])('%s reads by index and no more than it needs', async (_, queries, work) => {
  const plans = await plansOf(work)
  expect(plans.queries).toBe(queries)
  const whole = plans.nodes.filter(
    (node) => node['Node Type'] === 'Seq Scan' && (node['Relation Name'] ?? '').startsWith('post'),
  )
  expect(whole).toEqual([])
  expect(Math.max(...plans.nodes.map((node) => node['Actual Rows']))).toBeLessThanOrEqual(ROWS_READ_MAX)
})

test('a category with one post in forty sorts what it holds, which takes no time worth an index', async () => {
  const started = performance.now()
  for (let n = 0; n < 10; n++) expect(await listPosts(db, { category: '2', limit: 50 })).toHaveLength(50)
  expect((performance.now() - started) / 10).toBeLessThan(50)
})

test('the sitemap asks once for what it lists', async () => {
  expect((await plansOf(() => listSitemapPosts(db, 5_000))).queries).toBe(1)
  const started = performance.now()
  await listSitemapPosts(db, 5_000)
  expect(performance.now() - started).toBeLessThan(500)
  expect((await sql<{ n: number }>`SELECT count(*)::int AS n FROM posts`.execute(db)).rows[0]?.n).toBe(POSTS)
})
