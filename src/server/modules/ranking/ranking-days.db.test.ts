import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GameBridge, RankingRow } from '#server/modules/game-bridge/index.ts'
import { banPlayer } from '#server/modules/traders/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { ANY_AGE } from '#tests/support/timing.ts'
import { importGroups, startRankingJobs } from './index.ts'
import { claimDueGroup, listDueGroups, replaceSnapshot } from './refresh.queries.ts'
import { refreshRankings } from './refresh.service.ts'

const portal = useTestApp()
let reader: TestPlayer
let groupId: string

beforeAll(async () => {
  reader = await aPlayer(portal)
})
beforeEach(async () => {
  await portal.db.deleteFrom('ranking_groups').execute()
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [
      { name: 'Cao thủ', description: '', value_name: 'Cấp', source: 'game', board: 'level' },
    ]),
  )
  groupId = (await portal.call('GET', '/api/groups', { token: reader.token })).body[0].id
})

type Asked = Parameters<GameBridge['rankings']>[1]

/** A game with these boards, by server, that answers in pages. */
function aGame(
  boards: Readonly<Record<string, readonly Partial<RankingRow>[]>>,
  asked: Asked[] = [],
): GameBridge {
  return {
    ...portal.deps.game,
    rankings: async (_, query) => {
      asked.push(query)
      const { serverId, limit, offset = 0 } = query
      return (boards[serverId] ?? [])
        .slice(offset, offset + limit)
        .map((row) => ({ name: 'ai', classId: 1, level: 1, value: 1, account: 'ai', ...row }))
    },
  }
}

const refresh = (game: GameBridge) => refreshRankings({ ...portal.deps, game }, ANY_AGE)

/** What was read so far becomes what was read some days ago. */
const daysPass = (days: number) =>
  portal.db
    .updateTable('ranking_snapshots')
    .set({ taken_at: sql`taken_at - make_interval(days => ${days})` })
    .execute()

const entries = async (query = '', token = reader.token) =>
  (await portal.call('GET', `/api/groups/${groupId}/entries${query}`, { token })).body

type Row = { rank: number; name: string; previous_rank: number | null }

const ranks = async (query = '') =>
  (await entries(query)).rows.map(({ rank, name, previous_rank }: Row) => `${rank} ${name} ${previous_rank}`)

const today = () => vietnamDay(new Date())
const daysAgo = (days: number) => vietnamDay(new Date(Date.now() - days * 86_400_000))

describe('the order', () => {
  test('is by value, of equals by level and then by name, and does not depend on how the game answers', async () => {
    const rows = [
      { name: 'muc', value: 5 },
      { name: 'an', value: 5 },
      { name: 'binh', value: 9 },
      { name: 'manh', value: 5, level: 40 },
    ]
    const expected = ['1 binh null', '2 manh null', '3 an null', '4 muc null']
    await refresh(aGame({ '1': rows }))
    expect(await ranks()).toEqual(expected)
    await refresh(aGame({ '1': rows.toReversed() }))
    expect(await ranks()).toEqual(expected)
  })
})

describe('a class', () => {
  const BOARDS = {
    '1': [
      { name: 'kiem1', classId: 1, value: 90 },
      { name: 'dao1', classId: 5, value: 80 },
      { name: 'kiem2', classId: 1, value: 70 },
    ],
    '2': [{ name: 'kiem3', classId: 1, value: 75 }],
  }

  test('is ranked by itself, on all servers and on one', async () => {
    await refresh(aGame(BOARDS))
    expect(await ranks('?class=1')).toEqual(['1 kiem1 null', '2 kiem3 null', '3 kiem2 null'])
    expect(await ranks('?class=1&server=1')).toEqual(['1 kiem1 null', '2 kiem2 null'])
    expect(await ranks('?class=6')).toEqual([])
    expect((await entries()).classes).toEqual([
      { id: 1, name: 'Kiếm' },
      { id: 5, name: 'Đao' },
    ])
  })

  test.each([
    ['?class=kiem', 'class'],
    ['?class=-1', 'class'],
    ['?day=2026-02-30', 'day'],
    ['?day=hom-qua', 'day'],
  ])('or day that is none is refused beside its name: %s', async (query, field) => {
    const { status, body } = await portal.call('GET', `/api/groups/${groupId}/entries${query}`, {
      token: reader.token,
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })
})

describe('the days', () => {
  test('are stored at the end of each, and ranks are compared with those of the day before', async () => {
    const mine = { account: reader.username, name: 'cuatoi' }
    await refresh(
      aGame({
        '1': [
          { name: 'nhat', value: 9 },
          { name: 'nhi', value: 8, classId: 2 },
          { ...mine, value: 3 },
        ],
      }),
    )
    expect(await entries()).toMatchObject({ first_day: null, has_previous: false })
    await daysPass(1)
    await refresh(
      aGame({
        '1': [
          { name: 'nhi', value: 11, classId: 2 },
          { name: 'moi', value: 10 },
          { name: 'nhat', value: 9 },
          { ...mine, value: 12 },
        ],
      }),
    )
    expect(await entries()).toMatchObject({ first_day: daysAgo(1), has_previous: true })
    expect(await ranks()).toEqual(['1 cuatoi 3', '2 nhi 2', '3 moi null', '4 nhat 1'])
    expect(await ranks('?class=2')).toEqual(['1 nhi 1'])
    const before = await entries(`?day=${daysAgo(1)}`)
    expect(before).toMatchObject({
      has_previous: false,
      mine: { rank: 3, name: 'cuatoi' },
      own: { state: 'ranked' },
    })
    expect(before.rows.map(({ name }: Row) => name)).toEqual(['nhat', 'nhi', 'cuatoi'])
    expect(vietnamDay(new Date(before.updated_at))).toBe(daysAgo(1))
    expect(await ranks(`?day=${daysAgo(1)}&class=1`)).toEqual(['1 nhat null', '2 cuatoi null'])
    // Read again on the same day: yesterday stays as it was.
    await refresh(aGame({ '1': [{ name: 'nhat', value: 99 }] }))
    expect((await entries(`?day=${daysAgo(1)}`)).rows).toHaveLength(3)
    expect(await entries(`?day=${today()}`)).toMatchObject({ updated_at: null, rows: [] })
  })

  test('on which nothing was read have no ranking, and the day after has nothing to compare with', async () => {
    await refresh(aGame({ '1': [{ name: 'nhat' }] }))
    await daysPass(3)
    await refresh(aGame({ '1': [{ name: 'nhat' }] }))
    expect(await entries()).toMatchObject({ first_day: daysAgo(3), has_previous: false })
    expect(await entries(`?day=${daysAgo(2)}`)).toMatchObject({
      updated_at: null,
      rows: [],
      own: { state: 'none' },
    })
  })

  test('have the rows that a page can show, of each server and class', async () => {
    const many = (prefix: string, classId: number) =>
      Array.from({ length: 130 }, (_, n) => ({ name: `${prefix}${n}`, classId, value: 1_000 - n }))
    await refresh(aGame({ '1': many('k', 1), '2': [...many('c', 4), ...many('d', 5)] }))
    await daysPass(1)
    await refresh(aGame({ '1': many('k', 1) }))
    for (const part of ['', '&server=1', '&server=2', '&class=5', '&server=2&class=4'])
      expect((await entries(`?day=${daysAgo(1)}${part}`)).rows).toHaveLength(100)
    const { rows } = await sql`SELECT FROM ranking_day_entries`.execute(portal.db)
    expect(rows).toHaveLength(300)
  })

  test('are removed after 90 of them', async () => {
    await refresh(aGame({ '1': [{ name: 'nhat' }] }))
    await daysPass(1)
    await refresh(aGame({ '1': [{ name: 'nhat' }] }))
    await asOwner(
      portal,
      `INSERT INTO ranking_days SELECT group_id, day - n, taken_at, class_ids
         FROM ranking_days, generate_series(1, 130) n`,
      [],
    )
    const loops = startRankingJobs({ ...portal.deps, game: aGame({}) })
    await expect.poll(async () => (await entries()).first_day).toBe(daysAgo(90))
    await Promise.all(loops.map((loop) => loop.stop()))
  })

  test('of another board go with it, and what is being read of the old one is not stored', async () => {
    const { token } = await anOperator(portal, 'owner')
    await refresh(aGame({ '1': [{ name: 'cu' }] }))
    await daysPass(1)
    await refresh(aGame({ '1': [{ name: 'cu' }] }))
    const change = async (fields: object) => {
      const [{ id, ...group }] = (await portal.call('GET', '/api/operator/groups', { token })).body
      const body = { ...group, ...fields, reason: 'Đổi bảng của nhóm' }
      return (await portal.call('PUT', `/api/operator/groups/${id}`, { token, body })).status
    }
    const statuses: number[] = []
    const boards = { level: aGame({ '1': [{ name: 'cu' }] }), yen: aGame({ '1': [{ name: 'moi' }] }) }
    await refresh({
      ...portal.deps.game,
      rankings: async (board, query) => {
        if (board === 'level' && query.serverId === '1') statuses.push(await change({ board: 'yen' }))
        return boards[board as 'level' | 'yen'].rankings(board, query)
      },
    })
    expect(statuses).toEqual([200])
    expect((await entries()).first_day).toBeNull()
    expect(await ranks()).toEqual(['1 moi null'])
    expect(await change({ name: 'Phú hộ', position: 3 })).toBe(200)
    expect(await ranks()).toEqual(['1 moi null'])
  })
})

describe('who is banned, or made an operator, after the ranking was read', () => {
  test('is shown no more, now and on earlier days', async () => {
    const [cheat, hired] = [await aPlayer(portal), await aPlayer(portal)]
    const rows = [
      { name: 'nhat', account: cheat.username, value: 9 },
      { name: 'nhi', account: hired.username, value: 8 },
      { name: 'ba', value: 7 },
    ]
    await refresh(aGame({ '1': rows }))
    await daysPass(1)
    await refresh(aGame({ '1': rows }))
    expect((await entries('', cheat.token)).mine).toMatchObject({ rank: 1 })
    const until = new Date(Date.now() + 60_000)
    await inTransaction(portal.db, (tx) =>
      banPlayer(tx, { userId: cheat.id, until, reason: 'Gian lận', actor: { kind: 'system' } }),
    )
    await portal.db.insertInto('user_roles').values({ user_id: hired.id, role: 'support' }).execute()
    for (const query of ['', `?day=${daysAgo(1)}`, '?class=1'])
      expect((await entries(query)).rows.map(({ name }: Row) => name)).toEqual(['ba'])
    expect((await entries('', cheat.token)).own).toEqual({ state: 'excluded', character: null })
  })
})

describe('a player without a place', () => {
  test('sees their strongest character of the server and class that are shown', async () => {
    const player = await aPlayer(portal)
    await portal.db.deleteFrom('game_character').where('user_id', '=', player.id).execute()
    await asOwner(
      portal,
      `INSERT INTO game_character (user_id, id, server_id, name, head, class_id, level)
       VALUES ($1, 'a', '1', 'yeu', 1, 5, 3), ($1, 'b', '2', 'manh', 9, 1, 77)`,
      [player.id],
    )
    await refresh(aGame({ '1': [{ name: 'nhat' }] }))
    const own = async (query = '') => (await entries(query, player.token)).own
    expect(await own()).toMatchObject({
      state: 'beyond',
      character: { name: 'manh', class_name: 'Kiếm', level: 77 },
    })
    expect(await own('?server=1')).toMatchObject({ state: 'beyond', character: { name: 'yeu' } })
    expect(await own('?class=1&server=1')).toEqual({ state: 'none', character: null })
    expect(await own(`?day=${daysAgo(1)}`)).toEqual({ state: 'none', character: null })
  })
})

describe('the pages of the game', () => {
  const many = (count: number, prefix = 'n') =>
    Array.from({ length: count }, (_, n) => ({ name: `${prefix}${n}`, value: 10_000 - n }))

  test('are read one after the other, to the 5,000th place of each server and no further', async () => {
    const asked: Asked[] = []
    await refresh(aGame({ '1': many(7_000), '2': many(1_500, 'm') }, asked))
    const of = (serverId: string) => asked.filter((one) => one.serverId === serverId)
    expect(of('1').map(({ offset }) => offset)).toEqual([0, 1_000, 2_000, 3_000, 4_000])
    expect(of('2').map(({ offset }) => offset)).toEqual([0, 1_000])
    expect(asked.every(({ limit }) => limit === 1_000)).toBe(true)
    const { rows } = await sql<{ server_id: string; most: number }>`
      SELECT server_id, max(server_rank) AS most FROM ranking_entries GROUP BY 1 ORDER BY 1`.execute(
      portal.db,
    )
    expect(rows).toEqual([
      { server_id: '1', most: 5_000 },
      { server_id: '2', most: 1_500 },
    ])
    expect((await sql`SELECT FROM ranking_staging`.execute(portal.db)).rows).toEqual([])
  })

  test('of a game that does not know them are one', async () => {
    const asked: Asked[] = []
    const game = aGame({ '1': many(7_000) }, asked)
    await refresh({
      ...game,
      rankings: (board, { serverId, limit }) => game.rankings(board, { serverId, limit }),
    })
    expect(asked.filter(({ serverId }) => serverId === '1')).toHaveLength(2)
    expect((await sql`SELECT FROM ranking_entries`.execute(portal.db)).rows).toHaveLength(1_000)
  })

  test('may overlap when somebody rises between two of them', async () => {
    const game = aGame({ '1': many(1_500) })
    await refresh({
      ...game,
      rankings: (board, query) =>
        game.rankings(board, query.offset ? { ...query, offset: query.offset - 1 } : query),
    })
    expect((await sql`SELECT FROM ranking_entries`.execute(portal.db)).rows).toHaveLength(1_500)
  })

  test('that are read too slowly are left to whoever claimed the group meanwhile', async () => {
    const slow = aGame({ '1': [{ name: 'cu' }] })
    let isFirst = true
    await refresh({
      ...slow,
      rankings: async (board, query) => {
        if (isFirst) {
          isFirst = false
          // As if the claim had ended: another worker takes the group and is done with it.
          await portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute()
          await refresh(aGame({ '1': [{ name: 'moi' }] }))
        }
        return slow.rankings(board, query)
      },
    })
    expect(await ranks()).toEqual(['1 moi null'])
    expect((await sql`SELECT FROM ranking_staging`.execute(portal.db)).rows).toEqual([])
  })

  test('are stored by no worker whose claim ended after the last of them', async () => {
    await refresh(aGame({ '1': [{ name: 'truoc' }] }))
    const claim = async () => {
      await portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute()
      const due = { takenBefore: new Date(Date.now() + 60_000), claimSeconds: 60, limit: 1 }
      const [id] = await listDueGroups(portal.db, () => sql<boolean>`false`, due)
      return (await claimDueGroup(portal.db, id!, due))!
    }
    const [late, next] = [await claim(), await claim()]
    const store = (group: typeof late) => inTransaction(portal.db, (tx) => replaceSnapshot(tx, group, 100))
    expect(await store(late)).toBe(false)
    expect(await ranks()).toEqual(['1 truoc null'])
    expect(await store(next)).toBe(true)
    expect(await ranks()).toEqual([])
  })

  test('that were read before a failure are not taken for the whole', async () => {
    await refresh(aGame({ '1': [{ name: 'truoc' }] }))
    const game = aGame({ '1': many(3_000) })
    await refresh({
      ...game,
      rankings: (board, query) =>
        query.offset === 2_000 ? Promise.reject(new Error('không trả lời')) : game.rankings(board, query),
    })
    expect(await ranks()).toEqual(['1 truoc null'])
    await portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute()
    await refresh(aGame({ '1': [{ name: 'sau' }] }))
    expect(await ranks()).toEqual(['1 sau null'])
    expect(await portal.db.selectFrom('ranking_staging').select('name').execute()).toEqual([])
  })
})
