import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { aPlayer } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'
import { importGroups, startRankingJobs } from './index.ts'
import { refreshRankings, type RankingDeps } from './refresh.service.ts'

const portal = useTestApp()
let token: string
let levels: string

beforeAll(async () => {
  token = (await aPlayer(portal)).token
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [
      { name: 'Cao thủ', description: '', value_name: 'Cấp', source: 'game', board: 'level' },
      { name: 'Phú hộ', description: '', value_name: 'Yên', source: 'game', board: 'yen' },
    ]),
  )
  levels = (await portal.call('GET', '/api/groups', { token })).body[0].id
})
beforeEach(() => portal.db.updateTable('ranking_groups').set({ claimed_until: null }).execute())

/** The world as one row on each board and server, for as long as `answer` lets it. */
function aGame(answer: (board: string, serverId: string) => Promise<number>): RankingDeps {
  const game: GameBridge = {
    ...portal.deps.game,
    rankings: async (board, { serverId }) => [
      {
        name: `${board}${serverId}`,
        classId: 1,
        level: 1,
        account: 'ai',
        value: await answer(board, serverId),
      },
    ],
  }
  return { ...portal.deps, game }
}

const shown = async (id = levels) => {
  const { body } = await portal.call('GET', `/api/groups/${id}/entries`, { token })
  return body.rows.map(({ value }: { value: number }) => value)
}

const now = { ageSeconds: 0 }

test('a new picture takes the old one’s place as a whole', async () => {
  await refreshRankings(
    aGame(async () => 10),
    now,
  )
  expect(await shown()).toEqual([10, 10, 10])
  await refreshRankings(
    aGame(async (_, serverId) => Number(serverId)),
    now,
  )
  expect(await shown()).toEqual([3, 2, 1])
  const { n } = await portal.db
    .selectFrom('ranking_entries')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  expect(Number(n)).toBe(6)
})

test('a picture that is new enough is left alone', async () => {
  await refreshRankings(
    aGame(async () => 20),
    now,
  )
  let asked = 0
  await refreshRankings(aGame(async () => ++asked))
  expect(asked).toBe(0)
  expect(await shown()).toEqual([20, 20, 20])
})

test('a game that does not answer costs nothing but freshness, and no other group', async () => {
  await refreshRankings(
    aGame(async () => 30),
    now,
  )
  const halfDead = aGame(async (board, serverId) => {
    if (board === 'level' && serverId === '2') throw new Error('không trả lời')
    return 31
  })
  await refreshRankings(halfDead, now)
  expect(await shown()).toEqual([30, 30, 30])
  expect(await shown(String(Number(levels) + 1))).toEqual([31, 31, 31])
  expect(portal.logged()).toContain('a ranking could not be refreshed')
  // Until its claim is over the group is not tried again: a sick game is asked once in two minutes, not at every look.
  let asked = 0
  await refreshRankings(
    aGame(async (board) => {
      if (board === 'level') asked++
      return 32
    }),
    now,
  )
  expect(asked).toBe(0)
  await portal.db
    .updateTable('ranking_groups')
    .set({ claimed_until: new Date(Date.now() - 1) })
    .execute()
  await refreshRankings(
    aGame(async () => 33),
    now,
  )
  expect(await shown()).toEqual([33, 33, 33])
})

test('workers that look at once take each picture once', async () => {
  const asked: string[] = []
  const deps = aGame(async (board, serverId) => {
    asked.push(`${board}${serverId}`)
    return 40
  })
  await Promise.all(Array.from({ length: 8 }, () => refreshRankings(deps, now)))
  expect(asked.toSorted()).toEqual(['level1', 'level2', 'level3', 'yen1', 'yen2', 'yen3'])
})

test('who reads while pictures are replaced always sees a whole one', async () => {
  let round = 50
  await refreshRankings(
    aGame(async () => round),
    now,
  )
  const writing = { isOver: false }
  const reading = (async () => {
    const seen = new Set<string>()
    while (!writing.isOver) seen.add((await shown()).join())
    return seen
  })()
  for (; round < 70; round++) {
    const value = round
    await refreshRankings(
      aGame(async () => value),
      now,
    )
  }
  writing.isOver = true
  for (const rows of await reading) {
    const [first, ...others] = rows.split(',')
    expect(others).toEqual([first, first])
  }
})

test('pages do not wait for the game: they are answered while the game hangs', async () => {
  await refreshRankings(
    aGame(async () => 80),
    now,
  )
  const { promise: never, resolve: wakeUp } = Promise.withResolvers<number>()
  const refreshing = refreshRankings(
    aGame(() => never),
    now,
  )
  // The game answers after them, or nobody ever does.
  expect(await shown()).toEqual([80, 80, 80])
  wakeUp(81)
  await refreshing
})

test('the worker takes the first picture at its start', async () => {
  await portal.db.deleteFrom('ranking_groups').execute()
  await inTransaction(portal.db, (tx) =>
    importGroups(tx, [{ name: 'Mới', description: '', value_name: 'Cấp', source: 'game', board: 'level' }]),
  )
  const loops = startRankingJobs(aGame(async () => 90))
  const [group] = (await portal.call('GET', '/api/groups', { token })).body
  await eventually(async () => expect(await shown(group.id)).toEqual([90, 90, 90]))
  await Promise.all(loops.map((loop) => loop.stop()))
})
