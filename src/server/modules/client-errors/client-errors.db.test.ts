import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ClientErrorRow } from '#contract/operator/client-errors.ts'
import { openSourceMaps } from '#server/platform/pages/source-maps.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { anAddress } from '#tests/support/players.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const folder = await mkdtemp(join(tmpdir(), 'maps-'))
const portal = useTestApp({ overrides: { sourceMaps: openSourceMaps(['/nowhere', folder]) } })
const { owner } = useOperators(portal, { owner: 'owner' })

/** One line of the built file, whose column 10 comes from line 3, column 4 of the page. */
const MAP = {
  version: 3,
  sources: ['../../../../../src/web/features/home/home.page.tsx'],
  names: [],
  mappings: 'UAEI',
}

async function keepMap(file: string): Promise<void> {
  const path = join(folder, `${file}.map`)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(MAP))
}

beforeAll(async () => {
  for (const release of ['r1', 'r2', 'r3']) await keepMap(`static/js/entry-client-${release}.js`)
  await keepMap('static/js/home.page-x1.js')
})
beforeEach(() => asOwner(portal, 'TRUNCATE client_error'))
afterAll(() => rm(folder, { recursive: true }))

const REPORT = {
  site: 'player',
  release: 'r1',
  page: '/post/12',
  message: `TypeError: Cannot read properties of undefined (reading 'lan')`,
  place: 'static/js/home.page-x1.js:1:11',
  engine: 'Mozilla/5.0 (Linux; Android 10) AppleWebKit/537.36 Chrome/109.0.0.0 Mobile Safari/537.36',
  kind: 'part',
}
const report = (more: object = {}, from = anAddress()) =>
  portal.call('POST', '/api/client-errors', { body: { ...REPORT, ...more }, from })

async function listed(filter: object = {}): Promise<ClientErrorRow[]> {
  const query = new URLSearchParams({
    filter: JSON.stringify(filter),
    sort: '["times","DESC"]',
    range: '[0,99]',
  })
  return (await portal.call('GET', `/api/operator/client-errors?${query}`, { token: owner.token })).body
}
const handle = (id: string) =>
  portal.call('POST', `/api/operator/client-errors/${id}/handle`, {
    token: owner.token,
    body: { reason: 'Đã sửa ở bản sau' },
  })
const ringing = async () =>
  (await portal.call('GET', '/api/operator/alarms', { token: owner.token })).body.filter(
    ({ name }: { name: string }) => name === 'client-errors',
  )
const severalTimes = async (times: number, more: object = {}) => {
  for (let time = 0; time < times; time++) expect((await report(more)).status).toBe(204)
}

test('what browsers report alike is one row, with its place in the source, pages and engines', async () => {
  await report()
  await report({ page: '/home', engine: 'Mozilla/5.0 Gecko/20100101 Firefox/115.0' })
  await report({ message: `TypeError: Cannot read properties of undefined (reading 'binh')` })
  expect(await listed()).toMatchObject([
    {
      site: 'player',
      release: 'r1',
      kind: 'part',
      message: 'TypeError: Cannot read properties of undefined (reading …)',
      places: ['src/web/features/home/home.page.tsx:3:5'],
      is_new: true,
      times: 3,
      pages: ['/home', '/post/:id'],
      engines: [
        { engine: 'Chrome 109 (Android)', times: 2 },
        { engine: 'Firefox 115', times: 1 },
      ],
      handled_at: null,
    },
  ])
})

test('another release, place or site is a row of its own; a build that is not kept has no name', async () => {
  await report()
  await report({ release: 'r2' })
  await report({ release: 'made-up-by-anybody' })
  await report({ place: 'static/js/unknown-x1.js:1:11' })
  await report({ site: 'console', page: '/admin/users/3' })
  const found = await listed()
  expect(found.map(({ release }) => release).sort()).toEqual(['', '', 'r1', 'r1', 'r2'])
  expect(found.flatMap(({ places }) => places)).toContain('static/js/unknown-x1.js:1:11')
  expect((await listed({ site: 'console' }))[0]?.pages).toEqual(['/users/:id'])
})

test('nothing of a report is stored as it came', async () => {
  await report({
    page: '/password/Kho-Doan-1234',
    message: `Error: "Nguyễn Thị Lan" 84912345678 lan@thu.vn ${'x'.repeat(600)}`,
    place: 'Nguyen Thi Lan\nstatic/js/home.page-x1.js:1:11 ../../../etc/passwd:1:1',
    engine: 'Nguyen Thi Lan 84912345678',
  })
  const stored = JSON.stringify(await portal.db.selectFrom('client_error').selectAll().execute())
  expect(stored).toContain('/password/:token?')
  for (const word of ['Kho', 'Lan', '8491', 'thu.vn', 'passwd']) expect(stored).not.toContain(word)
})

test('a body that is too large, or no report, is refused', async () => {
  expect((await report({ message: 'x'.repeat(2_000_000) })).status).toBe(413)
  expect((await report({ site: 'game' })).status).toBe(422)
  expect((await report({ message: 3 })).status).toBe(422)
  expect(await listed()).toEqual([])
})

test('an address reports 60 times in ten minutes; what is above that is not stored', async () => {
  const from = anAddress()
  for (let time = 0; time < 60; time++) expect((await report({}, from)).status).toBe(204)
  expect((await report({ message: 'one more' }, from)).status).toBe(429)
  expect(await listed()).toMatchObject([{ times: 60 }])
})

describe('rows are bounded', () => {
  const fill = `INSERT INTO client_error (fingerprint, site, release, kind, message, place, is_new, pages, engines)
    SELECT sha256(n::text::bytea), 'player', 'r1', 'script', 'other ' || n, '', true, '{/home}', '{"Chrome 1": 1}'
      FROM generate_series(1, 200) n`

  test('to 200 of a release: further ones are counted in one row, known ones in theirs', async () => {
    await report()
    await asOwner(portal, `${fill} LIMIT 199`)
    await Promise.all(['one', 'two', 'three'].map((message) => report({ message })))
    await report()
    await report({ release: 'r2', message: 'one' })
    const found = await listed()
    expect(found).toHaveLength(100)
    const known = found.filter(({ times }) => times > 1)
    expect(known).toMatchObject([
      { message: '', times: 3, places: [], is_new: false },
      { message: REPORT.message.replace(`'lan'`, '…'), times: 2 },
    ])
    expect(await listed({ release: 'r2' })).toMatchObject([{ message: 'one' }])
  })

  test('also when new ones come at once', async () => {
    await asOwner(portal, `${fill} LIMIT 199`)
    await Promise.all(Array.from({ length: 8 }, (_, at) => report({ message: 'ab'.repeat(at + 1) })))
    const rows = await portal.db.selectFrom('client_error').select('message').execute()
    expect(rows.filter(({ message }) => message !== '')).toHaveLength(200)
  })

  test('and their engines to 31', async () => {
    await report()
    await asOwner(
      portal,
      `UPDATE client_error SET engines = (SELECT jsonb_object_agg('Chrome ' || n, 1) FROM generate_series(1, 30) n)`,
    )
    await report({ engine: 'Chrome/5' })
    await report({ engine: 'Chrome/77' })
    await report({ engine: 'Chrome/78' })
    const { engines } = (await listed())[0] as ClientErrorRow
    expect(engines).toHaveLength(31)
    expect(engines.slice(0, 2)).toEqual(
      expect.arrayContaining([
        { engine: 'Chrome 5', times: 2 },
        { engine: 'khác', times: 2 },
      ]),
    )
  })
})

describe('an alarm', () => {
  test('rings when an error that no release before had was met ten times, until it is handled', async () => {
    await severalTimes(9)
    expect(await ringing()).toEqual([])
    await report()
    expect(await ringing()).toMatchObject([{ count: 1, late: 1 }])
    const [{ id }] = (await listed()) as [ClientErrorRow]
    expect((await handle(id)).body.handled_at).not.toBeNull()
    expect(await ringing()).toEqual([])
    expect(await handle(id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect([(await listed({ state: 'open' })).length, (await listed({ state: 'handled' })).length]).toEqual([
      0, 1,
    ])
    expect(await trailRows(portal, { subject: { type: 'client-error', id } })).toMatchObject([
      { action: 'client-errors.handle', details: { release: 'r1' } },
    ])
  })

  test('does not ring again for what an earlier release has, and does for what was handled there', async () => {
    await severalTimes(10)
    await severalTimes(10, { release: 'r2' })
    expect(await ringing()).toMatchObject([{ count: 1 }])
    expect((await listed({ release: 'r2' }))[0]?.is_new).toBe(false)
    for (const { id } of await listed()) await handle(id)
    await severalTimes(10, { release: 'r3' })
    expect(await ringing()).toMatchObject([{ count: 1 }])
  })

  test('does not ring for lazy code that did not arrive, nor for what nobody meets any more', async () => {
    await severalTimes(10, { kind: 'code' })
    expect(await ringing()).toEqual([])
    await severalTimes(10, { message: 'Error: other' })
    await asOwner(portal, `UPDATE client_error SET last_seen = now() - interval '25 hours'`)
    expect(await ringing()).toEqual([])
  })
})
