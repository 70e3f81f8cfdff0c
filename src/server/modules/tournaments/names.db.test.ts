import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { anOperator } from '#tests/support/operators.ts'
import { anEntrant, OPEN_TO_ALL, signUp } from './testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

const aTournament = () => referee.aTournament({ ...OPEN_TO_ALL })
const nameFault = async (id: string, name: string) => {
  const { status, body } = await signUp(portal, id, await anEntrant(portal), { name })
  return status === 201 ? null : body.errors.name[0]
}
const TAKEN = expect.stringContaining('đã có trong giải này hoặc quá giống')

const TWINS: [string, string][] = [
  ['decomposed letters', 'Rồng Lửa'.normalize('NFD')],
  ['two blanks', 'Rồng  Lửa'],
  ['a blank that does not break', 'Rồng\u00a0Lửa'],
  ['capitals', 'RỒNG LỬA'],
  ['no marks', 'Rong Lua'],
  ['a sign', 'Rồng.Lửa'],
  ['1 for l', 'Rồng 1ửa'],
  ['0 for o', 'R0ng Lửa'],
]

describe('the name of a team', () => {
  test.each(TWINS)('is refused as the twin of another with %s', async (_what, twin) => {
    const id = await aTournament()
    expect(await nameFault(id, 'Rồng Lửa')).toBeNull()
    expect(await nameFault(id, twin)).toEqual(TAKEN)
    expect(await nameFault(await aTournament(), twin)).toBeNull()
  })

  test.each([['Аdmin'], ['Đội \u202eABC'], ['\u3164'], [`a${'\u0300'.repeat(9)}`]])(
    '%j is refused',
    async (name) => {
      expect(await nameFault(await aTournament(), name)).toMatch(/^Tên đội /)
    },
  )

  test.each([
    ['Admin'],
    ['Đội Quản Trị'],
    ['GM Hùng'],
    ['BQT'],
    ['H0 tr0 game'],
    ['Tinh Hoa Ninja'],
    ['G.M 1 Hùng'],
    ['SupportTeam Hà'],
  ])('%j is refused as that of staff', async (name) => {
    expect(await nameFault(await aTournament(), name)).toContain('dễ nhầm với ban quản trị')
  })

  test('is refused when it looks like an operator’s', async () => {
    const { username } = await anOperator(portal, 'support')
    const twin = username.toUpperCase()
    expect(await nameFault(await aTournament(), twin)).toContain('dễ nhầm với ban quản trị')
  })

  test('is refused among those that an operator enters, and when a team is renamed', async () => {
    const id = await aTournament()
    const { body: team } = await signUp(portal, id, await anEntrant(portal), { name: 'Hổ Trắng' })
    const entrant = await anEntrant(portal)
    const { body: own } = await signUp(portal, id, entrant, { name: 'Cáo Đỏ' })
    const change = await portal.call('PUT', `/api/tournaments/${id}/teams/${own.id}`, {
      token: entrant.player.token,
      body: { name: 'Hổ  trang', invites: [] },
    })
    expect([change.status, change.body.errors.name[0]]).toEqual([422, TAKEN])
    const enter = (names: string[]) =>
      referee.act(id, '/teams', { teams: names.map((name, at) => ({ name, members: [`nv${at}`] })) })
    expect((await enter(['H0 Trắng'])).body.errors.teams[0]).toEqual(TAKEN)
    expect((await enter(['Sói Xám', 'Sói Xám.'])).body.errors.teams[0]).toEqual(TAKEN)
    expect(team.name).toBe('Hổ Trắng')
  })

  test('that an older release stored is compared too, also where two were twins already', async () => {
    const id = await aTournament()
    for (const name of ['Rồng Đen', 'Rồng  Đen', 'Rоng Trắng\u200b']) {
      await sql`INSERT INTO teams (tournament_id, name) VALUES (${id}::bigint, ${name})`.execute(portal.db)
    }
    expect(await nameFault(id, 'Rồng Đen.')).toEqual(TAKEN)
    expect(await nameFault(id, 'Rồng Trắng')).toEqual(TAKEN)
    const { body } = await portal.call('GET', `/api/tournaments/${id}/teams`)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Rồng Đen', 'Rồng Đen', 'Rоng Trắng'])
  })

  test('that an older release stored stays when the players of its team change, and is held to the rule when it changes', async () => {
    const id = await aTournament()
    const entrant = await anEntrant(portal)
    const { body: own } = await signUp(portal, id, entrant, { name: 'Tạm' })
    await sql`INSERT INTO teams (tournament_id, name) VALUES (${id}::bigint, 'Tam.')`.execute(portal.db)
    for (const stored of ['Đội \u{1f525}\u202e', 'Admin', 'Tam']) {
      await sql`UPDATE teams SET name = ${stored}, skeleton = NULL WHERE id = ${own.id}::bigint`.execute(
        portal.db,
      )
      const change = (body: object) =>
        portal.call('PUT', `/api/tournaments/${id}/teams/${own.id}`, { token: entrant.player.token, body })
      expect((await change({ invites: [] })).status).toBe(200)
      expect((await change({ name: 'Admin 1', invites: [] })).status).toBe(422)
      const { rows } = await sql<{
        name: string
      }>`SELECT name FROM teams WHERE id = ${own.id}::bigint`.execute(portal.db)
      expect(rows).toEqual([{ name: stored }])
    }
  })

  test('cannot be stored twice in a tournament, whatever the program does', async () => {
    const id = await aTournament()
    expect(await nameFault(id, 'Gấu Nâu')).toBeNull()
    const { rows } = await sql<{ skeleton: string }>`
      SELECT skeleton FROM teams WHERE tournament_id = ${id}::bigint`.execute(portal.db)
    await expect(
      sql`INSERT INTO teams (tournament_id, name, skeleton) VALUES (${id}::bigint, 'Khác hẳn', ${rows[0]?.skeleton})`.execute(
        portal.db,
      ),
    ).rejects.toMatchObject({ code: '23505', constraint: 'teams_skeleton' })
  })
})
