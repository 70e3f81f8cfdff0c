import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seedCategories } from '#seeds/categories.ts'
import { demoLogin, seedPlayers } from '#seeds/players.ts'
import { seedGroups } from '#seeds/groups.ts'
import { seedPosts } from '#seeds/posts.ts'
import { seedRivals } from '#seeds/rivals.ts'
import { seedServers } from '#seeds/servers.ts'
import { seedTournaments } from '#seeds/tournaments.ts'
import { tournamentPhase } from '#contract/tournament-phase.ts'
import { roundPoints } from '#contract/tournament-rules.ts'
import { startRankingJobs } from '#server/modules/ranking/index.ts'
import { verifyAndStore } from '#server/modules/audit/index.ts'
import { reconcile } from '#server/modules/wallet/index.ts'
import { type TestApp, startTestApp, useTestApp } from '#tests/support/app.ts'
import { aPlayer } from '#tests/support/players.ts'
import { eventually } from '#tests/support/purchases.ts'
import { quickest } from '#tests/support/timing.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { seedInstallation } from './index.ts'

const withDemoData = { withDemoData: true }

/** Everything that seeding writes, as one comparable value. */
async function worldOf({ db }: TestApp) {
  return {
    servers: await db.selectFrom('servers').selectAll().orderBy('position').execute(),
    settings: await db.selectFrom('settings').select(['key', 'value']).orderBy('key').execute(),
    categories: await db.selectFrom('categories').selectAll().orderBy('id').execute(),
    posts: await db.selectFrom('posts').selectAll().orderBy('id').execute(),
    places: await db
      .selectFrom('post_categories')
      .selectAll()
      .orderBy('post_id')
      .orderBy('category_id')
      .execute(),
    users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
    entries: await db
      .selectFrom('ledger_entry')
      .selectAll()
      .orderBy('transfer_id')
      .orderBy('amount')
      .execute(),
    characters: await db.selectFrom('game.characters').selectAll().orderBy('id').execute(),
    groups: await db.selectFrom('ranking_groups').selectAll().orderBy('id').execute(),
    tournaments: await db.selectFrom('tournaments').selectAll().orderBy('id').execute(),
    teams: await db.selectFrom('teams').selectAll().orderBy('id').execute(),
    matches: await db.selectFrom('matches').selectAll().orderBy('id').execute(),
    audit: await db.selectFrom('audit_log').select(['seq', 'hash']).orderBy('seq').execute(),
  }
}

describe('the demo world', () => {
  const portal = useTestApp({ mode: 'demo' })

  beforeAll(async () => {
    await seedInstallation(portal.deps)
  })

  const login = async (username: string) => {
    const player = seedPlayers.find((seed) => seed.username === username)
    const answer = await portal.call('POST', '/api/auth/login', {
      body: { username, password: player?.password },
    })
    expect(answer.status, username).toBe(200)
    const token = answer.body.access_token as string
    const user = await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })
    return { token, user: user.body }
  }

  test('has its news in order, under the rules of every post', async () => {
    const { body } = await portal.call('GET', '/api/posts?limit=50')
    const pinned = seedPosts.filter((post) => post.isPinned)
    const order = [...pinned, ...seedPosts.filter((post) => !post.isPinned)]
    expect(body.map((post: any) => post.title)).toEqual(order.map((post) => post.title))
    for (const [index, post] of body.entries()) {
      const seed = order[index]
      expect(post).toMatchObject({ new: seed?.isNew, views: 0, cover: `/images/covers/${seed?.cover}` })
      const days = (Date.now() - Date.parse(post.created_at)) / 86_400_000
      expect(Math.round(days)).toBe(seed?.publishedDaysAgo)
      expect(post.excerpt.length).toBeGreaterThan(40)
      expect(post.category_ids).toHaveLength(seed?.categories.length as number)
    }
    const categories = await portal.call('GET', '/api/categories')
    expect(categories.body.map((category: any) => category.title)).toEqual(
      seedCategories.map((category) => category.title),
    )
  })

  test('has its servers and settings, the receiving accounts among them and out of sight', async () => {
    expect((await portal.call('GET', '/api/servers')).body).toEqual(seedServers)
    const { body } = await portal.call('GET', '/api/settings')
    expect(body.fanpage_link).toMatch(/^https:/)
    expect(Object.keys(body).filter((key) => key.startsWith('bank_account'))).toEqual([])
    const { token } = await login(demoLogin.username)
    const channels = await portal.call('GET', '/api/recharge/channels', { token })
    expect(channels.body.map((channel: any) => channel.channel)).toEqual([1, 2, 3])
  })

  test.each(seedPlayers.map((player) => [player.username, player] as const))(
    'has %s as the seed describes them',
    async (username, seed) => {
      const { user } = await login(username)
      expect(user).toMatchObject({
        username,
        server_id: seed.serverId,
        balance: seed.recharged - (seed.activated ? 20_000 : 0),
        activated: seed.activated,
        first_gift: null,
        role_names: [],
        ban_reason: seed.ban?.reason ?? null,
      })
      const days = seed.ban ? (Date.parse(user.ban_until) - Date.now()) / 86_400_000 : 0
      expect(Math.round(days)).toBe(seed.ban?.days ?? 0)
      const characters = await portal.deps.game.listCharacters(seed.serverId, username)
      expect(characters.map(({ name, head, classId, level }) => ({ name, head, classId, level }))).toEqual(
        seed.characters.map(({ name, head, classId, level }) => ({ name, head, classId, level })),
      )
    },
  )

  test('has one tournament in each phase, with rounds and results that the rules allow', async () => {
    const { body } = await portal.call('GET', '/api/tournaments')
    expect(body).toHaveLength(seedTournaments.length)
    expect(body.map((each: any) => tournamentPhase(each, new Date()))).toEqual([
      'announced',
      'registering',
      'drawing',
      'running',
      'finished',
    ])
    for (const { id, max_round } of body) {
      const { matches } = (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body
      const wrong = matches.filter(({ round, winning_team_id, team1_win_count, team2_win_count }: any) => {
        const [most, least] = [team1_win_count, team2_win_count].toSorted((a, b) => b - a)
        const isPlayed = most === roundPoints(round, max_round) && least < most
        const isUnplayed = most === 0
        return winning_team_id === null ? !isUnplayed : !isPlayed && !isUnplayed
      })
      expect(wrong).toEqual([])
    }
    const running = (await portal.call('GET', `/api/tournaments/brackets/${body[3].id}`)).body
    expect(running.tournament).toMatchObject({ team_count: 16, current_round: 2 })
    expect(running.matches).toHaveLength(16)
    expect(running.matches.filter((match: any) => match.winning_team_id !== null)).toHaveLength(10)
  })

  test('has its rankings, which the worker fills from the game', async () => {
    const { token } = await login(demoLogin.username)
    const { body: groups } = await portal.call('GET', '/api/groups', { token })
    expect(groups.map((group: any) => group.name)).toEqual(seedGroups.map((group) => group.name))
    const loops = startRankingJobs(portal.deps)
    await eventually(async () => {
      const last = await portal.call('GET', `/api/groups/${groups.at(-1).id}/entries`, { token })
      expect(last.body.updated_at).not.toBeNull()
    })
    await Promise.all(loops.map((loop) => loop.stop()))
    for (const group of groups.slice(0, 3)) {
      const { rows, mine } = (await portal.call('GET', `/api/groups/${group.id}/entries`, { token })).body
      expect(rows.length).toBeGreaterThan(30)
      expect(mine.is_mine).toBe(true)
      const values = rows.map((row: any) => row.value)
      expect(values).toEqual(values.toSorted((a: number, b: number) => b - a))
      // Banned in the demo.
      expect(rows.map((row: any) => row.name)).not.toContain('daotrang')
    }
  })

  test('is sound: the books balance and the trail is unbroken', async () => {
    expect((await reconcile(portal.db)).filter((row) => row.count !== 0)).toEqual([])
    expect((await verifyAndStore(portal.db)).faults).toEqual([])
  })

  test('is not made a second time, nor does what was deleted come back', async () => {
    const [first] = (await portal.call('GET', '/api/posts?limit=1')).body
    await portal.db.deleteFrom('posts').where('id', '=', first.id).execute()
    await portal.db
      .updateTable('settings')
      .set({ value: 'Của chúng tôi' })
      .where('key', '=', 'site_name')
      .execute()
    const before = await worldOf(portal)
    expect(await quickest(() => seedInstallation(portal.deps))).toBeLessThan(500)
    expect(await worldOf(portal)).toEqual(before)
  })
})

test('processes that start together make one world', async () => {
  const portal = await startTestApp({ mode: 'demo' })
  onTestFinished(() => portal.close())
  await Promise.all([1, 2, 3].map(() => seedInstallation(portal.deps)))
  const counts = await Promise.all(
    (['posts', 'categories', 'users', 'game.characters', 'servers'] as const).map(async (table) => {
      const { n } = await portal.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<string>().as('n'))
        .executeTakeFirstOrThrow()
      return Number(n)
    }),
  )
  const ofPlayers = seedPlayers.reduce((sum, player) => sum + player.characters.length, 0)
  const characters = ofPlayers + seedRivals.length
  expect(counts).toEqual([
    seedPosts.length,
    seedCategories.length,
    seedPlayers.length,
    characters,
    seedServers.length,
  ])
  expect((await reconcile(portal.db)).filter((row) => row.count !== 0)).toEqual([])
})

test.runIf(hasAllCases)('a start that was cut short is finished by the next one', async () => {
  const portal = await startTestApp({ mode: 'demo' })
  onTestFinished(() => portal.close())
  let calls = 0
  const failing = {
    ...portal.deps.game,
    addCharacters: async () => {
      calls++
      throw new Error('the power went')
    },
  }
  await expect(seedInstallation({ ...portal.deps, game: failing }, withDemoData)).rejects.toThrow(
    'the power went',
  )
  expect(calls).toBe(1)
  await seedInstallation(portal.deps)
  const characters = await portal.db.selectFrom('game.characters').select('name').execute()
  expect(characters.map(({ name }) => name).sort()).toEqual(
    [...seedPlayers.flatMap((player) => player.characters), ...seedRivals].map(({ name }) => name).sort(),
  )
})

describe('a live installation', () => {
  const portal = useTestApp({ mode: 'live' })

  test('has nothing fictional: one server with a plain name, at which players can register', async () => {
    await portal.db.deleteFrom('servers').execute()
    await seedInstallation(portal.deps)
    expect((await portal.call('GET', '/api/servers')).body).toEqual([{ id: '1', name: 'Máy chủ 1' }])
    const { servers, audit, ...world } = await worldOf(portal)
    expect(servers).toHaveLength(1)
    expect(audit).toEqual([])
    expect(Object.entries(world).filter(([, rows]) => rows.length > 0)).toEqual([])
    const { token } = await aPlayer(portal)
    const { body } = await portal.call('POST', '/api/auth/verify', { body: { access_token: token } })
    expect(body.server_id).toBe('1')
  })

  test('servers an operator renamed or took away stay as they are', async () => {
    await portal.db.deleteFrom('servers').where('id', '<>', '1').execute()
    await portal.db.updateTable('servers').set({ name: 'Làng Mới' }).execute()
    await seedInstallation(portal.deps)
    const servers = await portal.db.selectFrom('servers').select(['id', 'name']).execute()
    expect(servers).toEqual([{ id: '1', name: 'Làng Mới' }])
  })
})
