import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { mostRowsRead, openPlanner, type Planner } from '#tests/support/plans.ts'
import { countPictures, findPictureFile, listPictureRows } from './pictures.queries.ts'

const PICTURES = 20_000

const portal = useTestApp()
let planner: Planner
beforeAll(async () => {
  planner = await openPlanner(portal)
  await planner.owner.query(`INSERT INTO picture (hash, alt, width, height)
      SELECT md5(n::text), 'Ảnh số ' || n, 1280, 720 FROM generate_series(1, ${PICTURES}) n;
    INSERT INTO picture_file (picture_id, width, content)
      SELECT id, width, '\\x00' FROM (SELECT id FROM picture) p, unnest(ARRAY[320, 640, 960, 1280]) AS width`)
  await planner.owner.query('VACUUM ANALYZE')
})
afterAll(() => planner.close())

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

test('a picture looked for by its text is found by reading rows once, without contents', async () => {
  const { nodes } = await planner.plansOf(() => listPictureRows(planner.db, { altPart: 'số 17' }, PAGE))
  expect(mostRowsRead(nodes)).toBeLessThanOrEqual(PICTURES)
  expect(nodes.filter((node) => node['Relation Name'] === 'picture_file')).toEqual([])
})

test('the file a reader asks for is one row of each table', async () => {
  const { rows } = await planner.owner.query<{ hash: string }>('SELECT hash FROM picture WHERE id = 777')
  const { nodes } = await planner.plansOf(() => findPictureFile(planner.db, rows[0]?.hash ?? '', 640))
  expect(mostRowsRead(nodes)).toBe(1)
})
