import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { anOrder, openAccounts } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aPlayer, creditPlayer, type TestPlayer } from '#tests/support/players.ts'
import { buyLuongFor, charactersOf, workOnce } from '#tests/support/purchases.ts'

const portal = useTestApp()
let player: TestPlayer

beforeEach(async () => {
  player = await aPlayer(portal, { isActivated: true })
})

const home = async () => {
  const { status, body } = await portal.call('GET', '/api/home', { token: player.token })
  expect(status).toBe(200)
  return body
}

test('whoever has nothing yet sees so', async () => {
  await asOwner(portal, 'DELETE FROM game_character WHERE user_id = $1', [player.id])
  expect(await home()).toEqual({
    character: null,
    order: null,
    deliveries: { open: 0, newest: null },
    match: null,
    game: null,
  })
})

test('the strongest character stands there with its place in the first ranking that has it, and its movement', async () => {
  await charactersOf(portal, player)
  const { name, level, head } = await portal.db
    .selectFrom('game_character')
    .select(['name', 'level', 'head'])
    .where('user_id', '=', player.id)
    .orderBy('level', 'desc')
    .orderBy('id')
    .executeTakeFirstOrThrow()
  expect((await home()).character).toMatchObject({ name, level, head, place: null })
  const rankIn = (board: string, position: number, rank: number) =>
    asOwner(
      portal,
      `WITH ranking AS (
         INSERT INTO ranking_groups (name, source, board, value_name, position) VALUES ($1, 'game', $1, 'Cấp', $2) RETURNING id),
       snapshot AS (INSERT INTO ranking_snapshots (group_id, taken_at) SELECT id, now() FROM ranking)
       INSERT INTO ranking_entries (group_id, rank, user_id, server_id, name, value)
       SELECT id, $3, $4, '1', $5, 1 FROM ranking`,
      [board, position, rank, player.id, name],
    )
  await rankIn('second', 102, 7)
  await rankIn('first', 101, 5)
  expect((await home()).character.place).toEqual({ ranking: 'first', rank: 5, previous_rank: null })
  await asOwner(
    portal,
    `WITH yesterday AS (
       INSERT INTO ranking_days (group_id, day, taken_at, class_ids)
       SELECT id, (now() AT TIME ZONE 'Asia/Ho_Chi_Minh')::date - 1, now(), '{}' FROM ranking_groups WHERE name = 'first'
       RETURNING group_id, day)
     INSERT INTO ranking_day_entries (group_id, day, rank, user_id, server_id, name, value, server_rank, server_class_rank)
     SELECT group_id, day, 8, $1, '1', $2, 1, 1, 1 FROM yesterday`,
    [player.id, name],
  )
  expect((await home()).character.place).toMatchObject({ rank: 5, previous_rank: 8 })
})

test('an order stands there while it waits for money, and deliveries until they are over', async () => {
  await openAccounts(portal)
  const { code } = await anOrder(portal, player)
  expect((await home()).order).toEqual({ code, amount: 50_000 })
  await portal.call('POST', `/api/recharge/orders/${code}/cancel`, { token: player.token })
  expect((await home()).order).toBeNull()
  await creditPlayer(portal, player, 10_000)
  const [character] = await charactersOf(portal, player)
  const id = await buyLuongFor(portal, { player, character: character! })
  expect((await home()).deliveries).toMatchObject({ open: 1, newest: { id } })
  await workOnce(portal.deps)
  expect((await home()).deliveries).toEqual({ open: 0, newest: null })
})

test('the next match stands there once its draw is public, and no longer when it is played', async () => {
  await asOwner(
    portal,
    `WITH cup AS (
       INSERT INTO tournaments (name, registration_start_at, competition_start_at, mode, type, max_round, current_round)
       VALUES ('Giải mùa hè', '2026-01-01', '2026-01-02', 1, 1, 3, 1) RETURNING id),
     own AS (INSERT INTO teams (tournament_id, name) SELECT id, 'Rồng' FROM cup RETURNING id, tournament_id),
     other AS (INSERT INTO teams (tournament_id, name) SELECT id, 'Hổ' FROM cup RETURNING id, tournament_id),
     member AS (
       INSERT INTO team_members (tournament_id, team_id, position, character_name, user_id, server_id, character_id)
       SELECT tournament_id, id, 1, 'Kage', $1, '1', '1' FROM own)
     INSERT INTO matches (tournament_id, round, position, team1_id, team2_id)
     SELECT own.tournament_id, 1, 1, other.id, own.id FROM own, other`,
    [player.id],
  )
  const { match } = await home()
  expect(match).toEqual({
    tournament_id: expect.any(String),
    tournament: 'Giải mùa hè',
    opponent: 'Hổ',
    is_called: false,
  })
  const change = async (set: string) => {
    await asOwner(portal, `UPDATE tournaments SET ${set} WHERE id = $1`, [match.tournament_id])
    return (await home()).match
  }
  expect(await change(`drawn_at = now(), drawn_list = '[]'`)).toBeNull()
  expect(await change(`reveal_from = now() + interval '1 hour'`)).toBeNull()
  expect(await change(`reveal_from = now() - interval '1 second'`)).toEqual(match)
  await asOwner(portal, 'UPDATE matches SET called_at = now() WHERE tournament_id = $1', [
    match.tournament_id,
  ])
  expect((await home()).match).toMatchObject({ is_called: true })
  await asOwner(
    portal,
    'UPDATE matches SET winning_team_id = team1_id, team1_win_count = 2 WHERE tournament_id = $1',
    [match.tournament_id],
  )
  expect((await home()).match).toBeNull()
})

test('what the game says of its servers stands there with its age, for an hour', async () => {
  await asOwner(
    portal,
    `INSERT INTO game_description (description, tells_collection, read_at)
     VALUES ('{"servers": [{"id": "1", "name": "Làng Lá", "online": 12}, {"id": "2", "name": "Làng Cát"}]}', false, now())`,
  )
  expect((await home()).game).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    servers: [
      { id: '1', name: 'Làng Lá', online: 12 },
      { id: '2', name: 'Làng Cát', online: null },
    ],
  })
  await asOwner(portal, "UPDATE game_description SET read_at = now() - interval '61 minutes'")
  expect((await home()).game).toBeNull()
  await asOwner(portal, 'DELETE FROM game_description')
})
