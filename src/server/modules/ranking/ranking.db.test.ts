import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { banPlayer } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { ANY_AGE } from '#tests/support/timing.ts'
import type { ImportedGroup } from './groups.service.ts'
import { importGroups } from './index.ts'
import { refreshRankings, type RankingDeps } from './refresh.service.ts'

const portal = useTestApp()
let deps: RankingDeps
let reader: TestPlayer

const GROUPS: ImportedGroup[] = [
  { name: 'Cao thủ', description: 'Cấp cao nhất', value_name: 'Cấp', source: 'game', board: 'level' },
  { name: 'Phú hộ', description: 'Nhiều yên nhất', value_name: 'Yên', source: 'game', board: 'yen' },
  { name: 'Đại gia', description: 'Nhiều lượng nhất', value_name: 'Lượng', source: 'game', board: 'luong' },
  { name: 'Đua nạp', description: 'Nạp nhiều nhất tháng', value_name: 'TCoin', source: 'recharge' },
]

beforeAll(async () => {
  deps = portal.deps
  reader = await aPlayer(portal, { username: 'docgia01' })
  await inTransaction(portal.db, (tx) => importGroups(tx, GROUPS))
})
beforeEach(async () => {
  await portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute()
  // Every test has the game's world to itself.
  await asOwner(portal, 'TRUNCATE game.charges, game.items, game.characters', [])
})

const refreshNow = (with_: RankingDeps = deps) => refreshRankings(with_, ANY_AGE)

async function groupId(name: string): Promise<string> {
  const { body } = await portal.call('GET', '/api/groups', { token: reader.token })
  return body.find((group: { name: string }) => group.name === name).id
}

const entriesOf = async (name: string, token = reader.token) =>
  (await portal.call('GET', `/api/groups/${await groupId(name)}/entries`, { token })).body

async function aCharacter(
  of: { account: string; name: string; serverId?: string } & Record<string, unknown>,
) {
  await portal.db
    .insertInto('game.characters')
    .values({
      account: of.account,
      name: of.name,
      server_id: of.serverId ?? '1',
      head: 1,
      class_id: Number(of.classId ?? 1),
      level: Number(of.level ?? 1),
      yen: Number(of.yen ?? 0),
      luong: Number(of.luong ?? 0),
    })
    .execute()
}

/** Wants to be shown in the rankings of recharges, and has recharged, without the bank's papers. */
async function recharge(player: TestPlayer, amount: number, nickname: string): Promise<void> {
  const body = { nickname }
  expect((await portal.call('PUT', '/api/user/ranking-name', { token: player.token, body })).status).toBe(200)
  await inTransaction(portal.db, (tx) =>
    postTransfer(tx, {
      kind: 'recharge',
      debit: HOUSE.recharge,
      credit: player.walletId,
      amount,
      source: { type: 'test', id: `xep-hang-${nickname}` },
    }),
  )
}

describe('GET /groups', () => {
  test('lists the groups in their order, to players only', async () => {
    expect((await portal.call('GET', '/api/groups')).status).toBe(401)
    const { status, body } = await portal.call('GET', '/api/groups', { token: reader.token })
    expect(status).toBe(200)
    expect(body).toEqual(
      GROUPS.map(({ name, source, description, value_name }) => ({
        id: expect.stringMatching(/^\d+$/),
        name,
        source,
        description,
        value_name,
        server_id: null,
        counts: null,
      })),
    )
  })

  test('says what a board counts, where the game says it', async () => {
    const counts = async () => {
      const { body } = await portal.call('GET', '/api/groups', { token: reader.token })
      return body.map((group: { name: string; counts: unknown }) => [group.name, group.counts])
    }
    const silent = GROUPS.map(({ name }) => [name, null])
    expect(await counts()).toEqual(silent)
    const luong = { of: 'account', waiting: true }
    const describe = (description: object | null) =>
      asOwner(
        portal,
        `INSERT INTO game_description (description, tells_collection, read_at) VALUES ($1, false, now())
         ON CONFLICT (id) DO UPDATE SET description = excluded.description`,
        [description && JSON.stringify(description)],
      )
    await describe({ counts: { luong, clan: luong } })
    expect(await counts()).toEqual(silent.map(([name]) => [name, name === 'Đại gia' ? luong : null]))
    await describe({})
    expect(await counts()).toEqual(silent)
    await describe(null)
    expect(await counts()).toEqual(silent)
  })
})

describe('GET /groups/{id}/entries', () => {
  test('of a group without a snapshot yet is empty and has no time', async () => {
    await portal.db.deleteFrom('ranking_entries').execute()
    await asOwner(portal, 'DELETE FROM ranking_snapshots', [])
    expect(await entriesOf('Cao thủ')).toMatchObject({
      updated_at: null,
      first_day: null,
      classes: [],
      rows: [],
    })
  })

  test.each(['0', '999999', 'x', '-1', '1e3', '9'.repeat(30), "1';--"])(
    'of a group there is not (%s) is not found',
    async (id) => {
      const answer = await portal.call('GET', `/api/groups/${encodeURIComponent(id)}/entries`, {
        token: reader.token,
      })
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    },
  )

  test('needs a session', async () => {
    expect((await portal.call('GET', `/api/groups/${await groupId('Cao thủ')}/entries`)).status).toBe(401)
  })

  test('shows the game’s boards over all servers, the player’s own row marked, and when it was taken', async () => {
    await aCharacter({
      account: 'aido',
      name: 'lonnhat',
      serverId: '2',
      level: 90,
      classId: 4,
      yen: 5,
      luong: 70,
    })
    await aCharacter({
      account: reader.username,
      name: 'cuatoi',
      serverId: '3',
      level: 60,
      classId: 2,
      yen: 9,
    })
    await aCharacter({ account: 'aido', name: 'nhonhat', level: 3, classId: 0, yen: 7, luong: 1 })
    await refreshNow()
    const levels = await entriesOf('Cao thủ')
    const rows = [
      { rank: 1, name: 'lonnhat', server_id: '2', class_id: 4, level: 90, value: 90, is_mine: false },
      { rank: 2, name: 'cuatoi', server_id: '3', class_id: 2, level: 60, value: 60, is_mine: true },
      { rank: 3, name: 'nhonhat', server_id: '1', class_id: 0, level: 3, value: 3, is_mine: false },
    ]
    const names = [
      { class_name: 'Cung', class_short_name: 'Cung' },
      { class_name: 'Phi tiêu', class_short_name: 'Tiêu' },
      { class_name: 'Chưa vào trường', class_short_name: 'Chưa vào' },
    ]
    expect(levels.rows).toEqual(
      rows.map((row, index) => ({
        ...row,
        ...names[index],
        head: null,
        head_name: null,
        previous_rank: null,
      })),
    )
    expect(levels.mine).toEqual(levels.rows[1])
    expect(Math.abs(Date.parse(levels.updated_at) - Date.now())).toBeLessThan(30_000)
    const named = (await Promise.all(['Phú hộ', 'Đại gia'].map((name) => entriesOf(name)))).map(({ rows }) =>
      rows.map((row: { name: string; value: number }) => `${row.name} ${row.value}`),
    )
    expect(named).toEqual([
      ['cuatoi 9', 'nhonhat 7', 'lonnhat 5'],
      ['lonnhat 70', 'nhonhat 1', 'cuatoi 0'],
    ])
  })

  test('shows 100 rows, and the player’s best one at any rank', async () => {
    for (let n = 1; n <= 120; n++) {
      await aCharacter({ account: 'dongnguoi', name: `n${n}`, level: 200 - n, serverId: String(1 + (n % 3)) })
    }
    await aCharacter({ account: reader.username, name: 'toinhat', level: 5 })
    await aCharacter({ account: reader.username, name: 'toihai', level: 4 })
    await refreshNow()
    const { rows, mine } = await entriesOf('Cao thủ')
    expect(rows.map(({ rank }: { rank: number }) => rank)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 1),
    )
    expect(rows.map(({ name }: { name: string }) => name)).toEqual(
      Array.from({ length: 100 }, (_, n) => `n${n + 1}`),
    )
    expect(mine).toMatchObject({ rank: 121, name: 'toinhat', is_mine: true })
    const other = await aPlayer(portal)
    // Their starting characters came after the picture was taken.
    expect((await entriesOf('Cao thủ', other.token)).mine).toBeUndefined()
  })

  test('leaves out operators and banned players, and only those', async () => {
    const support = await anOperator(portal, 'support')
    const operator = { ...support, token: support.playerToken }
    const cheat = await aPlayer(portal)
    const pardoned = await aPlayer(portal)
    const ban = (player: TestPlayer, until: number) =>
      inTransaction(portal.db, (tx) =>
        banPlayer(tx, {
          userId: player.id,
          until: new Date(until),
          reason: 'Gian lận',
          actor: { kind: 'system' },
        }),
      )
    await ban(cheat, Date.now() + 60_000)
    await ban(pardoned, Date.now() - 1_000)
    await asOwner(portal, 'TRUNCATE game.charges, game.items, game.characters', [])
    for (const [index, player] of [operator, cheat, pardoned].entries()) {
      await aCharacter({ account: player.username.toLowerCase(), name: `nv${index}`, level: 90 - index })
      await recharge(player, 100_000 - index, `Đại gia ${index}`)
    }
    await aCharacter({ account: 'khongcotk', name: 'nguoila', level: 1 })
    await refreshNow()
    const names = async (group: string) =>
      (await entriesOf(group)).rows.map(({ rank, name }: { rank: number; name: string }) => `${rank} ${name}`)
    expect(await names('Cao thủ')).toEqual(['1 nv2', '2 nguoila'])
    expect((await entriesOf('Đua nạp', pardoned.token)).mine).toMatchObject({ rank: 1, value: 99_998 })
    for (const { token } of [operator, cheat])
      expect((await entriesOf('Đua nạp', token)).mine).toBeUndefined()
  })

  test('never reveals the account of a character', async () => {
    await aCharacter({ account: 'taikhoanbimat', name: 'anhhung' })
    await refreshNow()
    expect(JSON.stringify(await entriesOf('Cao thủ'))).not.toContain('taikhoanbimat')
  })
})

test('a class is called what operators call it from the next read on, one without a name by its number', async () => {
  const rankings: RankingDeps['game']['rankings'] = async (_, { serverId }) =>
    serverId === '1'
      ? [
          { name: 'quat', classId: 7, level: 70, value: 70, account: 'aido' },
          { name: 'la', classId: -1, level: 60, value: 60, account: 'aido' },
        ]
      : []
  await refreshNow({ ...deps, game: { ...deps.game, rankings } })
  const classNames = async () =>
    (await entriesOf('Cao thủ')).rows.map(({ class_name, class_short_name }: Record<string, unknown>) => [
      class_name,
      class_short_name,
    ])
  expect(await classNames()).toEqual([
    ['Trường 7', 'Trường 7'],
    [null, null],
  ])
  const { token } = await anOperator(portal, 'owner')
  const fan = { kind: 'class', code: '7', name: 'Quạt giấy', short_name: 'Quạt', updated_at: null }
  const body = { names: [fan], reason: 'Trường mới của game' }
  expect((await portal.call('PUT', '/api/operator/game-names', { token, body })).status).toBe(200)
  expect((await classNames())[0]).toEqual(['Quạt giấy', 'Quạt'])
})
