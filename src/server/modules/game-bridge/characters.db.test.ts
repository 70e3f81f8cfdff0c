import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useGameApp } from '#tests/support/fixtures.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { eventually, exchange } from '#tests/support/purchases.ts'

const { game, portal: app } = useGameApp()
beforeEach(() => game.slowDown(0))

type Shown = {
  characters: { id: string; name: string; info: { level: number } }[]
  characters_at: string | null
}

async function shownTo(player: TestPlayer): Promise<Shown & { ms: number }> {
  const started = performance.now()
  const { body } = await app.call('GET', '/api/exchange', { token: player.token })
  return { ...(body as Shown), ms: performance.now() - started }
}

function aCharacter(player: TestPlayer, wishes: { name: string; level?: number; serverId?: string }) {
  return game.addCharacter({ id: `c-${wishes.name}`, account: player.username, ...wishes })
}

/** Makes the stored list old, or removes it. */
async function age(player: TestPlayer, seconds: number | 'never'): Promise<void> {
  if (seconds === 'never') {
    await app.db.deleteFrom('game_character').where('user_id', '=', player.id).execute()
    await app.db.deleteFrom('game_character_fetch').where('user_id', '=', player.id).execute()
    return
  }
  await app.db
    .updateTable('game_character_fetch')
    .set({ fetched_at: sql`now() - make_interval(secs => ${seconds})` })
    .where('user_id', '=', player.id)
    .execute()
}

/** A player whose registration has already fetched their characters. */
async function aKnownPlayer(): Promise<TestPlayer> {
  const player = await aPlayer(app)
  await eventually(async () => {
    const row = await app.db
      .selectFrom('game_character_fetch')
      .select('user_id')
      .where('user_id', '=', player.id)
      .executeTakeFirst()
    expect(row).toBeDefined()
  })
  return player
}

const timesFetched = (player: TestPlayer) =>
  game.calls.filter((call) => call.startsWith('GET /v1/characters') && call.includes(player.username)).length

test('a fresh list is answered from the table, without a call to the game', async () => {
  const player = await aKnownPlayer()
  aCharacter(player, { name: 'dabiet' })
  await age(player, 'never')
  expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['dabiet'])
  aCharacter(player, { name: 'moituoi' })
  await age(player, 50)
  const fetches = timesFetched(player)
  expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['dabiet'])
  expect(timesFetched(player)).toBe(fetches)
})

test('a new player sees the first character at the next look, a few seconds after a look that found none', async () => {
  const player = await aKnownPlayer()
  aCharacter(player, { name: 'nguoimoi' })
  await age(player, 1)
  const fetches = timesFetched(player)
  expect((await shownTo(player)).characters).toEqual([])
  expect(timesFetched(player)).toBe(fetches)
  await age(player, 6)
  expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['nguoimoi'])
})

test('a list older than a minute is returned at once and refreshed in the background', async () => {
  const player = await aKnownPlayer()
  const character = aCharacter(player, { name: 'giatuoi', level: 40 })
  await age(player, 'never')
  await shownTo(player)
  character.level = 41
  await age(player, 61)
  game.slowDown(3_000)
  const old = await shownTo(player)
  expect(old.characters.map(({ info }) => info.level)).toEqual([40])
  expect(old.ms).toBeLessThan(1_500)
  game.slowDown(0)
  await eventually(async () => {
    const now = await shownTo(player)
    expect(now.characters.map(({ id, info }) => [id, info.level])).toEqual([[character.id, 41]])
    expect(Date.parse(now.characters_at!)).toBeGreaterThan(Date.parse(old.characters_at!))
  })
})

test('what changed or left in the game changes and leaves here; other servers’ characters stay out', async () => {
  const player = await aKnownPlayer()
  const stays = aCharacter(player, { name: 'olai', level: 10 })
  const leaves = aCharacter(player, { name: 'radi', level: 5 })
  aCharacter(player, { name: 'noikhac', serverId: '2' })
  await age(player, 'never')
  expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['olai', 'radi'])
  stays.level = 11
  stays.name = 'doiten'
  game.removeCharacter(leaves)
  await age(player, 61)
  await shownTo(player)
  await eventually(async () => {
    const { characters } = await shownTo(player)
    expect(characters.map(({ name, info }) => [name, info.level])).toEqual([['doiten', 11]])
  })
})

test('a call while a fetch runs joins it', async () => {
  const player = await aKnownPlayer()
  await age(player, 'never')
  const fetches = timesFetched(player)
  // It runs on when the last of them has given up waiting, so that none of them comes too late to join.
  game.slowDown(4_500)
  await Promise.all(Array.from({ length: 10 }, () => shownTo(player)))
  expect(timesFetched(player)).toBe(fetches + 1)
})

test('an account never fetched waits two seconds for a slow game, then sees nothing rather than wait on', async () => {
  const player = await aKnownPlayer()
  aCharacter(player, { name: 'chamchap' })
  await age(player, 'never')
  game.slowDown(4_500)
  const early = await shownTo(player)
  expect([early.characters, early.characters_at]).toEqual([[], null])
  expect(early.ms).toBeGreaterThan(1_900)
  expect(early.ms).toBeLessThan(4_000)
  // The question was not in vain: its answer is there for the next look.
  await eventually(async () => {
    expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['chamchap'])
  })
})

test('while the game cannot be read, the last list stays', async () => {
  const player = await aKnownPlayer()
  const character = aCharacter(player, { name: 'vanconday' })
  await age(player, 'never')
  const known = await shownTo(player)
  await age(player, 61)
  // No JSON: the game closes the connection instead of answering.
  Object.assign(character, { level: 1n })
  await shownTo(player)
  await eventually(async () => {
    expect(app.logged()).toContain('characters could not be fetched')
  })
  expect((await shownTo(player)).characters).toEqual(known.characters)
})

test('a character that cannot be read is left out, with one line in the log; the others are shown', async () => {
  const player = await aKnownPlayer()
  aCharacter(player, { name: 'docduoc', level: 3 })
  game.addCharacter({ id: 'c-hong', account: player.username, name: '' })
  await age(player, 'never')
  expect((await shownTo(player)).characters.map(({ name }) => name)).toEqual(['docduoc'])
  const lines = app.logged().split('\n')
  expect(lines.filter((line) => line.includes('rows of the game were left out'))).toHaveLength(1)
})

test('a purchase by an account never fetched fetches the characters before it finds the one', async () => {
  const player = await aPlayer(app, { coins: 10_000, isActivated: true })
  const character = aCharacter(player, { name: 'muangay' })
  await age(player, 'never')
  expect((await exchange(app, { player, character: character.id })).status).toBe(200)
})
