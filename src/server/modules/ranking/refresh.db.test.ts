import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { useTestApp } from '#tests/support/app.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { useOperators, usePlanner } from '#tests/support/fixtures.ts'
import { mostRowsRead } from '#tests/support/plans.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'
import { ANY_AGE } from '#tests/support/timing.ts'
import { importGroups, startRankingJobs } from './index.ts'
import { refreshRankings, type RankingDeps } from './refresh.service.ts'
import { selectRanking } from './ranking.queries.ts'

const portal = useTestApp()

describe('a refresh', () => {
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

  /** Every snapshot is older than this moment, also one that was taken within the same millisecond. */
  async function refresh(deps: RankingDeps): Promise<void> {
    await portal.db
      .updateTable('ranking_snapshots')
      .set({ taken_at: sql`taken_at - interval '1 minute'` })
      .execute()
    await refreshRankings(deps, ANY_AGE)
  }

  test('a new picture takes the old one’s place as a whole', async () => {
    await refresh(aGame(async () => 10))
    expect(await shown()).toEqual([10, 10, 10])
    await refresh(aGame(async (_, serverId) => Number(serverId)))
    expect(await shown()).toEqual([3, 2, 1])
    const { n } = await portal.db
      .selectFrom('ranking_entries')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(6)
  })

  test('a picture that is new enough is left alone', async () => {
    await refresh(aGame(async () => 20))
    let calls = 0
    await refreshRankings(aGame(async () => ++calls))
    expect(calls).toBe(0)
    expect(await shown()).toEqual([20, 20, 20])
  })

  test('a game that does not answer costs nothing but freshness, and no other group', async () => {
    await refresh(aGame(async () => 30))
    const halfDead = aGame(async (board, serverId) => {
      if (board === 'level' && serverId === '2') throw new Error('không trả lời')
      return 31
    })
    await refresh(halfDead)
    expect(await shown()).toEqual([30, 30, 30])
    expect(await shown(String(Number(levels) + 1))).toEqual([31, 31, 31])
    expect(portal.logged()).toContain('a ranking could not be refreshed')
    // Until its claim is over the group is not tried again: a failing game is called once in two minutes, not at every round.
    let calls = 0
    await refresh(
      aGame(async (board) => {
        if (board === 'level') calls++
        return 32
      }),
    )
    expect(calls).toBe(0)
    await portal.db
      .updateTable('ranking_groups')
      .set({ claimed_until: new Date(Date.now() - 1) })
      .execute()
    await refresh(aGame(async () => 33))
    expect(await shown()).toEqual([33, 33, 33])
  })

  test('workers at the same moment take each snapshot once', async () => {
    const calls: string[] = []
    const deps = aGame(async (board, serverId) => {
      calls.push(`${board}${serverId}`)
      return 40
    })
    await sql`UPDATE ranking_snapshots SET taken_at = to_timestamp(0)`.execute(portal.db)
    await Promise.all(Array.from({ length: 8 }, () => refreshRankings(deps)))
    expect(calls.toSorted()).toEqual(['level1', 'level2', 'level3', 'yen1', 'yen2', 'yen3'])
  })

  test('who reads while pictures are replaced always sees a whole one', async () => {
    let round = 50
    await refresh(aGame(async () => round))
    const writing = { isOver: false }
    const reading = (async () => {
      const shownToPlayers = new Set<string>()
      while (!writing.isOver) shownToPlayers.add((await shown()).join())
      return shownToPlayers
    })()
    for (; round < 70; round++) {
      const value = round
      await refresh(aGame(async () => value))
    }
    writing.isOver = true
    for (const rows of await reading) {
      const [first, ...others] = rows.split(',')
      expect(others).toEqual([first, first])
    }
  })

  test('pages do not wait for the game: they are answered while the game hangs', async () => {
    await refresh(aGame(async () => 80))
    const { promise: never, resolve: wakeUp } = Promise.withResolvers<number>()
    const refreshing = refresh(aGame(() => never))
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
})

describe('groups', () => {
  const { owner } = useOperators(portal, { owner: 'owner' })
  beforeAll(async () => {
    await portal.db.deleteFrom('ranking_groups').execute()
  })

  type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
  const act = (method: Method, path: string, body?: object) =>
    portal.call(method, `/api/operator/groups${path}`, {
      token: owner.token,
      ...(body && { body: { reason: 'Nhóm mới', ...body } }),
    })
  const shownToPlayers = async () =>
    (await portal.call('GET', '/api/groups', { token: owner.playerToken })).body as { name: string }[]

  const GROUP = {
    name: 'Cao thủ',
    description: 'Cấp cao nhất',
    source: 'game',
    board: 'level',
    value_name: 'Cấp',
    server_id: null,
    position: 1,
  }

  const RECHARGE = { source: 'recharge', board: null }

  test('recharges have a period, which a program that does not know it leaves as it is', async () => {
    const dates = { recharge_period: 'dates', starts_on: '2026-11-01', ends_on: '2027-11-02' }
    const made = await act('POST', '', { ...GROUP, ...RECHARGE, ...dates })
    expect(made).toMatchObject({ status: 201, body: dates })
    const { id, updated_at } = made.body
    const renamed = await act('PUT', `/${id}`, { ...GROUP, ...RECHARGE, name: 'Đua nạp', updated_at })
    expect(renamed).toMatchObject({ status: 200, body: { ...dates, name: 'Đua nạp' } })
    const board = await act('PUT', `/${id}`, { ...GROUP, updated_at: renamed.body.updated_at })
    expect(board.body).toMatchObject({ recharge_period: 'month', starts_on: null, ends_on: null })
    expect((await act('DELETE', `/${id}`, {})).status).toBe(200)
  })

  test('a live installation begins without any', async () => {
    expect((await act('GET', '')).body).toEqual([])
  })

  test('a group is added, changed and removed, as players see at once; another board is read again', async () => {
    const made = await act('POST', '', GROUP)
    expect(made).toMatchObject({ status: 201, body: { ...GROUP, taken_at: null } })
    expect(await shownToPlayers()).toMatchObject([{ name: 'Cao thủ' }])
    await refreshRankings(portal.deps)
    const [read] = (await act('GET', '')).body
    expect(read.taken_at).not.toBeNull()
    const { id, updated_at } = made.body
    const changed = await act('PUT', `/${id}`, { ...GROUP, name: 'Phú hộ', board: 'yen', updated_at })
    expect(changed.body).toMatchObject({ name: 'Phú hộ', board: 'yen' })
    await refreshRankings(portal.deps)
    const [again] = (await act('GET', '')).body
    expect(Date.parse(again.taken_at)).toBeGreaterThan(Date.parse(read.taken_at))
    const late = await act('PUT', `/${id}`, { ...GROUP, updated_at })
    expect(late).toMatchObject({ status: 409, body: { present: { name: 'Phú hộ' } } })
    expect((await act('DELETE', `/${id}`, {})).status).toBe(200)
    expect(await shownToPlayers()).toEqual([])
    expect((await act('DELETE', `/${id}`, {})).status).toBe(404)
  })

  test.each([
    [{ board: null }, 'board'],
    [{ source: 'recharge' }, 'board'],
    [{ source: 'recharge', board: null, server_id: '1' }, 'server_id'],
    [{ server_id: 'khong-co' }, 'server_id'],
    [{ name: '' }, 'name'],
    [{ board: 'Có dấu' }, 'board'],
    [{ recharge_period: 'week' }, 'recharge_period'],
    [{ ...RECHARGE, recharge_period: 'year' }, 'recharge_period'],
    [{ ...RECHARGE, recharge_period: 'dates', ends_on: '2026-11-30' }, 'starts_on'],
    [{ ...RECHARGE, recharge_period: 'dates', starts_on: '2026-11-30' }, 'ends_on'],
    [{ ...RECHARGE, recharge_period: 'dates', starts_on: '2026-11-30', ends_on: '2026-11-29' }, 'ends_on'],
    [{ ...RECHARGE, recharge_period: 'dates', starts_on: '2026-01-01', ends_on: '2027-01-03' }, 'ends_on'],
    [{ ...RECHARGE, recharge_period: 'dates', starts_on: '2026-02-30', ends_on: '2026-11-29' }, 'starts_on'],
    [{ ...RECHARGE, recharge_period: 'month', starts_on: '2026-11-01' }, 'starts_on'],
    [{ ...RECHARGE, recharge_period: 'week', ends_on: '2026-11-01' }, 'ends_on'],
  ])('%o is refused beside %s', async (wrong, field) => {
    const answer = await act('POST', '', { ...GROUP, ...wrong })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toHaveProperty(field)
  })
})

describe('rankings', () => {
  let reader: TestPlayer
  let groupId: string

  beforeAll(async () => {
    await portal.db.deleteFrom('ranking_groups').execute()
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

  type Ranking = { account: string; name: string; value: number }

  /** The game answers with these rankings, by server. */
  async function answerWith(rankings: Readonly<Record<string, readonly Ranking[]>>): Promise<void> {
    const game: GameBridge = {
      ...portal.deps.game,
      rankings: async (_, { serverId }) =>
        (rankings[serverId] ?? []).map((row) => ({ ...row, classId: 1, level: 9 })),
    }
    await refreshRankings({ ...portal.deps, game }, ANY_AGE)
  }

  const shown = async (query = '') =>
    portal.call('GET', `/api/groups/${groupId}/entries${query}`, { token: reader.token })

  const others = (count: number, first: number): Ranking[] =>
    Array.from({ length: count }, (_, n) => ({ account: 'ai', name: `n${n + 1}`, value: first - 2 * n }))

  test('one server is shown by itself, with its own ranks and the player’s best place on it', async () => {
    const mine = (name: string, value: number) => ({ account: reader.username, name, value })
    await answerWith({
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
    expect((await shown('?server=khongco')).body).toMatchObject({ updated_at: expect.any(String), rows: [] })
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
    await answerWith({
      '1': [
        ...names.map((name, place) => ({ account: champion.username, name, value: 90 - place })),
        { account: 'khongai', name: 'nguoila', value: 50 },
        { account: reader.username, name: 'chinhtoi', value: 8 },
      ],
    })
    const heads = (await shown()).body.rows.map(({ head }: { head: number | null }) => head)
    expect(heads).toEqual([5, 6, 7, null, null, null, 20])
  })

  test('a group of one server names it', async () => {
    const { body } = await portal.call('GET', '/api/groups', { token: reader.token })
    expect(body.map(({ server_id }: { server_id: string | null }) => server_id)).toEqual([null, '2'])
  })
})

describe('plans', () => {
  const planner = usePlanner(
    portal,
    `SET session_replication_role = replica;
     INSERT INTO users (id, username, password_hash, server_id, wallet_account_id) OVERRIDING SYSTEM VALUE
       SELECT 1000000 + n, 'hang' || n, '-', '1', 90000000 + n FROM generate_series(1, 20000) n;
     INSERT INTO ranking_nickname (user_id, nickname, nickname_key)
       SELECT id, username, username FROM users WHERE id > 1000000;
     SET session_replication_role = DEFAULT;
     DELETE FROM ranking_groups;
     INSERT INTO ranking_groups (name, source, board, value_name)
       SELECT 'Bảng ' || n, 'game', 'level', 'Cấp' FROM generate_series(1, 5) n;
     INSERT INTO ranking_snapshots SELECT id, now() FROM ranking_groups WHERE name LIKE 'Bảng %';
     INSERT INTO ranking_entries (group_id, rank, user_id, server_id, name, value, class_id, level, server_rank, class_rank, server_class_rank)
       SELECT group_id, n, 1000000 + n, n % 3, 'n' || n, 20000 - n, n % 7, 9, n / 3 + 1, n / 7 + 1, n / 21 + 1
         FROM ranking_snapshots, generate_series(1, 15000) n;
     INSERT INTO ranking_days SELECT group_id, current_date - d, now(), '{}' FROM ranking_snapshots, generate_series(1, 8) d;
     INSERT INTO ranking_day_entries (group_id, day, rank, user_id, server_id, name, value, class_id, level, server_rank, class_rank, server_class_rank)
       SELECT group_id, day, n, 1000000 + n, n % 3, 'n' || n, 20000 - n, n % 7, 9, n / 3 + 1, n / 7 + 1, n / 21 + 1
         FROM ranking_days, generate_series(1, 2100) n`,
    'VACUUM ANALYZE',
  )

  test('each filter is read by an index, now and on an earlier day', async () => {
    const { id } = await planner.db
      .selectFrom('ranking_groups')
      .select('id')
      .where('name', '=', 'Bảng 3')
      .executeTakeFirstOrThrow()
    const twoDaysAgo = vietnamDay(new Date(Date.now() - 2 * 86_400_000))
    for (const filter of [{}, { serverId: '1' }, { classId: 3 }, { serverId: '1', classId: 3 }])
      for (const day of [undefined, twoDaysAgo]) {
        const of = { groupId: id, userId: '1', rows: 100, ...filter, day }
        const { nodes } = await planner.plansOf(async () => {
          expect((await selectRanking(planner.db, of))?.entries).toHaveLength(100)
        })
        const read = nodes.filter((node) =>
          /entries$|^users$|^ranking_nickname$/.test(String(node['Relation Name'])),
        )
        expect(mostRowsRead(read), JSON.stringify({ filter, day })).toBeLessThanOrEqual(150)
      }
  })
})
