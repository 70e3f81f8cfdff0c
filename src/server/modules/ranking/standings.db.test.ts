import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { importGroups } from './index.ts'
import { refreshRankings } from './refresh.service.ts'

const portal = useTestApp()
let reader: TestPlayer
let groupId: string

beforeAll(async () => {
  reader = await aPlayer(portal)
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [
      { name: 'Phú hộ', description: '', value_name: 'Yên', source: 'game', board: 'yen' },
      { name: 'Riêng Bạch Vân', description: '', value_name: 'Yên', source: 'game', board: 'yen' },
    ]),
  )
  await portal.db
    .updateTable('ranking_groups')
    .set({ server_id: '2' })
    .where('name', '=', 'Riêng Bạch Vân')
    .execute()
  groupId = (await portal.call('GET', '/api/groups', { token: reader.token })).body[0].id
})
beforeEach(() => portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute())

type Told = { account: string; name: string; value: number }

/** The game tells these standings, by server. */
async function told(standings: Readonly<Record<string, readonly Told[]>>): Promise<void> {
  const game: GameBridge = {
    ...portal.deps.game,
    rankings: async (_, { serverId }) =>
      (standings[serverId] ?? []).map((row) => ({ ...row, classId: 1, level: 9 })),
  }
  await refreshRankings({ ...portal.deps, game }, { ageSeconds: 0 })
}

const shown = async (query = '') =>
  portal.call('GET', `/api/groups/${groupId}/entries${query}`, { token: reader.token })

const others = (count: number, first: number): Told[] =>
  Array.from({ length: count }, (_, n) => ({ account: 'ai', name: `n${n + 1}`, value: first - 2 * n }))

test('one server is shown by itself, with its own ranks and the player’s best place on it', async () => {
  const mine = (name: string, value: number) => ({ account: reader.username, name, value })
  await told({
    '1': [...others(120, 1_000), mine('toiba', 951)],
    '2': [...others(120, 999), mine('toihai', 2), mine('toinhat', 3)],
  })
  const { rows, mine: own } = (await shown('?server=2')).body
  expect(rows.map(({ rank, name }: { rank: number; name: string }) => `${rank} ${name}`)).toEqual(
    Array.from({ length: 100 }, (_, n) => `${n + 1} n${n + 1}`),
  )
  expect(new Set(rows.map(({ server_id }: { server_id: string }) => server_id))).toEqual(new Set(['2']))
  expect(own).toMatchObject({ rank: 121, name: 'toinhat', is_mine: true })
  expect((await shown('?server=1')).body.mine).toMatchObject({ rank: 26, name: 'toiba' })
  expect((await shown()).body.mine).toMatchObject({ rank: 51, name: 'toiba' })
  expect((await shown('?server=khongco')).body).toEqual({ updated_at: expect.any(String), rows: [] })
  expect((await shown(`?server=${encodeURIComponent("1' OR '1'='1")}`)).status).toBe(422)
})

test('the portraits of the first three and of the player are shown where their characters are known', async () => {
  const champion = await aPlayer(portal)
  const known = (player: TestPlayer, name: string, head: number) =>
    asOwner(
      portal,
      `INSERT INTO game_character (user_id, id, server_id, name, head, class_id, level)
       VALUES ($1, $2, '1', $2, $3, 1, 9)`,
      [player.id, name, head],
    )
  const names = ['nhat', 'nhi', 'ba', 'tu', 'nam']
  for (const [place, name] of names.entries()) await known(champion, name, 5 + place)
  await known(reader, 'chinhtoi', 20)
  await told({
    '1': [
      ...names.map((name, place) => ({ account: champion.username, name, value: 90 - place })),
      { account: 'khongai', name: 'nguoila', value: 50 },
      { account: reader.username, name: 'chinhtoi', value: 8 },
    ],
  })
  const heads = (await shown()).body.rows.map(({ head }: { head: number | null }) => head)
  expect(heads).toEqual([5, 6, 7, null, null, null, 20])
})

test('a group that is about one server says so', async () => {
  const { body } = await portal.call('GET', '/api/groups', { token: reader.token })
  expect(body.map(({ server_id }: { server_id: string | null }) => server_id)).toEqual([null, '2'])
})
