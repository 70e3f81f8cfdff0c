import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { mostRowsRead, openPlanner, type Planner } from '#tests/support/plans.ts'
import { listPictureUses } from './operator-posts.queries.ts'

/** Years of posts, each saved four times, with three pictures of twenty thousand. */
const POSTS = 10_000
const PICTURES = 20_000
const SAVES = 4

const portal = useTestApp()
let planner: Planner
beforeAll(async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(`SET session_replication_role = replica;
    INSERT INTO posts (id, title, excerpt, content, pictures) OVERRIDING SYSTEM VALUE
      SELECT n, 'Bài ' || n, 'x', '<p>x</p>', ARRAY[md5((3 * n % ${PICTURES})::text), md5(((3 * n + 1) % ${PICTURES})::text), md5(((3 * n + 2) % ${PICTURES})::text)]
        FROM generate_series(100001, ${100_000 + POSTS}) n;
    INSERT INTO post_revision (post_id, revision, state, pictures, saved_at)
      SELECT id, n, '{}', pictures, now() FROM posts, generate_series(1, ${SAVES}) n WHERE id > 100000;
    INSERT INTO post_draft (post_id, user_id, state, pictures, based_on)
      SELECT id, 1, '{}', pictures, now() FROM posts WHERE id > 100000 AND id % 10 = 0`)
  await planner.owner.query('VACUUM ANALYZE')
})
afterAll(() => planner.close())

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
