import { beforeAll, describe, expect, test } from 'vitest'
import { CLASS_NAMES } from '#contract/characters.ts'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { NAMES_AT_ONCE, type NewGameName } from '#contract/operator/game/names.ts'
import { anotherProcess, useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aBuyer, deliveryOf, takeGift } from '#tests/support/gift-counter.ts'
import { anOperator } from '#tests/support/operators.ts'
import { mostRowsRead, openPlanner } from '#tests/support/plans.ts'
import { aPlayer } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'
import { trailRows } from '#tests/support/trail-rows.ts'
import { selectUsed } from './names.queries.ts'

const portal = useTestApp()
let owner: string
beforeAll(async () => {
  owner = (await anOperator(portal, 'owner')).token
})

const list = (filter: object, range = [0, 99]) =>
  portal.call(
    'GET',
    `/api/operator/game-names?${new URLSearchParams({ filter: JSON.stringify(filter), range: JSON.stringify(range) })}`,
    { token: owner },
  )

const updatedAt = async (id: string): Promise<string | null> =>
  (await list({ id: [id] })).body[0]?.updated_at ?? null

type Renaming = Pick<NewGameName, 'kind' | 'code' | 'name'> & Partial<NewGameName>

/** Sets names over what they are now. */
async function rename(names: Renaming[], { key, token = owner }: { key?: string; token?: string } = {}) {
  const given = await Promise.all(
    names.map(async (one) => ({
      short_name: null,
      updated_at: await updatedAt(`${one.kind}:${one.code}`),
      ...one,
    })),
  )
  const body = { names: given, reason: 'Đặt tên theo bản mới' }
  return portal.call('PUT', '/api/operator/game-names', { token, body, ...(key && { key }) })
}

test('a new installation calls classes and items what they were called before there was a table', async () => {
  const classes = (await list({ kind: 'class' })).body as { name: string; short_name: string | null }[]
  expect(classes.map(({ name }) => name)).toEqual([...CLASS_NAMES])
  expect(classes.map(({ name, short_name }) => short_name ?? name)).toEqual([
    'Chưa vào',
    'Kiếm',
    'Tiêu',
    'Kunai',
    'Cung',
    'Đao',
    'Hái',
  ])
  const items = (await list({ kind: 'item' })).body as { code: string; name: string }[]
  expect(items).toMatchObject([
    { code: 'companion', name: 'bạn đồng hành', is_used: true },
    { code: 'pet', name: 'thú cưng', is_used: true },
  ])
})

describe('the list', () => {
  beforeAll(async () => {
    const description = {
      servers: [],
      boards: ['level', 'clan'],
      items: [
        { code: '12', name: 'Wooden sword', max: 1 },
        { code: '9', name: 'Potion', max: 99 },
        { code: 'pet', name: 'Pet', max: 1 },
      ],
      max: { luong: 1, yen: 1 },
      classes: { '-1': 'Nobody', 1: 'Sword', 7: 'Fan' },
      heads: [-1, 3, 31],
    }
    await portal.db
      .insertInto('game_description')
      .values({ description: JSON.stringify(description), tells_collection: true, read_at: new Date() })
      .execute()
  })

  test('has every code that the game describes, those without a name first and in the order of numbers', async () => {
    const { body, headers } = await list({ kind: 'item' })
    expect(headers['content-range']).toBe('game-names 0-3/4')
    expect(body).toMatchObject([
      { id: 'item:9', name: null, told_name: 'Potion', is_described: true, is_used: false, updated_at: null },
      { id: 'item:12', name: null, told_name: 'Wooden sword' },
      { id: 'item:companion', name: 'bạn đồng hành', is_described: false, is_used: true },
      { id: 'item:pet', name: 'thú cưng', told_name: 'Pet', is_described: true, is_used: true },
    ])
    expect((await list({ kind: 'class', unnamed: true })).body).toMatchObject([
      { code: '1', told_name: 'Sword' },
      { code: '7', told_name: 'Fan' },
    ])
    expect((await list({ kind: 'board', unnamed: true })).body).toMatchObject([
      { code: 'clan' },
      { code: 'level' },
    ])
  })

  test('has the classes and heads of characters and leaves out what the game does not know', async () => {
    const player = await aPlayer(portal)
    await portal.db
      .insertInto('game_character')
      .values(
        [
          [8, 40],
          [-1, -1],
        ].map(([class_id = 0, head = 0], index) => ({
          user_id: player.id,
          id: `khac-${index}`,
          server_id: '1',
          name: `khac${index}`,
          class_id,
          head,
          level: 1,
        })),
      )
      .execute()
    const unnamed = (await list({ unnamed: true })).body as { id: string; is_used: boolean }[]
    const ids = unnamed.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['class:7', 'class:8', 'head:3', 'head:31', 'head:40']))
    expect(ids.filter((id) => id.includes('-1'))).toEqual([])
    expect(unnamed.find(({ id }) => id === 'class:8')).toMatchObject({ is_used: true })
  })

  test('finds a part of a code or name, and is read page by page', async () => {
    expect((await list({ q: 'WOOD' })).body).toMatchObject([{ id: 'item:12' }])
    expect((await list({ kind: 'class', q: 'lưỡi' })).body).toMatchObject([{ id: 'class:6' }])
    const all = await list({ kind: 'class' })
    const page = await list({ kind: 'class' }, [1, 2])
    expect(page.body).toEqual(all.body.slice(1, 3))
  })
})

describe('a change', () => {
  test('of several names is one act with a row for each kind, in words', async () => {
    const answer = await rename([
      { kind: 'class', code: '7', name: ' Quạt ' },
      { kind: 'class', code: '2', name: 'Phi tiêu', short_name: 'P.tiêu' },
      { kind: 'item', code: '9', name: 'Bình máu' },
    ])
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body.names).toHaveLength(3)
    const rows = await trailRows(portal, { action: 'game-names.update' })
    expect(rows.slice(-2).map(({ subject_id, details }) => [subject_id, details])).toEqual([
      [
        'class',
        {
          changes: [
            { code: '7', before: null, after: { name: 'Quạt', short_name: null } },
            {
              code: '2',
              before: { name: 'Phi tiêu', short_name: 'Tiêu' },
              after: { name: 'Phi tiêu', short_name: 'P.tiêu' },
            },
          ],
        },
      ],
      ['item', { changes: [{ code: '9', before: null, after: { name: 'Bình máu', short_name: null } }] }],
    ])
    const filter = JSON.stringify({ subject_type: 'game-name', subject_id: 'class' })
    const { body } = await portal.call('GET', `/api/operator/audit?filter=${encodeURIComponent(filter)}`, {
      token: owner,
    })
    expect(body[0].sentence.map(({ text }: { text: string }) => text).join('')).toBe('đổi 2 tên trường')
    expect(body[0].changes).toEqual([
      { label: 'Trường 7', before: '', after: 'Quạt' },
      { label: 'Trường 2', before: 'Phi tiêu (ngắn: Tiêu)', after: 'Phi tiêu (ngắn: P.tiêu)' },
    ])
  })

  test('of what others have changed since it was read is refused as a whole, with the present names', async () => {
    const before = await updatedAt('class:3')
    await rename([{ kind: 'class', code: '3', name: 'Kunai lửa' }])
    const late = await rename([
      { kind: 'class', code: '4', name: 'Cung tre' },
      { kind: 'class', code: '3', name: 'Kunai gió', updated_at: before },
    ])
    expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(late.body.present.names.map(({ name }: { name: string }) => name)).toContain('Kunai lửa')
    expect((await list({ id: ['class:4'] })).body).toMatchObject([{ name: 'Cung' }])
    // A name that somebody else has given a new code, too.
    await rename([{ kind: 'item', code: '77', name: 'Đá' }])
    expect(await rename([{ kind: 'item', code: '77', name: 'Đá lửa', updated_at: null }])).toMatchObject({
      status: 409,
    })
  })

  test('of two operators at once does not overwrite the other', async () => {
    const answers = await Promise.all(
      ['Một', 'Hai', 'Ba'].map((name) =>
        rename([{ kind: 'item', code: 'cùng lúc', name, updated_at: null }]),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('happens once for its key, and what is set already leaves no row in the trail', async () => {
    const change: Renaming[] = [{ kind: 'item', code: 'key', name: 'Chìa khóa', updated_at: null }]
    const first = await rename(change, { key: 'một lần' })
    const rows = await trailRows(portal, { action: 'game-names.update' })
    expect(await rename(change, { key: 'một lần' })).toEqual({ ...first, headers: expect.anything() })
    expect((await rename([{ kind: 'item', code: 'key', name: 'Chìa khóa' }])).status).toBe(200)
    expect(await trailRows(portal, { action: 'game-names.update' })).toHaveLength(rows.length)
  })

  test.each<[what: string, names: object[], field: string]>([
    ['an empty name', [{ kind: 'item', code: '1', name: ' ' }], 'names.0.name'],
    ['a long name', [{ kind: 'item', code: '1', name: 'x'.repeat(61) }], 'names.0.name'],
    ['a class that is no number', [{ kind: 'class', code: '01', name: 'x' }], 'names.0.code'],
    ['a long code', [{ kind: 'item', code: 'x'.repeat(65), name: 'x' }], 'names.0.code'],
    ['another kind', [{ kind: 'clan', code: '1', name: 'x' }], 'names.0.kind'],
    [
      'a short name of an item',
      [{ kind: 'item', code: '1', name: 'x', short_name: 'x' }],
      'names.0.short_name',
    ],
    ['a short name alone', [{ kind: 'class', code: '1', name: null, short_name: 'x' }], 'names.0.short_name'],
    ['no name at all', [], 'names'],
    [
      'a code twice',
      [
        { kind: 'item', code: '1', name: 'x' },
        { kind: 'item', code: '1', name: 'y' },
      ],
      'names',
    ],
    [
      'too many names',
      Array.from({ length: NAMES_AT_ONCE + 1 }, (_, code) => ({ kind: 'item', code: `${code}`, name: 'x' })),
      'names',
    ],
  ])('with %s is refused by its field', async (_, names, field) => {
    const given = names.map((one) => ({ short_name: null, updated_at: null, ...one }))
    const body = { names: given, reason: 'Thử tên sai' }
    const answer = await portal.call('PUT', '/api/operator/game-names', { token: owner, body })
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION' } })
    expect(Object.keys(answer.body.errors)).toContain(field)
  })

  test('by an editor is taken, by a referee refused, who reads them for tournaments', async () => {
    const editor = await anOperator(portal, 'editor')
    const referee = await anOperator(portal, 'referee')
    const change: Renaming[] = [{ kind: 'item', code: 'by-role', name: 'Tên', updated_at: null }]
    expect((await rename(change, { token: referee.token })).status).toBe(403)
    expect((await rename(change, { token: editor.token })).status).toBe(200)
    const read = await portal.call('GET', '/api/operator/game-names', { token: referee.token })
    expect(read.status).toBe(200)
  })

  test('that would be one name too many changes nothing', async () => {
    await asOwner(
      portal,
      `INSERT INTO game_name (kind, code, name)
       SELECT 'item', 'full-' || n, 'x' FROM generate_series(1, 20000 - (SELECT count(*) FROM game_name)) n`,
      [],
    )
    const answer = await rename([{ kind: 'item', code: 'over', name: 'x', updated_at: null }])
    expect(answer).toMatchObject({ status: 422, body: { errors: { names: [expect.any(String)] } } })
    expect(await updatedAt('item:over')).toBeNull()
    await asOwner(portal, `DELETE FROM game_name WHERE code LIKE 'full-%'`, [])
  })
})

describe('a new name', () => {
  const own = async (path: string, token: string) => (await portal.call('GET', `/api${path}`, { token })).body

  test('of an item reaches receipt, purchases, gift page and the list of operators, not what the game is sent', async () => {
    await asOwner(portal, 'DELETE FROM game_description')
    const { player, character } = await aBuyer(portal, 60_000)
    const id = deliveryOf(await takeGift(portal, { player, character, id: 49_999 }))
    const goodsOf = (delivery: { goods: { code?: string; name?: string }[] }) =>
      delivery.goods.flatMap(({ code, name }) => (code === undefined ? [] : [[code, name]]))
    expect(goodsOf(await own(`/user/deliveries/${id}`, player.token))).toEqual([
      ['pet', 'thú cưng'],
      ['companion', 'bạn đồng hành'],
    ])
    await rename([
      { kind: 'item', code: 'pet', name: 'rồng con' },
      { kind: 'item', code: 'companion', name: null },
    ])
    const renamed = [
      ['pet', 'rồng con'],
      ['companion', undefined],
    ]
    expect(goodsOf(await own(`/user/deliveries/${id}`, player.token))).toEqual(renamed)
    expect(goodsOf((await own('/user/deliveries', player.token)).data[0])).toEqual(renamed)
    expect(goodsOf(await own(`/operator/deliveries/${id}`, owner))).toEqual(renamed)
    expect((await own('/exchange', player.token)).item_names).toEqual({ pet: 'rồng con' })
    const stored = await portal.db
      .selectFrom('delivery')
      .select('goods')
      .where('id', '=', id)
      .executeTakeFirst()
    expect(stored?.goods).toEqual(
      GIFT_PACKAGES.find((one) => one.id === 49_999)?.items.map(({ good }) => good),
    )
    await rename([
      { kind: 'item', code: 'pet', name: 'thú cưng' },
      { kind: 'item', code: 'companion', name: 'bạn đồng hành' },
    ])
  })

  test('of class and head reaches characters, and each other process without a restart', async () => {
    const { player } = await aBuyer(portal, 0)
    const other = await anotherProcess(portal)
    const readThere = async () => {
      const { body } = await other.app.inject({
        url: '/api/exchange',
        headers: { authorization: `Bearer ${player.token}` },
      })
      return (JSON.parse(body) as { characters: { info: Record<string, unknown> }[] }).characters[0]?.info
    }
    try {
      const before = await readThere()
      const [code, head] = [String(before?.['classId']), String(before?.['head'])]
      // A test before may have renamed it.
      const { name } = await portal.db
        .selectFrom('game_name')
        .select('name')
        .where('kind', '=', 'class')
        .where('code', '=', code)
        .executeTakeFirstOrThrow()
      expect(before).toMatchObject({ headName: null, className: name })
      await rename([
        { kind: 'class', code, name: 'Song kiếm' },
        { kind: 'head', code: head, name: 'Áo xanh' },
      ])
      await eventually(async () => {
        expect(await readThere()).toMatchObject({ headName: 'Áo xanh', className: 'Song kiếm' })
      })
      await rename([{ kind: 'class', code, name: null }])
      const [character] = (await own('/exchange', player.token)).characters
      expect(character.info).toMatchObject({ className: `Trường ${code}`, headName: 'Áo xanh' })
    } finally {
      await other.close()
    }
  })

  test('of a board is that of a ranking group which has its name; a ranking of recharges has no board', async () => {
    const { token } = await aPlayer(portal)
    const group = {
      name: 'Bang',
      has_board_name: true,
      description: '',
      source: 'game',
      board: 'clan',
      value_name: 'Điểm',
      server_id: null,
      position: 1,
      reason: 'Bảng xếp hạng bang hội',
    }
    const create = (change: object) =>
      portal.call('POST', '/api/operator/groups', { token: owner, body: { ...group, ...change } })
    const made = await create({})
    expect(made.status).toBe(201)
    expect(await create({ source: 'recharge', board: null })).toMatchObject({
      status: 422,
      body: { errors: { has_board_name: [expect.any(String)] } },
    })
    expect(await own('/groups', token)).toMatchObject([{ name: 'Bảng xếp hạng clan' }])
    await rename([{ kind: 'board', code: 'clan', name: 'Bang hội' }])
    expect(await own('/groups', token)).toMatchObject([{ name: 'Bang hội' }])
    const change = async (fields: object) => {
      const [present] = (await portal.call('GET', '/api/operator/groups', { token: owner })).body
      const { has_board_name: _, ...before } = group
      return portal.call('PUT', `/api/operator/groups/${present.id}`, {
        token: owner,
        body: { ...before, updated_at: present.updated_at, ...fields },
      })
    }
    // A console of before knows nothing of it.
    expect((await change({ position: 2 })).body).toMatchObject({ has_board_name: true, position: 2 })
    await change({ has_board_name: false })
    expect(await own('/groups', token)).toMatchObject([{ name: 'Bang' }])
  })
})

test('the codes of characters are found by an index, a step for each pair of class and head', async () => {
  const CHARACTERS = 20_000
  const { id } = await aPlayer(portal)
  const planner = await openPlanner(portal)
  try {
    await planner.owner.query('SET session_replication_role = replica')
    await planner.owner
      .query(`INSERT INTO game_character (user_id, id, server_id, name, class_id, head, level)
      SELECT ${id}, 'nhiều ' || n, '1', 'x', n % 7, n % 7 * 4 + 1, 1 FROM generate_series(1, ${CHARACTERS}) n`)
    await planner.owner.query('VACUUM ANALYZE game_character')
    const { nodes } = await planner.plansOf(() => selectUsed(planner.db))
    expect(mostRowsRead(nodes)).toBeLessThan(CHARACTERS / 100)
  } finally {
    await planner.close()
  }
})
